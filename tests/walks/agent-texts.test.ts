import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentProgram } from "../fakes/odd-agent.ts";

/** Texts of an agent that no store takes: its goal ends as if they were others. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({ ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } }),
  });
});
afterEach(() => world.close());

interface Shown {
  readonly goalId: string;
  readonly status: string;
  readonly costUsd: number;
  readonly costIsEstimated: boolean;
}

async function worked(answers: string): Promise<Shown> {
  const file = join(world.dataDir, "agent.cjs");
  await writeFile(file, agentProgram(answers));
  const path = await world.repository();
  await world.command("repo", "add", path, "--setup", "", "--agent", `acp:"${process.execPath}" "${file}"`);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it"));
  valueOf(await world.command("autopilot", "start"));
  await world.work();
  return valueOf(await world.command("goal", "show", goalId));
}

const odd = String.raw`\u0000\ud800`;
const prompted = (told: string): string =>
  `"session/prompt": () => { ${told}; require("node:fs").writeFileSync("a.txt", "b\\n"); return { stopReason: "end_turn" }; }`;
const cost = (amount: string, currency: string, session: string): string =>
  `update({ sessionUpdate: "usage_update", used: 1, size: 1, cost: { amount: ${amount}, currency: "${currency}" } }, ${session})`;

describe("NUL and halves of characters in what an agent says", () => {
  it.each([
    ["the name of its session", `"session/new": () => ({ sessionId: "s${odd}" }), ${prompted("")}`],
    [
      "its name and version",
      `initialize: () => ({ protocolVersion: 1, agentInfo: { name: "a${odd}", version: "1${odd}" } }), ${prompted("")}`,
    ],
    ["the session that a cost is of", prompted(cost("0.1", "USD", `"s${odd}"`))],
    ["a currency", prompted(cost("0.1", `US${odd}`, `"s"`))],
    ["a plan", prompted(`update({ sessionUpdate: "plan", entries: [{ content: "${odd}", status: "${odd}" }] })`)],
    [
      "a tool call",
      prompted(
        `update({ sessionUpdate: "tool_call", toolCallId: "${odd}", title: "${odd}", kind: "${odd}", status: "completed", rawInput: { "${odd}": ["${odd}"] }, rawOutput: "${odd}", locations: [{ path: "${odd}" }] })`,
      ),
    ],
  ])("do not keep its work from being recorded: %s", async (_, answers) => {
    expect(await worked(answers)).toMatchObject({ status: "complete" });
  });

  it("do not keep its question from being asked", async () => {
    const call = `{ toolCallId: "${odd}", title: "${odd}", kind: "${odd}", locations: [{ path: "/etc/${odd}" }], rawInput: { command: "rm ${odd}", "${odd}": 1 } }`;
    const options = `[{ optionId: "a", name: "Allow", kind: "allow_once" }, { optionId: "r", name: "Reject", kind: "reject_once" }]`;
    const params = `{ sessionId: "s", options: ${options}, toolCall: ${call} }`;

    const { status } = await worked(
      `"session/prompt": () => { send({ id: 9, method: "session/request_permission", params: ${params} }); }`,
    );

    expect(status).toBe("blocked");
    expect(valueOf<{ kind: string }[]>(await world.command("checkpoints"))).toMatchObject([{ kind: "permission" }]);
  });
});

it("costs of sessions without end are heard of a hundred, and the rest is said to be estimated", async () => {
  const told = `for (let n = 0; n < 2_000; n += 1) { ${cost("0.001", "USD", `"s" + n`)}; }`;

  const goal = await worked(prompted(told));

  expect(goal).toMatchObject({ status: "complete", costUsd: 0.1, costIsEstimated: true });
  expect(await cardWords(world, goal.goalId)).toContain("of more than 100 sessions");
});

it("a tool call that is not over when an agent ends its turn is told in what happened", async () => {
  const began = `update({ sessionUpdate: "tool_call", toolCallId: "1", title: "npm test", kind: "execute", status: "in_progress" })`;
  const { goalId, status } = await worked(prompted(began));

  expect(status).toBe("complete");
  const { timeline } = valueOf<{ timeline: object[] }>(await world.command("why", goalId));
  const detail: unknown = expect.objectContaining({ open: ["npm test"] });
  expect(timeline).toContainEqual(expect.objectContaining({ event: "run.executed", detail }));
});
