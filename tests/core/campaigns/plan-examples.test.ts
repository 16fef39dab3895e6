import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parsePlanFile } from "../../../src/core/campaigns/outline.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { projectDir } from "../../fakes/bot.ts";

/** What docs/campaigns.md shows of plans is what is read. */

const page = readFileSync(join(projectDir, "docs/campaigns.md"), "utf8");

function example(language: string): string {
  const found = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, "m").exec(page);
  if (found?.[1] === undefined || found[2] === undefined) throw new Error(`no ${language} example`);
  const indent = found[1].length;
  return found[2]
    .split("\n")
    .map((line) => line.slice(indent))
    .join("\n");
}

it.each([
  ["markdown", [["Round prices up"], ["Write tests for every currency"], ["Explain the rounding in docs/rounding.md"]]],
  ["yaml", [["Round prices up"], ["Write tests for every currency"]]],
])("the %s plan of docs/campaigns.md", (language, days) => {
  const parsed = parsePlanFile(example(language), { goal: null, days: null, policy: defaultPolicy });

  if (parsed.type === "invalid") throw new Error(parsed.problems.join("\n"));
  expect(parsed.plan.name).toBe("Prices people can trust");
  expect(parsed.plan.days.map((goals) => goals.map((goal) => goal.request.content))).toEqual(days);
  expect(parsed.plan.milestones[0]).toMatchObject({
    name: "Prices are right",
    targetDay: 2,
    successCriteria: ["a price of half a cent is rounded up"],
  });
});
