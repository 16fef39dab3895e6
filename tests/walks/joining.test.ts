import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import type { CommandResult } from "../../src/commands/command.ts";
import { listRepositories, lockRepository } from "../../src/db/repositories.ts";
import { cardWords, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** Goals that are added while a session is open (D37), and what is not in its plan. */

interface Added {
  goalId: string;
  goalIds: string[];
  sessionId: string | null;
  places: { goalId: string; position: number }[];
  sessionGoals: number;
  questions: number;
}

interface SessionValue {
  sessionId: string;
  state: string;
  budgetUsd: number;
  results: { goalId: string; status: string; content: string }[];
}

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
  await world.repository();
});
afterEach(() => world.close());

const run = ["--run", "echo x >> x.txt"];
const add = async (text: string, ...options: string[]): Promise<Added> =>
  valueOf<Added>(await world.command("goal", "add", text, ...run, ...options));
const asked = async () =>
  valueOf<{ checkpointId: string; goalId: string; triggers: string[] }[]>(await world.command("checkpoints"));
const triggersOf = async (goalId: string): Promise<string[]> =>
  (await asked()).find((each) => each.goalId === goalId)?.triggers ?? [];

async function session(): Promise<SessionValue> {
  const [found] = valueOf<{ sessions: SessionValue[] }>(await world.command("autopilot", "status")).sessions;
  if (found === undefined) throw new Error("no session");
  return found;
}

async function said(...words: string[]): Promise<string> {
  const result = await world.command(...words);
  return result.type === "refused" ? `${result.reason} | ${result.next}` : terminalLines(result.card, "UTC").join("\n");
}

/** Does both while the repository is locked by somebody else: they wait for it one behind the other. */
async function inTheQueue(...calls: (() => Promise<CommandResult>)[]): Promise<[CommandResult, CommandResult]> {
  const { database } = world.deps;
  const called: Promise<CommandResult>[] = [];
  await database.transaction(async (tx) => {
    const [repository] = await listRepositories(tx);
    await lockRepository(tx, repository?.repositoryId ?? "");
    for (const call of calls) {
      called.push(call());
      await waiting(called.length);
    }
  });
  return (await Promise.all(called)) as [CommandResult, CommandResult];
}

/** Until so many wait for a lock. */
async function waiting(number: number): Promise<void> {
  for (;;) {
    const { rows } = await world.deps.database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length === number) return;
  }
}

const cardOf = (subject: string): Promise<string> => cardWords(world, subject);

describe("a goal that is added while a session is open", () => {
  it("joins it at its place by priority, and the answer and the session's card say so [F-117]", async () => {
    const first = await add("first", "--tag", "ui");
    await add("low", "--priority", "low");
    valueOf(await world.command("autopilot", "start", "--budget", "7"));
    const { sessionId } = await session();

    const answer = await said("goal", "add", "joined", ...run);
    const high = await add("urgent", "--priority", "high");

    expect(answer).toContain(`It joins the session that is open (${sessionId}): position 2 of 3`);
    expect(high).toMatchObject({ sessionId, places: [{ position: 1 }], sessionGoals: 4, questions: 0 });
    expect((await session()).results.map((each) => each.content)).toEqual(["urgent", "first", "joined", "low"]);
    expect(await cardOf(sessionId)).toContain("next: joined · joined later");
    expect(await cardOf(sessionId)).not.toContain("first · joined later");
    expect(world.rung.at(-1)).toBe("run-goal");
    await world.work();
    expect(await session()).toMatchObject({ sessionId, budgetUsd: 7 });
    expect((await session()).results.filter((each) => each.status === "complete").map((each) => each.content)).toEqual([
      "urgent",
      "joined",
      "low",
    ]);
    expect((await asked()).map((each) => each.goalId)).toEqual([first.goalId]);
  });

  it("joins one that was opened while it was added, and one that is opened takes what was added meanwhile", async () => {
    const first = await add("first");
    const starting = await inTheQueue(
      () => world.command("autopilot", "start"),
      () => world.command("goal", "add", "second", ...run),
    );
    expect(starting).toMatchObject([{ type: "done", value: { goals: 1 } }, { type: "done" }]);
    const { sessionId, results } = await session();
    expect(valueOf<Added>(starting[1])).toMatchObject({ sessionId, places: [{ position: 2 }], sessionGoals: 2 });
    expect(results.map((each) => each.content)).toEqual(["first", "second"]);
    await world.work();

    await add("third");
    const adding = await inTheQueue(
      () => world.command("goal", "add", "fourth", "--tag", "ui", ...run),
      () => world.command("autopilot", "start"),
    );
    expect(adding).toMatchObject([
      { type: "done", value: { sessionId: null } },
      { type: "done", value: { goals: 2, questions: 1 } },
    ]);
    expect((await session()).results.map((each) => each.content)).toEqual(["third", "fourth"]);
    expect((await asked()).map((each) => each.goalId)).not.toContain(first.goalId);
  });

  it("opens one with goals that are named when the open one ends while the repository is waited for", async () => {
    await add("first");
    valueOf(await world.command("autopilot", "start"));
    const { sessionId } = await session();
    const { goalId } = await add("second");
    await world.deps.database.pool.query("update cos.goals set session_id = null where goal_id = $1", [goalId]);
    const { database } = world.deps;
    const called: Promise<CommandResult>[] = [];
    await database.transaction(async (tx) => {
      const [repository] = await listRepositories(tx);
      await lockRepository(tx, repository?.repositoryId ?? "");
      called.push(world.command("autopilot", "start", "--goal", goalId));
      await waiting(1);
      await database.pool.query(
        "update cos.sessions set status = 'ended', end_reason = 'Over.', ended_at = now() where session_id = $1",
        [sessionId],
      );
    });

    expect(await called[0]).toMatchObject({ type: "done", value: { goals: 1, joined: false } });
  });

  it("is asked about ahead as the others were, and the open cards count it [F-117, F-116]", async () => {
    const first = await add("first", "--tag", "ui");
    valueOf(await world.command("autopilot", "start"));
    const [question] = await asked();

    const second = await add("second", "--tag", "architecture");
    const third = await add("third");

    expect(second.questions).toBe(1);
    expect(await triggersOf(second.goalId)).toEqual(["architecture"]);
    expect(await triggersOf(third.goalId)).toEqual([]);
    expect(question?.goalId).toBe(first.goalId);
    expect(await cardOf(question?.checkpointId ?? "")).toContain("No other goal waits for this answer; 1 goes on.");
  });

  it("joins with a list, in the list's order and by priority [F-117]", async () => {
    await add("first", "--tag", "ui");
    valueOf(await world.command("autopilot", "start"));
    const file = join(world.dataDir, "goals.yaml");
    await writeFile(
      file,
      "- { text: one, run: 'true' }\n- { text: two, run: 'true', priority: high }\n- { text: three, run: 'true' }\n",
    );

    const answer = await said("goal", "add", "--from", file);

    expect((await session()).results.map((each) => each.content)).toEqual(["two", "first", "one", "three"]);
    expect(answer).toMatch(
      /They join the session that is open \(session-[0-9a-f]{8}\): .* at position 4 of 4; no questions/,
    );
  });

  it("joins one that is paused and is worked when that goes on [F-117]", async () => {
    await add("first", "--tag", "ui");
    valueOf(await world.command("autopilot", "start"));
    valueOf(await world.command("autopilot", "pause"));

    const answer = await said("goal", "add", "second", ...run);
    await world.work();

    expect(answer).toContain("position 2 of 2; no questions before you go; it is paused by ana: cos autopilot resume");
    expect((await session()).results[1]).toMatchObject({ status: "pending" });
    valueOf(await world.command("autopilot", "resume"));
    await world.work();
    expect((await session()).results[1]).toMatchObject({ status: "complete" });
  });

  it("keeps a session open that had nothing left but a question [F-117]", async () => {
    await add("first", "--tag", "ui");
    valueOf(await world.command("autopilot", "start"));
    await world.work();

    await add("second");
    await world.work();

    expect((await session()).results.map((each) => each.status)).toEqual(["blocked", "complete"]);
    expect(await session()).toMatchObject({ state: "running" });
  });

  it("waits for the next one when it is stopping, when it is a night, and when none is open [F-117]", async () => {
    expect(await said("goal", "add", "none", ...run)).toContain(
      "It waits for the next session: cos autopilot start --repo person",
    );
    const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
    await world.deps.database.pool.query("update cos.sessions set stopping = true");
    expect(await said("goal", "add", "stopping", ...run)).toContain(
      `${sessionId} stops after its current goal. It waits for the next session: cos autopilot start --repo person`,
    );
    await world.deps.database.pool.query("update cos.sessions set stopping = false");
    await world.work();

    const night = valueOf<{ sessions: string[] }>(await world.command("night"));
    const late = await add("late");
    const answer = await said("goal", "add", "later", ...run);
    expect(late).toMatchObject({ sessionId: null });
    expect(answer).toContain(`${night.sessions[0]} is a night's contract and works its own plan.`);
    expect(answer).toMatch(/into this one by name: cos autopilot start --goal goal-[0-9a-f]{8}/);
    expect((await session()).results.map((each) => each.content)).not.toContain("late");
    const named = await said("autopilot", "start", "--goal", late.goalId);
    expect(named).toContain("which is open");
    expect((await session()).results.map((each) => each.content)).toContain("late");
  });
});

describe("what is not in the plan", () => {
  it("a goal that a person adds to an open session is no surprise, in one way or the other [F-118]", async () => {
    await add("first", "--tag", "ui");
    const older = await add("older");
    valueOf(await world.command("goal", "pause", older.goalId));
    valueOf(await world.command("autopilot", "start"));

    const joined = await add("joined");
    valueOf(await world.command("goal", "resume", older.goalId));

    expect(await triggersOf(joined.goalId)).toEqual([]);
    expect(await triggersOf(older.goalId)).toEqual([]);
    await world.work();
    expect((await asked()).map((each) => each.triggers)).toEqual([["ux_change"]]);
  });

  it("one that was added as unplanned is asked about, in every session [F-118]", async () => {
    await add("first", "--tag", "ui");
    valueOf(await world.command("autopilot", "start"));

    const { goalId } = await add("surprise", "--unplanned");
    expect(await triggersOf(goalId)).toEqual(["scope_change"]);
    valueOf(await world.command("autopilot", "stop"));
    valueOf(await world.command("autopilot", "start"));
    expect(await triggersOf(goalId)).toEqual(["scope_change"]);
  });

  it("one that was changed in a session, or named into a night, is so in that session only [F-118]", async () => {
    const changed = await add("changed", "--tag", "ui");
    valueOf(await world.command("autopilot", "start"));
    valueOf(await world.command("goal", "edit", changed.goalId, "--text", "changed twice"));
    expect(await triggersOf(changed.goalId)).toEqual(["ux_change", "scope_change"]);
    valueOf(await world.command("autopilot", "stop"));
    valueOf(await world.command("night", "--goal", changed.goalId));
    expect(await triggersOf(changed.goalId)).toEqual(["ux_change"]);

    const named = await add("named");
    valueOf(await world.command("autopilot", "start", "--goal", named.goalId));
    expect(await triggersOf(named.goalId)).toEqual(["scope_change"]);
    valueOf(await world.command("night", "end"));
    valueOf(await world.command("autopilot", "stop"));
    valueOf(await world.command("autopilot", "start"));
    expect(await triggersOf(named.goalId)).toEqual([]);
  });
});
