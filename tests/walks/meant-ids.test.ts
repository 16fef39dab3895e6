import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Ids with a letter wrong: who typed one is told which was probably meant. */

let world: TestWorld;
const ids = { goal: "", question: "", session: "", over: "" };
beforeAll(async () => {
  world = await testWorld();
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  await world.command("repo", "add", path, "--check", "");
  const over = await world.command("goal", "add", "Over", "--run", "echo x > x.txt", "--tag", "ui");
  const goal = await world.command("goal", "add", "Make it blue", "--run", "echo x > y.txt", "--tag", "ui");
  ids.over = valueOf<{ goalId: string }>(over).goalId;
  ids.goal = valueOf<{ goalId: string }>(goal).goalId;
  valueOf(await world.command("goal", "skip", ids.over));
  valueOf(await world.command("autopilot", "start"));
  const { sessions } = valueOf<{ sessions: { sessionId: string }[] }>(await world.command("status"));
  ids.session = sessions[0]?.sessionId ?? "";
  const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
  ids.question = question?.checkpointId ?? "";
});
afterAll(() => world.close());

/** With its last letter changed, one too few, or the last two the wrong way round. */
function mistyped(id: string, how: "changed" | "short" | "swapped"): string {
  const [body, before, last] = [id.slice(0, -2), id.at(-2) ?? "", id.at(-1) ?? ""];
  if (how === "short") return `${body}${before}`;
  if (how === "swapped" && before !== last) return `${body}${last}${before}`;
  return `${body}${before}${last === "0" ? "1" : "0"}`;
}

async function reasonOf(...words: string[]): Promise<string> {
  const said = await world.command(...words);
  return said.type === "refused" ? said.reason : "done";
}

describe("an id that nothing has", () => {
  it.each([
    ["goal show", "goal"],
    ["why", "goal"],
    ["diff", "goal"],
    ["goal pause", "goal"],
    ["goal show", "over"],
    ["goal add Later --after", "goal"],
    ["goal edit GOAL --after", "over"],
    ["worklog list --goal", "goal"],
    ["worklog show", "goal"],
    ["approve", "question"],
    ["escalation", "question"],
    ["details", "session"],
    ["details", "goal"],
  ] as const)("of %s names the %s that was probably meant", async (name, kind) => {
    for (const how of ["changed", "short", "swapped"] as const) {
      const typed = mistyped(ids[kind], how);
      const words = name.replace("GOAL", ids.goal).split(" ");
      expect(await reasonOf(...words, typed)).toMatch(new RegExp(`${typed}"?; did you mean ${ids[kind]}\\?$`));
    }
  });

  it.each([
    ["why", "question", "Goal not found", "a question", "cos details"],
    ["goal show", "session", "Goal not found", "a session", "cos details"],
    ["approve", "over", "Checkpoint not found", "a goal", "cos goal show"],
    ["campaign status", "over", "Campaign not found", "a goal", "cos goal show"],
  ] as const)("for %s that names a %s says what it is, and what shows it", async (name, kind, lead, what, shows) => {
    expect(await world.command(...name.split(" "), ids[kind])).toEqual({
      type: "refused",
      reason: `${lead}: ${ids[kind]}; it is ${what}`,
      next: `${shows} ${ids[kind]}`,
    });
  });

  it("and that is near none names nothing, and holds nothing else", async () => {
    expect(await world.command("goal", "show", "goal-nope")).toEqual({
      type: "refused",
      reason: "Goal not found: goal-nope",
      next: "cos goals",
    });
    expect(await reasonOf("campaign", "status", "camp-00000000")).toBe("Campaign not found: camp-00000000");
  });

  it("that is a campaign's name, or its beginning, names that campaign", async () => {
    const outline = join(world.dataDir, "plan.md");
    await writeFile(outline, "# Prices people trust\n\n## All\n- Round\n  - run: echo a > a.txt\n");
    const made = await world.command("campaign", "create", "--from", outline);
    const { campaignId } = valueOf<{ campaignId: string }>(made);
    const meant = `; did you mean ${campaignId} (Prices people trust)?`;

    for (const typed of ["Prices", "prices people trust", "Prices peple trust"]) {
      for (const words of [["status"], ["start"], ["pause"]])
        expect(await reasonOf("campaign", ...words, typed)).toBe(`Campaign not found: ${typed}${meant}`);
      expect(await reasonOf("milestone", "done", `${typed}/ms-1`)).toBe(`Campaign not found: ${typed}${meant}`);
    }
    expect(await reasonOf("campaign", "status", "Taxes")).toBe("Campaign not found: Taxes");
  });
});

describe("an id in capitals, in quotes or with spaces around it", () => {
  it.each([
    ["why ID", "goal"],
    ["details ID", "goal"],
    ["details ID", "question"],
    ["details ID", "session"],
    ["diff ID", "over"],
    ["episodes --goal ID", "goal"],
    ["worklog list --goal ID", "goal"],
    ["worklog show ID", "goal"],
    ["worklog resume ID", "goal"],
    ["goal edit GOAL --after ID", "over"],
    ["autopilot start --goal ID", "goal"],
    ["night --goal ID", "over"],
    ["replay --goal ID", "goal"],
    ["reply ID hello", "question"],
    ["console end ID", "session"],
    ["confirm ID", "question"],
    ["dismiss ID", "question"],
    ["batch undo ID", "session"],
  ] as const)("of %s is read as the %s's", async (line, kind) => {
    const id = ids[kind];
    const asked = async (typed: string): Promise<unknown> => {
      const words = line.split(" ").map((word) => (word === "ID" ? typed : word.replace("GOAL", ids.goal)));
      const said = await world.command(...words);
      return said.type === "refused" ? { reason: said.reason, next: said.next } : said.type;
    };
    const plain = await asked(id);

    for (const typed of [id.toUpperCase(), ` ${id}  `, `\`${id}\``, `"${id}",`, `#${id}`, `(${id}).`])
      expect(await asked(typed), typed).toEqual(plain);
  });

  it("of blanks alone is missing", async () => {
    for (const words of [["why"], ["goal", "show"], ["approve"], ["details"], ["milestone", "done"]])
      expect(await world.command(...words, "  ").catch((error: unknown) => error)).toMatchObject({
        message: "ID is missing",
      });
  });
});

it("a named goal that no session takes says why, and the command that is told is taken", async () => {
  expect(await world.command("autopilot", "start", "--goal", ids.over)).toMatchObject({
    reason: `${ids.over} is skipped, not pending`,
    next: `cos goal resume ${ids.over}`,
  });
  const pending = await world.command("autopilot", "start", "--goal", ids.goal);
  expect(pending).toMatchObject({
    reason: `${ids.goal} waits for an answer`,
    next: `cos details ${ids.question}`,
  });
  valueOf(await world.command("goal", "pause", ids.goal));
  const parked = await world.command("night", "--goal", ids.goal);
  expect(parked).toMatchObject({
    reason: `${ids.goal} is parked, not pending`,
    next: `cos goal resume ${ids.goal}`,
  });
});
