import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Who says that a provider's limit or a missing login is why nothing went on: the agent itself, and nobody else. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

interface Shown {
  status: string;
  state: string;
  outcome: string | null;
  errorCount: number;
  attempts: { end: string; error: string }[];
  wakeAt: string;
}

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const kinds = async (): Promise<string[]> =>
  valueOf<{ kind: string }[]>(await world.command("checkpoints")).map((each) => each.kind);
const notices = async (words: string) =>
  (await world.deps.database.pool.query<{ card: { title: string } }>("select card from cos.messages")).rows.filter(
    (row) => row.card.title.includes(words),
  );

async function goalOf(agent: string | null, ...more: string[]): Promise<string> {
  const path = await makeRepository(join(world.dataDir, "person"), {
    "a.txt": "a\n",
    "spec.md": '#### AC-1: In\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "cat said.txt; exit 1"\n```\n',
  });
  const agentWords = agent === null ? [] : ["--agent", agent];
  await world.command("repo", "add", path, "--setup", "", "--check", "", ...agentWords);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Limit the rate", ...more));
  await world.command("autopilot", "start");
  return goalId;
}

async function scripted(steps: readonly object[], ...more: string[]): Promise<string> {
  const file = join(world.dataDir, "script.json");
  await writeFile(file, JSON.stringify(steps));
  const agent = join(projectDir, "examples/scripted-agent/agent.mjs");
  return await goalOf(`acp:"${process.execPath}" "${agent}" --script "${file}"`, ...more);
}

/** A program without a protocol: lines of a shell script. */
async function program(...lines: string[]): Promise<string> {
  const file = join(world.dataDir, "agent.sh");
  await writeFile(file, `cat > prompt.txt\n${lines.join("\n")}\n`);
  return await goalOf(`command:sh ${file}`);
}

async function isOrdinary(goalId: string): Promise<void> {
  const goal = await shown(goalId);
  expect(goal).toMatchObject({ status: "in_progress", state: "retrying", errorCount: 1 });
  expect(goal.attempts.length).toBe(1);
  expect(await kinds()).toEqual([]);
}

describe("a goal's own command", () => {
  it.each([
    "401 Unauthorized",
    "429 Too Many Requests, retry-after: 600",
    "Error: Please log in: authentication required",
    "API Error: 429 rate_limit_error",
    "Claude usage limit reached|1769486400",
    "I can't help with that",
  ])("that prints %j has failed, and that counts [F-114]", async (words) => {
    const goalId = await goalOf(null, "--run", `echo "${words}"; echo "${words}" >&2; exit 1`);
    await world.work();

    await isOrdinary(goalId);
  });
});

describe("an agent with a protocol", () => {
  it("that works on limits, writes about them and runs their tests fails like any other [F-114]", async () => {
    const goalId = await scripted([
      { say: "The API answers 429 Too Many Requests: usage limit reached, resets at 03:00." },
      { run: "echo 'Error: 401 Unauthorized. Please log in' >&2; echo 'rate limit exceeded'; exit 1" },
      { say: "authentication required, so quota exceeded" },
      { stop: "max_tokens" },
    ]);
    await world.work();

    await isOrdinary(goalId);
    expect((await shown(goalId)).attempts[0]).toMatchObject({ end: "work" });
  });

  it("whose tests write into its own errors before it dies has crashed [F-114]", async () => {
    const goalId = await scripted([
      { complain: "not ok 1 - login\nError: 401 Unauthorized\n    at api.test.js:3:1\n429 too many requests\n" },
      { crash: 1 },
    ]);
    await world.work();

    await isOrdinary(goalId);
    expect((await shown(goalId)).attempts[0]).toMatchObject({ end: "crash" });
  });

  it("that dies of its provider's error waits, at no attempt [F-114]", async () => {
    const goalId = await scripted([
      { complain: 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}\nretry-after: 600\n' },
      { crash: 1 },
    ]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ state: "retrying", attempts: [], errorCount: 0 });
    expect(new Date(goal.wakeAt).getTime() - world.deps.now().getTime()).toBe(600_000);
  });

  it("whose work does not pass is held to what a criterion found, whatever that printed [F-114]", async () => {
    const goalId = await scripted(
      [{ write: { path: "said.txt", content: "Error: 429 Too Many Requests\nplease log in\n" } }, { say: "Done." }],
      "--criteria",
      "spec.md",
    );
    await world.work();

    await isOrdinary(goalId);
    expect((await shown(goalId)).attempts[0]).toMatchObject({ end: "criteria" });
  });
});

describe("an agent without a protocol", () => {
  it.each([
    ["its tests' output", ["echo '429 too many requests'", "echo 'Please log in'", "exit 1"]],
    ["its tests' errors", ["echo 'Error: 401 Unauthorized' >&2", "echo '    at api.test.js:3' >&2", "exit 1"]],
    [
      "a provider's error in its tests' output",
      ["echo 'ok 1'", "echo 'Claude AI usage limit reached|1769486400'", "exit 1"],
    ],
    ["one that is long past", ["echo 'Claude AI usage limit reached|1769486400' >&2", "seq 1 9 >&2", "exit 1"]],
  ])("is not excused by %s [F-114]", async (_what, lines) => {
    const goalId = await program(...lines);
    await world.work();

    await isOrdinary(goalId);
  });

  it("is excused by its provider's error, in its last lines, when it failed [F-114]", async () => {
    const goalId = await program("echo working", "echo 'Claude AI usage limit reached|1769486400' >&2", "exit 1");
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ state: "retrying", attempts: [], errorCount: 0 });
    expect(new Date(goal.wakeAt).toISOString()).toBe("2026-01-27T04:00:00.000Z");
  });

  it("is excused by one that is all that it printed, whatever it wrote to its errors", async () => {
    const goalId = await program("echo 'a warning' >&2", "echo 'Claude AI usage limit reached|1769486400'", "exit 1");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ state: "retrying", attempts: [], errorCount: 0 });
  });

  it("pauses its session when it must log in [F-114]", async () => {
    const goalId = await program("echo 'Invalid API key · Please run /login' >&2", "exit 1");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ state: "parked", attempts: [] });
    expect(await kinds()).toEqual(["breaker"]);
  });

  it("that ended well is done, whatever it met on its way [F-114]", async () => {
    const goalId = await program("echo x > x.txt", "echo 'Claude AI usage limit reached|1769486400' >&2");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  it("keeps both of its streams, line by line, and neither hides a secret of the other", async () => {
    const goalId = await program(
      "printf 'sk-abcdefghij'",
      "echo in between >&2",
      "printf 'klmnopqrstuvwx\\n'",
      "exit 3",
    );
    await world.work();

    const { evidence } = valueOf<{ evidence: { outputFile: string }[] }>(await world.command("goal", "show", goalId));
    const output = await readFile(join(world.dataDir, evidence[0]?.outputFile ?? ""), "utf8");
    expect(output).toContain("in between\n");
    expect(output).toContain("[masked]");
    expect(output).not.toContain("klmnop");
  });
});

describe("a limit that comes again and again", () => {
  const limited = [{ fail: "429 Too Many Requests" }];

  async function meetAgain(goalId: string, times: number): Promise<void> {
    for (let pass = 0; pass < times; pass += 1) {
      world.advance(new Date((await shown(goalId)).wakeAt).getTime() - world.deps.now().getTime());
      await world.tick();
      await world.work();
    }
  }

  it("is told to a person after three waits, once, while it waits on [F-114]", async () => {
    const goalId = await scripted(limited);
    await world.work();
    await meetAgain(goalId, 1);
    expect(await notices("provider's limit")).toEqual([]);
    await meetAgain(goalId, 1);
    expect((await notices("The provider's limit was met 3 times in a row")).length).toBe(1);
    await meetAgain(goalId, 2);

    expect((await notices("The provider's limit was met")).length).toBe(1);
    expect(await shown(goalId)).toMatchObject({ state: "retrying", attempts: [] });
  });

  it("is counted anew after an attempt that ended otherwise [F-114]", async () => {
    const goalId = await scripted(limited);
    await world.work();
    await meetAgain(goalId, 1);
    await writeFile(join(world.dataDir, "script.json"), JSON.stringify([{ say: "hm" }, { stop: "max_tokens" }]));
    await meetAgain(goalId, 1);
    await writeFile(join(world.dataDir, "script.json"), JSON.stringify(limited));
    await meetAgain(goalId, 2);

    expect(await notices("provider's limit")).toEqual([]);
    expect((await shown(goalId)).attempts.length).toBe(1);
  });

  it("never waits for ever: the session is paused with a question, and Resume counts from zero [F-114]", async () => {
    const goalId = await scripted(limited);
    await world.work();
    await meetAgain(goalId, 20);
    expect(await kinds()).toEqual(["breaker"]);
    expect(await shown(goalId)).toMatchObject({ state: "parked" });

    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    valueOf(await world.command("answer", question?.checkpointId ?? "", "Resume"));
    await world.work();
    expect(await shown(goalId)).toMatchObject({ state: "retrying" });
    expect(await kinds()).toEqual([]);
  });
});
