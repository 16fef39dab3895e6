import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimGoal } from "../fakes/claim.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { findMessage } from "../../src/db/messages.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { remembered } from "../fakes/memory.ts";
import { gitIn } from "../fakes/repository.ts";
import { agentRepository, fails, type Script, writes as writesFile } from "../fakes/scripted.ts";

/** The recovery ladder on real git and real children, with a clock set by hand. */

let world: TestWorld;
/** Of the last goal that an agent works. */
let repository: string;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
});
afterEach(() => world.close());

interface Attempt {
  number: number;
  rung: number;
  ladder: number;
  approach: string;
  source: string | null;
  end: string;
  error: string;
}

interface Shown {
  goalId: string;
  status: string;
  state: string;
  phase: string;
  recoveryLevel: number;
  errorCount: number;
  outcome: string | null;
  checkpointId: string | null;
  attempts: Attempt[];
  sessionId: string;
  wakeAt: string;
  tag: string;
  costUsd: number;
}

interface Question {
  checkpointId: string;
  kind: string;
  context: string;
  goalId: string;
  options: { label: string; isRecommended: boolean; description: string }[];
  recommendation: string;
  facts: { details: string[] };
  createdAt: string;
}

/** A goal worked by a scripted agent. */
async function agentGoal(scripts: readonly Script[], ...options: string[]): Promise<string> {
  repository = await agentRepository(world, scripts);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note"));
  await world.command("autopilot", "start", ...options);
  return goalId;
}

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
/** What its session says of a goal. */
const resultOf = async (goalId: string) =>
  valueOf<{ sessions: { results: { goalId: string }[] }[] }>(await world.command("autopilot", "status"))
    .sessions.flatMap((session) => session.results)
    .find((each) => each.goalId === goalId);
const questions = async (): Promise<Question[]> => valueOf<Question[]>(await world.command("checkpoints"));
const events = async (goalId: string) =>
  valueOf<{ timeline: { event: string; detail: Record<string, unknown>; at: string }[] }>(
    await world.command("why", goalId),
  ).timeline;

/** Works until nothing is due, moving the clock over every wait of the ladder. */
async function climb(times = 12): Promise<void> {
  for (let pass = 0; pass < times; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
}

const writes = writesFile("note.txt", "note\n");

describe("a criterion whose program is not on the machine", () => {
  async function lackingGoal(scripts: readonly Script[], setup: string): Promise<string> {
    await agentRepository(world, scripts);
    await world.command("repo", "edit", "person", "--setup", setup);
    const added = await world.command("goal", "add", "Write the note", "--done-when", "no-such-checker -q");
    await world.command("autopilot", "start");
    return valueOf<{ goalId: string }>(added).goalId;
  }

  it("asks a person after the first attempt, by the program's name, where no setup could bring it", async () => {
    const goalId = await lackingGoal([writes], "");
    await climb(3);

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", attempts: [{ end: "invalid-criteria" }] });
    expect(goal.attempts.length).toBe(1);
    const [question] = await questions();
    expect(question?.context).toMatch(
      /^no-such-checker is not installed where it was run\. Goal: Write the note\. Error: /,
    );
    expect(question?.recommendation).toMatch(/^Retry - no-such-checker is not installed where it was run: install it/);
    expect((await events(goalId)).filter(({ event }) => event === "run.executed").length).toBe(1);
  });

  it("is told to its agent once where a setup could bring it", async () => {
    const told: Script = { match: ["no-such-checker: command not found"], steps: [{ say: "It is not there." }] };
    const goalId = await lackingGoal([told, writes], "true");
    await climb(3);

    expect((await shown(goalId)).attempts).toMatchObject([{ end: "invalid-criteria" }]);
    expect((await events(goalId)).filter(({ event }) => event === "run.executed").length).toBe(2);
  });
});

describe("the ladder", () => {
  it("tries the same three times, one alternative twice, once more, and then asks a person [S4-RM-01, S4-RM-09, S4-RM-10, S4-RM-12]", async () => {
    const goalId = await agentGoal([{ steps: [{ say: "boom", costUsd: 0.25 }, { stop: "max_tokens" }] }]);
    await climb();

    const goal = await shown(goalId);
    expect(goal.attempts.map((each) => [each.number, each.rung, each.end])).toEqual([
      [1, 1, "work"],
      [2, 1, "work"],
      [3, 1, "work"],
      [4, 2, "work"],
      [5, 2, "work"],
      [6, 3, "work"],
    ]);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", recoveryLevel: 4, errorCount: 6 });
    expect(goal.outcome).toBe("Escalated to human: the agent ran out of tokens: boom");
    expect(await resultOf(goalId)).toMatchObject({
      success: false,
      error: "Escalated to human: the agent ran out of tokens: boom",
      checkpointPending: true,
      costUsd: 1.5,
    });
    expect(await questions()).toMatchObject([
      {
        kind: "escalation",
        goalId,
        triggers: ["hiccup"],
        context: "Recovery failed after 4 levels. Goal: Write the note. Error: the agent ran out of tokens: boom",
      },
    ]);
    const { rows } = await world.deps.database.pool.query("select is_hiccup from cos.goals");
    expect(rows).toEqual([{ is_hiccup: true }]);
  });

  it("waits as long as it says, and not at all where a rung begins [S4-RM-02, S4-RM-03, S4-RM-05]", async () => {
    const goalId = await agentGoal([fails("boom")]);
    const waits: number[] = [];
    const stands: [level: number, errors: number][] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await world.work();
      const goal = await shown(goalId);
      if (goal.state === "waiting") break;
      waits.push((new Date(goal.wakeAt).getTime() - world.deps.now().getTime()) / 1000);
      stands.push([goal.recoveryLevel, goal.errorCount]);
      const wait = waits.at(-1) ?? 0;
      // Not a moment earlier.
      world.advance(wait * 1000 - 1);
      await world.work();
      expect((await shown(goalId)).attempts.length).toBe(goal.attempts.length);
      world.advance(1);
    }

    // The third attempt is followed by the fourth, and the fifth by the sixth, at once.
    expect(waits).toEqual([5, 10, 10]);
    expect(stands).toEqual([
      [1, 1],
      [1, 2],
      [2, 4],
    ]);
    const retries = (await events(goalId)).filter((row) => row.event === "recovery.retry");
    expect(retries.map((row) => [row.detail["rung"], row.detail["attempt"]])).toEqual([
      [1, 2],
      [1, 3],
      [2, 1],
      [2, 2],
      [3, 1],
    ]);
    expect(await shown(goalId)).toMatchObject({ errorCount: 6, recoveryLevel: 4 });
  });

  it("fails three times, the alternative succeeds, and nobody was asked [S4-RM-04, S4-RM-07]", async () => {
    const goalId = await agentGoal([{ match: ["Go about it differently this time"], ...writes }, fails("boom")]);
    await climb();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", errorCount: 0, recoveryLevel: 0 });
    expect(goal.attempts.map((each) => [each.rung, each.end, each.source])).toEqual([
      [1, "work", null],
      [1, "work", null],
      [1, "work", null],
      [2, "passed", "built-in rule"],
    ]);
    expect(await questions()).toEqual([]);
    expect(valueOf(await world.command("episodes", "--goal", goalId))).toMatchObject([{ goalId, recoveryLevel: 2 }]);
  });

  it("takes one alternative for each attempt on rung 2, the second another one, also where the first met another failure [S4-RM-07]", async () => {
    const goalId = await agentGoal([{ ...fails("bang"), match: ["Go about it differently this time"] }, fails("boom")]);
    await climb();

    const { attempts } = await shown(goalId);
    expect(attempts.map(({ rung, approach, error }) => [rung, approach, error.split(": ")[1]])).toEqual([
      [1, "as asked", "boom"],
      [1, "as asked", "boom"],
      [1, "as asked", "boom"],
      [2, "read what fails first", "bang"],
      [2, "in small steps", "bang"],
      [3, "in small steps", "bang"],
    ]);
  });

  it("never tries one approach twice under one failure on rung 2, whoever tried it", async () => {
    await agentGoal([fails("the same failure")]);
    valueOf(await world.command("goal", "add", "Write another note"));
    await climb();
    const [first] = await questions();
    await world.command("reject", first?.checkpointId ?? "");
    const all = valueOf<{ goalId: string }[]>(await world.command("goals"));
    await world.command("autopilot", "start");
    await climb();

    const { rows } = await world.deps.database.pool.query<{ approach: string; fingerprint: string; rung: number }>(
      "select approach, fingerprint, rung from cos.attempts where rung = 2",
    );
    expect(all.length).toBe(2);
    expect(rows.length).toBe(3);
    expect(new Set(rows.map((row) => `${row.fingerprint} ${row.approach}`)).size).toBe(rows.length);
  });

  it("tries first what helped another goal out of the same failure", async () => {
    const first = await agentGoal([
      { match: ["read every file and line that its output names"], ...writes },
      fails("boom"),
    ]);
    await climb();
    expect(await shown(first)).toMatchObject({ status: "complete" });
    // The approach is known to help now, so another goal that fails so takes it although the rules begin elsewhere.
    await world.deps.database.pool.query("alter table cos.attempts disable trigger append_only");
    await world.deps.database.pool.query(
      "update cos.attempts set approach = 'the old remedy' where \"end\" = 'passed'",
    );
    const second = valueOf<{ goalId: string }>(await world.command("goal", "add", "Another"));
    await world.command("autopilot", "start");
    await climb();

    const goal = await shown(second.goalId);
    expect(goal.attempts.at(-1)).toMatchObject({ approach: "the old remedy", end: "passed" });
    expect(goal.attempts.at(-1)?.source).toBe(`helped ${first} out of the same failure`);
  });

  it("is told before each attempt what three past runs like it taught [S4-RM-13]", async () => {
    await agentGoal([{ ...fails("boom"), match: ["Write no note"] }, writes]);
    for (const number of [2, 3, 4]) await world.command("goal", "add", `Write the note again, ${number}`);
    await world.work();
    await remembered(world, 4);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write no note"));
    await world.command("autopilot", "start");
    await climb();

    expect((await shown(goalId)).attempts.length).toBe(6);
    const told = (await events(goalId)).filter((row) => row.event === "run.told");
    expect(told.map((row) => (row.detail["lessons"] as object[]).length)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it("tells the next attempt what failed, and keeps the work that was recorded", async () => {
    const goalId = await agentGoal([
      { match: ["Earlier attempts at this goal failed", "1. as asked: the agent ran out of tokens: boom"], ...writes },
      fails("boom"),
    ]);
    await climb(3);

    expect(await shown(goalId)).toMatchObject({ status: "complete", attempts: [{ end: "work" }, { end: "passed" }] });
  });

  it("goes up with failing criteria too, and its rounds start over [S2-ES-05]", async () => {
    const tries = { steps: [{ run: "echo x >> tried.txt", quiet: true }, { say: "Done." }] };
    await agentRepository(world, [{ match: ["Go about it differently"], ...writes }, tries], {
      "spec.md": '#### AC-1: Note\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "test -f note.txt"\n```\n',
    });
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Note", "--criteria", "spec.md"));
    await world.command("autopilot", "start");
    await climb();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", tag: "verified" });
    expect(goal.attempts.map((each) => each.end)).toEqual(["criteria", "criteria", "criteria", "passed"]);
    expect((await events(goalId)).filter((row) => row.event === "run.verified").length).toBe(16);
  });
});

describe("what no retry can mend", () => {
  it.each([
    [
      "a refusal",
      { steps: [{ say: "I can't help with that." }, { stop: "refusal" }] },
      "refusal",
      "waiting",
      "escalation",
    ],
    ["a login", { steps: [{ fail: "Please log in first: authentication required" }] }, null, "parked", "breaker"],
  ] as const)("%s is tried once", async (_what, script, end, state, kind) => {
    const goalId = await agentGoal([script]);
    await climb(3);

    const goal = await shown(goalId);
    expect(goal.state).toBe(state);
    expect(goal.attempts.map((each) => each.end)).toEqual(end === null ? [] : [end]);
    expect((await questions()).map((each) => each.kind)).toEqual([kind]);
    expect((await events(goalId)).filter((row) => row.event === "run.executed").length).toBe(1);
  });

  it("a ceiling ends the goal, and is no rung", async () => {
    const goalId = await agentGoal([{ steps: [{ costUsd: 6 }, { sleepMs: 30_000 }] }]);
    await climb(2);

    expect(await shown(goalId)).toMatchObject({ status: "failed", attempts: [], errorCount: 0 });
  });

  it("after a login and Resume the goal goes on, and who resumed is kept", async () => {
    const flag = join(world.dataDir, "logged-in");
    const goalId = await agentGoal([
      { steps: [{ run: `test -e ${flag}`, quiet: true }, { fail: "authentication required" }] },
    ]);
    await climb(2);
    const [question] = await questions();
    await writeFile(join(world.dataDir, "scripts.json"), JSON.stringify([{ match: [], ...writes }]));

    valueOf(await world.as({ actor: "@bo" }, "answer", question?.checkpointId ?? "", "Resume"));
    await climb(2);

    expect(await shown(goalId)).toMatchObject({ status: "complete", errorCount: 0 });
    const { rows } = await world.deps.database.pool.query(
      "select actor from cos.timeline where event = 'session.running'",
    );
    expect(rows).toEqual([{ actor: "@bo" }]);
  });
});

it("what an attempt left that ended before it was done is named to the next one, which can take it over", async () => {
  const kept = "$(git for-each-ref --format='%(objectname)' 'refs/cos/*/attempt-1')";
  const goalId = await agentGoal([
    { match: ["kept as commit", "(1 file)"], steps: [{ run: `git show ${kept}:half.txt > a.txt` }, { say: "Done." }] },
    { steps: [{ write: { path: "half.txt", content: "half\n" } }, { crash: 7 }] },
  ]);
  await climb(2);

  expect((await shown(goalId)).attempts.map((each) => each.end)).toEqual(["crash", "passed"]);
  expect(await gitIn(repository, "show", `cos/${goalId}:a.txt`)).toBe("half");
});

describe("a provider's limit", () => {
  const limited = { steps: [{ fail: "You have reached your usage limit. Limit reached, resets 03:00" }] };

  it.each([
    ["goals that need no agent go on meanwhile, one after the other", [], ["complete", "complete", "pending"]],
    ["a session that goes in order waits with it", ["--in-order"], ["pending", "pending", "pending"]],
  ])("is waited for by its goal: %s", async (_, options, statuses) => {
    const goalId = await agentGoal([limited], ...options);
    const others: string[] = [];
    for (const more of [
      ["--run", "echo 1 > 1.txt"],
      ["--run", "echo 2 > 2.txt"],
      ["--run", "true", "--after", goalId],
    ])
      others.push(valueOf<{ goalId: string }>(await world.command("goal", "add", "More", ...more)).goalId);
    await world.work();

    expect((await Promise.all(others.map(shown))).map(({ status }) => status)).toEqual(statuses);
    expect(await shown(goalId)).toMatchObject({ status: "in_progress", state: "retrying" });
  });

  it("burns nothing, and the work goes on after the reset", async () => {
    const goalId = await agentGoal([limited]);
    world.advance(14 * 3_600_000);
    await world.work();

    const waiting = await shown(goalId);
    expect(waiting).toMatchObject({
      status: "in_progress",
      state: "retrying",
      attempts: [],
      errorCount: 0,
      recoveryLevel: 0,
    });
    expect(new Date(waiting.wakeAt).toISOString()).toBe("2026-01-27T03:00:00.000Z");
    const status = await world.command("status");
    expect(valueOf(status)).toMatchObject({ awaitingProvider: [{ goalId, until: new Date("2026-01-27T03:00:00Z") }] });
    expect(JSON.stringify(status)).toContain('", until ",{"at":"2026-01-27T03:00:00.000Z"}');
    world.advance(3.9 * 3_600_000);
    await world.tick();
    await world.work();
    expect((await events(goalId)).filter((row) => row.event === "run.executed").length).toBe(1);

    await writeFile(join(world.dataDir, "scripts.json"), JSON.stringify([{ match: [], ...writes }]));
    world.advance(0.1 * 3_600_000);
    await world.tick();
    await world.work();
    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      attempts: [{ rung: 1, number: 1, end: "passed" }],
    });
    const why = await world.command("why", goalId);
    expect(JSON.stringify(why)).toContain('waits until ",{"at":"2026-01-27T03:00:00.000Z"},"; costs no attempt"');
    const page = why.type === "done" ? terminalLines(why.card, "Asia/Tokyo").join("\n") : why.reason;
    expect(page).toContain("waits until 2026-01-27 12:00; costs no attempt");
    expect(valueOf(await world.command("standup"))).toMatchObject({
      limited: [{ goalId, until: "2026-01-27T03:00:00.000Z" }],
    });
  });

  it("is not waited for any longer by who says that it is over", async () => {
    const goalId = await agentGoal([limited]);
    await world.work();
    await writeFile(join(world.dataDir, "scripts.json"), JSON.stringify([{ match: [], ...writes }]));

    const resumed = await world.command("goal", "resume", goalId);
    const again = await world.command("goal", "resume", goalId);
    await world.work();

    expect(resumed).toMatchObject({ type: "done", card: { summary: `${goalId} is tried again now` } });
    expect(again).toMatchObject({ type: "refused", reason: `${goalId} is working` });
    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      attempts: [{ rung: 1, number: 1, end: "passed" }],
    });
    expect((await events(goalId)).filter((row) => row.event === "run.executed").length).toBe(2);
  });

  it("what the agent had done until then is there when it goes on in its own session", async () => {
    const half = { write: { path: "half.txt", content: "half\n" } };
    const goalId = await agentGoal([{ steps: [half, ...limited.steps] }]);
    await world.work();

    const rest = [{ run: "test -f half.txt && echo both > a.txt" }, { say: "Done." }];
    await writeFile(join(world.dataDir, "scripts.json"), JSON.stringify([{ match: [], steps: rest }]));
    world.advance(18 * 3_600_000);
    await world.tick();
    await world.work();

    const branch = `cos/${goalId}`;
    expect((await shown(goalId)).attempts).toMatchObject([{ rung: 1, number: 1, end: "passed" }]);
    expect(await gitIn(repository, "show", `${branch}:half.txt`)).toBe("half");
    expect(await gitIn(repository, "show", `${branch}:a.txt`)).toBe("both");
  });

  const line = "Claude AI usage limit reached|1769482800";
  it.each([
    ["prints and ends with exit code 1", `command:sh -c "echo '${line}'; exit 1"`],
    ["prints and ends with exit code 0", `command:echo "${line}"`],
    ["says and ends its turn", null],
  ])("is one that an agent %s", async (_how, agent) => {
    await agentRepository(world, [{ steps: [{ say: line }] }]);
    const path = join(world.dataDir, "person");
    if (agent !== null) await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note"));
    await world.command("autopilot", "start");
    await world.work();

    const waiting = await shown(goalId);
    expect(waiting).toMatchObject({ status: "in_progress", state: "retrying", attempts: [], errorCount: 0 });
    expect(new Date(waiting.wakeAt).toISOString()).toBe("2026-01-27T03:00:00.000Z");
  });

  it.each([
    ["without an end gives up the agent's own session the second time", "", [true, false, false]],
    ["with an end keeps the agent's own session", " Try again in 5 min", [true, true, true]],
  ])("that is met again and again %s", async (_how, end, kept) => {
    const goalId = await agentGoal([{ steps: [{ fail: `You have reached your usage limit.${end}` }] }]);
    const isKept: boolean[] = [];
    while (isKept.length < kept.length) {
      await world.work();
      const statement = "select agent_session_id is not null as kept from cos.runs where goal_id = $1";
      const { rows } = await world.deps.database.pool.query<{ kept: boolean }>(statement, [goalId]);
      isKept.push(rows[0]?.kept === true);
      world.advance(3_600_000);
      await world.tick();
    }

    expect(isKept).toEqual(kept);
    expect((await events(goalId)).filter((row) => row.event === "run.executed").length).toBe(3);
  });

  it("pauses the session when that is its policy", async () => {
    const goalId = await agentGoal([limited], "--on-limit", "pause");
    await climb(2);

    expect(await shown(goalId)).toMatchObject({ status: "blocked", attempts: [] });
    expect(await questions()).toMatchObject([{ kind: "breaker", context: expect.stringContaining("limit") as string }]);
  });

  it("without a word on its end is waited for longer each time, and then a person is asked", async () => {
    const goalId = await agentGoal([{ steps: [{ fail: "429 Too Many Requests" }] }]);
    const waits: number[] = [];
    for (let pass = 0; pass < 5; pass += 1) {
      await world.work();
      const { wakeAt } = await shown(goalId);
      waits.push((new Date(wakeAt).getTime() - world.deps.now().getTime()) / 60_000);
      world.advance((waits.at(-1) ?? 0) * 60_000);
    }

    expect(waits).toEqual([15, 30, 60, 120, 120]);
  });
});

describe("rung 3", () => {
  const missing = fails("Config MISSING");
  const answered = { match: ["answer by @bo", "It is in config/dev.json"], ...writes };
  const another = { match: ["Another goal"], ...writes };

  async function untilAsked(...scripts: Parameters<typeof agentGoal>[0]): Promise<{ goalId: string; asked: Question }> {
    const goalId = await agentGoal([...scripts, missing]);
    await climb(6);
    const [asked] = await questions();
    if (asked === undefined) throw new Error("nothing was asked");
    return { goalId, asked };
  }

  it("asks one question in the goal's thread, and the answer reaches the last attempt [S4-RM-08]", async () => {
    const { goalId, asked } = await untilAsked(answered);
    expect(asked).toMatchObject({
      kind: "clarify",
      goalId,
      context: expect.stringContaining("Config MISSING") as string,
    });
    expect((await findMessage(world.deps.database.db, "console", "main", asked.checkpointId))?.threadSubject).toBe(
      goalId,
    );
    expect((await shown(goalId)).attempts.length).toBe(5);

    const said = await world.as({ actor: "@bo" }, "reply", goalId, "It is in config/dev.json");
    await climb(2);

    expect(valueOf(said)).toMatchObject({ became: "answer" });
    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete" });
    expect(goal.attempts.at(-1)).toMatchObject({ rung: 3, number: 6, end: "passed" });
    expect(goal).toMatchObject({ told: [{ by: "@bo", text: "It is in config/dev.json" }] });
  });

  it("is told as the words of whoever wrote the answer, also where somebody else confirmed it", async () => {
    const { goalId } = await untilAsked(answered);
    const words = "I don't know, perhaps it is in config/dev.json";
    const read = valueOf<{ became: string; replyId: string }>(await world.as({ actor: "@bo" }, "reply", goalId, words));
    expect(read.became).toBe("proposal");

    valueOf(await world.command("confirm", read.replyId));

    expect(await shown(goalId)).toMatchObject({ told: [{ by: "@bo", text: words }] });
  });

  it("takes a ceiling and criteria with its answer, or instead of one", async () => {
    const { goalId, asked } = await untilAsked(answered);

    valueOf(
      await world.command(
        "modify",
        asked.checkpointId,
        "--budget",
        "40",
        "--criteria-text",
        "AC-1: `test -f note.txt`",
      ),
    );

    const { rows } = await world.deps.database.pool.query(
      `select g.ceiling_micro_usd::int as ceiling, g.criteria, g.status, r.clarification->>'answer' as answer
      from cos.goals g join cos.runs r on r.run_id = g.run_id where g.goal_id = $1`,
      [goalId],
    );
    expect(rows).toEqual([
      { ceiling: 40_000_000, criteria: "AC-1: `test -f note.txt`", status: "in_progress", answer: null },
    ]);
  });

  it("waits half an hour, in which other goals go on, and tries without an answer then [D19]", async () => {
    const { goalId, asked } = await untilAsked(another);
    const second = valueOf<{ goalId: string }>(await world.command("goal", "add", "Another goal"));
    await world.work();
    expect(await shown(second.goalId)).toMatchObject({ status: "complete" });
    expect((await shown(goalId)).state).toBe("waiting");

    // A minute has passed since it was asked.
    world.advance(28 * 60_000);
    await world.tick();
    await world.work();
    expect(await shown(goalId)).toMatchObject({ state: "waiting", checkpointId: asked.checkpointId });
    world.advance(2 * 60_000);
    await world.tick();
    await climb(2);

    const goal = await shown(goalId);
    expect(goal.attempts.length).toBe(6);
    expect((await questions()).map((each) => each.kind)).toEqual(["escalation"]);
    expect((await world.command("answer", asked.checkpointId, "Go on")).type).toBe("refused");
  });

  it("asks nothing at night, when nobody would answer: the last attempt is made at once [D19]", async () => {
    repository = await agentRepository(world, [missing]);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note"));
    valueOf(await world.command("night"));
    await climb();

    expect((await shown(goalId)).attempts.map(({ rung }) => rung)).toEqual([1, 1, 1, 2, 2, 3]);
    expect((await events(goalId)).filter((row) => row.event === "checkpoint.asked").length).toBe(1);
    expect((await questions()).map((each) => each.kind)).toEqual(["escalation"]);
  });

  it("asks nothing when nothing is missing", async () => {
    const goalId = await agentGoal([fails("timeout of the server")]);
    await climb();

    expect((await events(goalId)).filter((row) => row.event === "checkpoint.asked").length).toBe(1);
  });
});

describe("an escalation", () => {
  async function escalated(...scripts: Parameters<typeof agentGoal>[0]): Promise<{ goalId: string; id: string }> {
    const goalId = await agentGoal([...scripts, fails("boom")]);
    await climb();
    const [asked] = await questions();
    if (asked?.kind !== "escalation") throw new Error("nothing was escalated");
    return { goalId, id: asked.checkpointId };
  }

  const instructed = { match: ["instruction by ana\nuse src/events/bus.ts\n"], ...writes };

  it("offers Retry, Skip and Manual, and recommends Skip [S4-RM-11]", async () => {
    await escalated();
    const [asked] = await questions();

    expect(asked?.options.map((each) => [each.label, each.description, each.isRecommended])).toEqual([
      ["Retry", "Try again with fresh context", false],
      ["Skip", "Skip this goal", true],
      ["Manual", "I'll handle this manually", false],
    ]);
    expect(asked?.recommendation).toBe("Skip - nothing more is tried before somebody decides.");
    const card = JSON.stringify(
      (await findMessage(world.deps.database.db, "console", "main", asked?.checkpointId ?? ""))?.card,
    );
    expect(card).toContain("Escalation after 6 attempts, 3 approaches");
    expect(card).toContain("read what fails first");
    expect(
      await findMessage(world.deps.database.db, "console", "main", `${asked?.checkpointId}.attempts`),
    ).toMatchObject({
      threadSubject: asked?.checkpointId,
    });
  });

  it("is answered by a reply that is read back, confirmed, and reaches the agent word for word", async () => {
    const { goalId, id } = await escalated(instructed);

    const read = valueOf<{ became: string; replyId: string }>(
      await world.command("reply", id, "retry: use src/events/bus.ts"),
    );
    expect(read.became).toBe("proposal");
    const card = await findMessage(world.deps.database.db, "console", "main", read.replyId);
    expect(card?.card.summary).toBe("ana's reply: I will retry with: use src/events/bus.ts Confirm?");
    expect(card?.threadSubject).toBe(id);
    await climb(2);
    expect((await shown(goalId)).state).toBe("waiting");

    valueOf(await world.command("confirm", read.replyId));
    await climb(2);

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", recoveryLevel: 0, errorCount: 0 });
    expect(goal.attempts.at(-1)).toMatchObject({ ladder: 2, rung: 1, number: 1, end: "passed" });
    expect((await world.command("confirm", read.replyId)).type).toBe("refused");
  });

  it("Skip defers, Manual leaves it to a person, and approve means Retry [C-64]", async () => {
    const { goalId, id } = await escalated();
    valueOf(await world.command("reply", id, "skip"));
    expect(await shown(goalId)).toMatchObject({ status: "deferred" });
    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    for (const each of await questions()) await world.command("approve", each.checkpointId);
    await climb();
    const [again] = await questions();
    valueOf(await world.command("approve", again?.checkpointId ?? ""));
    expect((await shown(goalId)).recoveryLevel).toBe(0);
    await climb();
    const [third] = await questions();
    valueOf(await world.command("answer", third?.checkpointId ?? "", "Manual"));
    expect(await shown(goalId)).toMatchObject({ status: "manual_followup" });
    expect(await resultOf(goalId)).toMatchObject({
      success: false,
      error: "Left to a person by ana.",
      checkpointPending: false,
    });
  });

  it("may be retried twice; after that Retry is not offered any more", async () => {
    const { goalId } = await escalated();
    for (const number of [1, 2]) {
      const [asked] = await questions();
      expect(asked?.options.map((each) => each.label)).toContain("Retry");
      valueOf(await world.command("answer", asked?.checkpointId ?? "", "Retry"));
      await climb();
      expect((await shown(goalId)).attempts.length).toBeGreaterThan(6 * number);
    }
    const [last] = await questions();

    expect(last?.options.map((each) => each.label)).toEqual(["Skip", "Manual"]);
    expect((await world.command("approve", last?.checkpointId ?? "")).type).toBe("refused");
  });

  it("two people who say different things see that, and the first that is confirmed counts", async () => {
    const { goalId, id } = await escalated(instructed);
    const one = valueOf<{ replyId: string }>(await world.command("reply", id, "retry: use src/events/bus.ts"));
    const two = valueOf<{ replyId: string }>(await world.as({ actor: "@bo" }, "reply", id, "let's skip this one"));
    const { db } = world.deps.database;
    for (const { replyId } of [one, two]) {
      expect(JSON.stringify((await findMessage(db, "console", "main", replyId))?.card)).toContain("Replies differ. ");
    }

    valueOf(await world.command("confirm", one.replyId));
    const late = await world.command("confirm", two.replyId);
    await climb(2);

    expect(late.type).toBe("refused");
    expect((await findMessage(db, "console", "main", two.replyId))?.card).toMatchObject({
      actions: [],
      state: "not applied: another reply counts",
    });
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  it("whoever writes again replaces what they wrote; No puts it aside; talk is asked back", async () => {
    const { goalId, id } = await escalated();
    const first = valueOf<{ replyId: string }>(await world.command("reply", id, "use b.txt"));
    const second = valueOf<{ replyId: string }>(await world.command("reply", id, "budget 12"));
    expect((await world.command("confirm", first.replyId)).type).toBe("refused");
    valueOf(await world.command("dismiss", second.replyId));
    expect((await world.command("confirm", second.replyId)).type).toBe("refused");
    const unclear = valueOf<{ became: string; replyId: string }>(
      await world.command("reply", id, "should we skip it?"),
    );

    expect(unclear.became).toBe("question");
    const asked = await findMessage(world.deps.database.db, "console", "main", unclear.replyId);
    expect(asked?.card.summary).toContain("Nothing was decided. Say Retry, Skip, Manual, Pause");
    expect((await shown(goalId)).state).toBe("waiting");
  });

  it("a budget in a reply raises the ceiling and retries", async () => {
    const { goalId, id } = await escalated();
    const read = valueOf<{ replyId: string }>(await world.command("reply", id, "raise the budget to $12.50"));
    valueOf(await world.command("confirm", read.replyId));

    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ ceilingUsd: 12.5, recoveryLevel: 0 });
  });

  it("strangers' replies are kept and do nothing; who means to answer is told who may", async () => {
    const { goalId, id } = await escalated();
    const stranger = {
      actor: "@eve",
      via: "slack",
      member: { id: "slack:U0EVE", isActive: true, membership: "member" },
    } as const;
    const said = await world.as(stranger, "reply", id, "retry: rm -rf the lot");
    const prose = await world.as(stranger, "reply", id, "no, use the other table");
    const talk = await world.as(stranger, "reply", id, "thanks!");

    for (const each of [said, prose]) expect(each).toMatchObject({ type: "refused" });
    expect(valueOf(talk)).toMatchObject({ became: "comment" });
    expect(
      (await events(goalId)).some(
        (row) => row.event === "reply.said" && row.detail["text"] === "retry: rm -rf the lot",
      ),
    ).toBe(true);
    expect((await world.deps.database.pool.query("select 1 from cos.replies")).rowCount).toBe(0);
  });

  it("is answered two days later where the policy waits that long; after its end the way to ask again is named", async () => {
    const { goalId, id } = await escalated(instructed);
    await world.deps.database.pool.query("update cos.checkpoints set expires_at = expires_at + interval '2 days'");
    world.advance(48 * 3_600_000);
    await world.tick();
    const read = valueOf<{ replyId: string }>(await world.command("reply", id, "retry: use src/events/bus.ts"));
    world.advance(24 * 3_600_000);
    await world.tick();

    expect(await world.command("confirm", read.replyId)).toMatchObject({
      type: "refused",
      next: `cos goal resume ${goalId}`,
    });
    const late = await world.command("reply", id, "retry: use src/events/bus.ts");
    expect(late).toMatchObject({ type: "refused", next: `cos goal resume ${goalId}` });
    expect(await shown(goalId)).toMatchObject({ status: "blocked", state: "parked" });
    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    await world.work();
    expect((await questions()).map((each) => each.kind)).toEqual(["start"]);
  });

  it("reminds once after 30 minutes unless somebody has seen it, and status says when a person was asked [S4-RM-15]", async () => {
    const { id } = await escalated();
    await world.deliver();
    const { db } = world.deps.database;
    const reminded = (number: number) => findMessage(db, "console", "main", `${id}.reminder.${number}`);
    const [asked] = await questions();
    const dueAt = new Date(asked?.createdAt ?? "").getTime() + 30 * 60_000;
    world.advance(dueAt - 1000 - world.deps.now().getTime());
    await world.tick();
    expect(await reminded(1)).toBeNull();
    world.advance(1000);
    await world.tick();
    expect((await reminded(1))?.threadSubject).toBe(id);
    world.advance(31 * 60_000);
    await world.tick();
    expect(await reminded(2)).toBeNull();
    const status = valueOf<{ escalations: object[] }>(await world.command("status"));
    expect(status.escalations).toMatchObject([{ checkpointId: id, isInTime: true, acknowledgedBy: null }]);

    valueOf(await world.command("answer", id, "Acknowledge"));
    expect((await questions())[0]?.checkpointId).toBe(id);
    expect((await findMessage(db, "console", "main", id))?.card).toMatchObject({ state: "seen by ana" });
  });

  it("that somebody takes care of is not reminded of", async () => {
    const { id } = await escalated();
    valueOf(await world.command("answer", id, "acknowledge"));
    world.advance(31 * 60_000);
    await world.tick();

    expect(await findMessage(world.deps.database.db, "console", "main", `${id}.reminder.1`)).toBeNull();
  });
});

describe("the circuit breaker (D20)", () => {
  it("pauses the session after three goals in a row that ended failed: nothing more is tried; a success resets; who resumed is kept [S4-RM-04, S4-RM-05, S4-RM-06]", async () => {
    const goalIds = [await agentGoal([{ match: ["Good one"], ...writes }, fails("boom")])];
    for (const text of ["Two", "Good one", "Three", "Four", "Five", "Six"])
      goalIds.push(valueOf<{ goalId: string }>(await world.command("goal", "add", text)).goalId);
    const skipOne = async () => {
      await climb();
      const open = (await questions()).filter((each) => each.kind === "escalation");
      for (const each of open) valueOf(await world.command("reject", each.checkpointId));
    };
    for (let number = 0; number < 5; number += 1) await skipOne();

    const open = await questions();
    expect(open.map((each) => each.kind)).toEqual(["breaker"]);
    expect(open[0]?.context).toBe("3 goals in a row ended failed");
    const isTried = await Promise.all(goalIds.map(async (goalId) => (await shown(goalId)).attempts.length > 0));
    expect(isTried).toEqual([true, true, true, true, true, true, false]);
    const { rows } = await world.deps.database.pool.query(
      "select status, jsonb_array_length(failed_in_row) as failure_streak from cos.sessions where status <> 'ended'",
    );
    expect(rows).toEqual([{ status: "paused", failure_streak: 3 }]);

    valueOf(await world.as({ actor: "@bo" }, "answer", open[0]?.checkpointId ?? "", "Resume"));
    const after = await world.deps.database.pool.query(
      "select status, jsonb_array_length(failed_in_row) as failure_streak from cos.sessions where status <> 'ended'",
    );
    expect(after.rows).toEqual([{ status: "running", failure_streak: 0 }]);
  });
});

describe("an agent that wants to give up [S2-ES-02]", () => {
  const giveUp = (text: string) => ({
    steps: [{ write: { path: ".cos/give-up.md", content: text } }, { say: "I give up." }],
  });
  const enough =
    "GOAL\n1. used the bus → failed: not exported\n2. used events → failed: other pattern\n3. imported it → failed: circular\nHypothesis: the goal contradicts the code\nOptions:\n1. change the goal\n2. export it\n";

  it("is sent back once with what is missing, and heard with enough evidence", async () => {
    const goalId = await agentGoal([
      { match: ["You wanted to give up", "at least 3 attempts, each with how it failed; found 2"], ...giveUp(enough) },
      giveUp(enough.replace(/3\. .*\n/, "")),
    ]);
    await climb(3);

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", attempts: [{ rung: 1, number: 1 }] });
    expect((await events(goalId)).filter((row) => row.event === "recovery.sent-back").length).toBe(1);
    const [asked] = await questions();
    expect(asked?.facts.details).toContain("Hypothesis: the goal contradicts the code");
    expect(asked?.facts.details).toContain("2. used events → failed: other pattern");
  });
});

describe("an agent that gives up again after it was sent back", () => {
  it("has failed: nothing is complete, and in the end a person is asked (D19)", async () => {
    const give = [{ write: { path: ".cos/give-up.md", content: "I cannot do it." } }, { say: "I give up." }];
    const goalId = await agentGoal([{ steps: give }]);
    await climb(8);

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting" });
    expect(goal.attempts.map(({ number, end, error }) => [number, end, error])).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => [number, "work", "the agent gave up: I cannot do it."]),
    );
    expect((await events(goalId)).filter((row) => row.event === "recovery.sent-back").length).toBe(1);
    expect((await questions()).map((each) => each.kind)).toEqual(["escalation"]);
  });
});

describe("cut short in the middle", () => {
  it("costs no attempt and no rung at any rung, and due times hold (D8)", async () => {
    const goalId = await agentGoal([fails("boom")]);
    const { db, pool } = world.deps.database;
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      // A worker claims the goal and dies; another one goes on.
      const before = await shown(goalId);
      const claimed = await claimGoal(db, { leasedBy: "elsewhere/1/1", forMs: 1, now: world.deps.now() });
      await pool.query("update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null");
      expect((await shown(goalId)).attempts.length).toBe(before.attempts.length);
      if (claimed === null && before.state !== "waiting") world.advance(20_000);
      await world.work();
    }
    await climb(4);

    expect((await shown(goalId)).attempts.map((each) => each.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await questions()).map((each) => each.kind)).toEqual(["escalation"]);
  });
});
