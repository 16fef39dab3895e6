import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { type KnownAgent, knownAgents, quickAgents, titleOf } from "./known.ts";
import { installed } from "./install.ts";
import { linesOf, matrix, tableIn, withSeen } from "./matrix.ts";
import { openWalks } from "./walk.ts";
import { beginningWalks } from "./walks/beginning.ts";
import { interruptionWalks } from "./walks/interruptions.ts";
import { permissionWalks } from "./walks/permissions.ts";
import { providerWalks } from "./walks/provider.ts";
import { workWalks } from "./walks/work.ts";

/**
 * Real agents, whole: each walk by each agent, on a model server that plays what its model says. `npm run test:agents`
 * (two of them; all with `-- --all`, some with `-- NAME …`) prints the table that stands in docs/agents.md, and fails where
 * that says something else; `--write` puts what was seen into it.
 */

const wanted = process.env["COS_TEST_AGENTS"] ?? "";
const chosen = agentsOf(wanted);

function agentsOf(names: string): readonly KnownAgent[] {
  if (names === "all") return knownAgents;
  if (names === "two") return quickAgents;
  return knownAgents.filter((agent) => names.split(",").includes(agent.name));
}

const page = join(projectDir, "docs", "agents.md");
const printed = matrix();
afterAll(() => {
  const table = printed.seen();
  if (table.size === 0) return;
  process.stdout.write(`\n${linesOf(table).join("\n")}\n`);
  if (process.env["COS_TEST_AGENTS_WRITE"] === "1") writeFileSync(page, withSeen(readFileSync(page, "utf8"), table));
});

it.skipIf(chosen.length > 0)("real agents are walked by npm run test:agents", () => undefined);

describe.each(chosen)("$name", (agent) => {
  it(`is installed: ${agent.name}`, () => void installed(agent));
  const walks = openWalks(agent, printed);
  beginningWalks(walks);
  workWalks(walks);
  permissionWalks(walks);
  interruptionWalks(walks);
  providerWalks(walks);

  it.skipIf(process.env["COS_TEST_AGENTS_WRITE"] === "1")(`docs/agents.md says what was seen: ${agent.name}`, () => {
    const title = titleOf(agent);
    const written = tableIn(readFileSync(page, "utf8"));
    const seen = [...printed.seen()].map(([walk, row]) => [walk, row.get(title)]);

    expect(seen.map(([walk]) => [walk, written.get(walk ?? "")?.get(title)])).toEqual(seen);
  });
});
