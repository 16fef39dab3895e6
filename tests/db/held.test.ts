import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Goal } from "../../src/core/goals/goal.ts";
import type { TransitionName, Transition } from "../../src/core/goals/transition-arguments.ts";
import { transitions } from "../../src/core/goals/transitions.ts";
import { getCheckpoint, settleCheckpoint } from "../../src/db/checkpoints.ts";
import type { Db } from "../../src/db/connection/client.ts";
import { keptRows } from "../../src/db/connection/later.ts";
import { getGoal, lockGoal, updateGoal } from "../../src/db/goals.ts";
import { lockQuestion } from "../../src/db/questions.ts";
import { getRun, insertRun, updateRun } from "../../src/db/runs.ts";
import { goals } from "../../src/db/schema/index.ts";
import { sessionRows } from "../../src/db/session-rows.ts";
import { lockSession } from "../../src/db/sessions.ts";
import { applyTransition } from "../../src/db/transitions.ts";
import { noteRows, wholeSession, wholeSessionIn } from "../../src/facts/held.ts";
import { freshId } from "../../src/deps.ts";
import { openSession } from "../../src/turns/goal/sessions.ts";
import { askAbout } from "../../src/turns/shared/ask-about.ts";
import { beginRun } from "../../src/turns/shared/begin-run.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { examples, standings } from "../fixtures/goal-transitions.ts";

/** What a transaction knows of rows that it holds: it writes them late, and sees them as it will leave them. */

let world: TestWorld;
let sessionId: string;
let repository: string;
let asked: { readonly goalId: string; readonly checkpointId: string };
let goalId: string;
beforeAll(async () => {
  world = await testWorld();
  repository = await world.repository();
  const add = async (...options: string[]) => {
    const added = await world.command("goal", "add", "Ask", "--repo", repository, "--run", "true", ...options);
    return valueOf<{ goalId: string }>(added).goalId;
  };
  const first = await add("--tag", "ui");
  goalId = await add();
  valueOf(await world.command("autopilot", "start"));
  const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
  asked = { goalId: first, checkpointId: question?.checkpointId ?? "" };
  sessionId = (await getGoal(world.deps.database.db, goalId))?.sessionId ?? "";
});
afterAll(() => world.close());

/** Reads the session as one who has it locked, and notes that it has. */
async function seeSession(tx: Db): Promise<void> {
  noteRows(tx, await sessionRows(tx, sessionId));
}

const undone = new Error("nothing of this is kept");

/** Runs work in a transaction that is not kept. */
async function tried(work: (tx: Db) => Promise<void>): Promise<void> {
  const taken = world.deps.database.transaction(async (tx) => {
    await work(tx);
    throw undone;
  });
  await expect(taken).rejects.toBe(undone);
}

describe("a session at the end of a transaction is as what that keeps will leave it", () => {
  const names = (Object.keys(transitions) as TransitionName[]).filter((name) => name !== "isClaimed");

  it.each(names)("after %s of a goal that is held, whether it was seen before or not", async (name) => {
    const [given] = examples[name];
    for (const isSeen of [false, true])
      for (const state of transitions[name].from) {
        const [standing] = standings[state];
        await tried(async (tx) => {
          await lockSession(tx, sessionId);
          await tx
            .update(goals)
            .set({ ...standing, runId: "run-1", turn: 9 })
            .where(eq(goals.goalId, goalId));
          const goal = await lockGoal(tx, goalId);
          if (goal === null) throw new Error("the goal is gone");
          if (isSeen) await seeSession(tx);
          await applyTransition(tx, goal, { type: name, ...given } as Transition, { updatedAt: world.deps.now() });
          expect(keptRows(tx).changes("goals").size).toBe(1);

          const over = await wholeSessionIn(tx, sessionId);
          expect(keptRows(tx).changes("goals").size).toBe(1);
          const read = await wholeSession(tx, sessionId);

          expect(keptRows(tx).changes("goals").size).toBe(0);
          expect(over).toEqual(read);
        });
      }
  });

  it("after an answer, and after a question", async () => {
    await tried(async (tx) => {
      const locked = await lockQuestion(tx, asked.checkpointId);
      await seeSession(tx);
      const settlement = { status: "superseded", chosenOption: null, humanNotes: null } as const;
      const by = { resolvedBy: null, resolvedVia: null, resolvedAt: world.deps.now() };
      const version = locked?.checkpoint.version ?? 0;

      expect(await settleCheckpoint(tx, asked.checkpointId, version + 1, { ...settlement, ...by })).toBe(false);
      expect(await settleCheckpoint(tx, asked.checkpointId, version, { ...settlement, ...by })).toBe(true);
      expect(await settleCheckpoint(tx, asked.checkpointId, version, { ...settlement, ...by })).toBe(false);

      const over = await wholeSessionIn(tx, sessionId);
      expect(over?.questions).toEqual([]);
      expect(over).toEqual(await wholeSession(tx, sessionId));
      expect(await getCheckpoint(tx, asked.checkpointId)).toMatchObject({ status: "superseded" });
    });
    await tried(async (tx) => {
      await lockSession(tx, sessionId);
      const goal = await lockGoal(tx, goalId);
      if (goal === null) throw new Error("the goal is gone");
      await question(tx, goal);

      const over = await wholeSessionIn(tx, sessionId);
      expect(keptRows(tx).added("checkpoints")).toHaveLength(1);
      expect(over?.questions.map((each) => each.subject)).toEqual([asked.goalId, goalId]);
      const read = await wholeSession(tx, sessionId);
      // Both were asked in one moment.
      expect(over?.questions.toSorted(byId)).toEqual(read?.questions.toSorted(byId));
      expect({ ...over, questions: [] }).toEqual({ ...read, questions: [] });
    });
  });

  it("after it was opened, with what was asked ahead", async () => {
    const other = await world.repository();
    const add = async (...options: string[]) => {
      const added = await world.command("goal", "add", "Later", "--repo", other, "--run", "true", ...options);
      return valueOf<{ goalId: string }>(added).goalId;
    };
    const goalIds = [await add("--tag", "ui"), await add(), await add("--tag", "ui")];
    const repositoryId = (await getGoal(world.deps.database.db, goalIds[0] ?? ""))?.repositoryId ?? "";
    await tried(async (tx) => {
      const opened = await openSession(tx, world.deps, {
        repositoryId,
        kind: "plain",
        goalIds,
        budgetMicroUsd: 7_000_000,
        onLimit: "wait",
        inOrder: true,
        baseCommit: "0123",
        worklogFlags: null,
        startedBy: "Ada",
        via: "terminal",
      });
      expect(opened.questions).toBe(2);
      const over = await wholeSessionIn(tx, opened.sessionId);
      expect(keptRows(tx).added("checkpoints")).toHaveLength(2);
      const read = await wholeSession(tx, opened.sessionId);

      expect(over?.questions.toSorted(byId)).toEqual(read?.questions.toSorted(byId));
      expect({ ...over, questions: [] }).toEqual({ ...read, questions: [] });
    });
  });

  it("reads again what the transaction itself has changed, and what it has not locked", async () => {
    await tried(async (tx) => {
      await lockSession(tx, sessionId);
      await seeSession(tx);
      await updateGoal(tx, goalId, { content: "Other words", updatedAt: world.deps.now() });

      const over = await wholeSessionIn(tx, sessionId);

      expect(over?.goals.map(({ content }) => content)).toContain("Other words");
    });
    await tried(async (tx) => {
      await seeSession(tx);
      await world.deps.database.pool.query("update cos.goals set content = 'Changed beside' where goal_id = $1", [
        goalId,
      ]);

      const over = await wholeSessionIn(tx, sessionId);

      expect(over?.goals.map(({ content }) => content)).toContain("Changed beside");
    });
  });
});

describe("a row that is new in its transaction", () => {
  it("is written with what is changed of it before the end", async () => {
    await tried(async (tx) => {
      await lockSession(tx, sessionId);
      const goal = await lockGoal(tx, goalId);
      if (goal === null) throw new Error("the goal is gone");
      const runId = await beginRun(tx, world.deps, goal, { baseCommit: null });
      await updateRun(tx, runId, { feedback: "It was sent back." });
      await updateRun(tx, runId, { ladder: 3 });
      expect(keptRows(tx).added("runs")).toHaveLength(1);

      expect(await getRun(tx, runId)).toMatchObject({ goalId, feedback: "It was sent back.", ladder: 3 });
      expect(keptRows(tx).added("runs")).toHaveLength(0);
    });
  });
});

describe("what is written with the end of a transaction", () => {
  it("is written in the order in which it was asked for, however much it is", async () => {
    const list = join(world.dataDir, "list.json");
    const wanted = Array.from({ length: 600 }, (_, index) => `Listed ${index}`);
    await writeFile(list, JSON.stringify(wanted.map((text) => ({ text, run: "true" }))));
    const other = await world.repository();
    valueOf(await world.command("goal", "add", "--repo", other, "--from", list));

    const { rows } = await world.deps.database.pool.query<{ content: string }>(
      "select content from cos.goals where content like 'Listed %' order by position",
    );

    expect(rows.map(({ content }) => content)).toEqual(wanted);
  });

  it("ends a goal's run before another one of it begins", async () => {
    await tried(async (tx) => {
      await lockSession(tx, sessionId);
      const goal = await lockGoal(tx, asked.goalId);
      if (goal?.runId == null) throw new Error("the goal has no run");
      const start = { baseCommit: null, recorded: null, byContract: [] };
      await updateRun(tx, goal.runId, { status: "ended", endedAt: world.deps.now() });
      const runId = await beginRun(tx, world.deps, goal, start);
      expect(keptRows(tx).added("runs")).toHaveLength(1);

      expect(await getRun(tx, goal.runId)).toMatchObject({ status: "ended" });
      expect(await getRun(tx, runId)).toMatchObject({ status: "open" });
    });
  });

  it("has no id twice", async () => {
    await tried(async (tx) => {
      const run = {
        runId: "run-twice",
        goalId,
        status: "open",
        contentHash: "x",
        settled: [],
        startedAt: new Date(),
      } as const;
      expect(await insertRun(tx, { ...run, settled: [] })).toBe(true);
      expect(await insertRun(tx, { ...run, settled: [], contentHash: "y" })).toBe(false);
      expect(await getRun(tx, "run-twice")).toMatchObject({ contentHash: "x" });
    });
  });
});

describe("a fresh id that is taken after all", () => {
  it("is made again for a goal, a run and a question, and nothing is lost of what they were made with", async () => {
    const { database } = world.deps;
    const { rows } = await database.pool.query<{ run_id: string }>("select run_id from cos.runs");
    const taken = new Map([
      ["goal", asked.goalId],
      ["run", rows[0]?.run_id ?? ""],
      ["cp", asked.checkpointId],
    ]);
    const before = await getCheckpoint(database.db, asked.checkpointId);
    const usual = world.deps.newId;
    const newId = (kind: string) => {
      const id = taken.get(kind) ?? freshId(kind);
      taken.delete(kind);
      return id;
    };
    Object.assign(world.deps, { newId });
    const added = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Fresh", "--repo", repository, "--run", "true", "--tag", "ui"),
    );
    Object.assign(world.deps, { newId: usual });

    expect([...taken]).toEqual([]);
    const goal = await getGoal(database.db, added.goalId);
    expect(goal).toMatchObject({ content: "Fresh", status: "blocked", sessionId });
    expect(await getRun(database.db, goal?.runId ?? "")).toMatchObject({ goalId: added.goalId });
    const questions = valueOf<{ goalId: string }[]>(await world.command("checkpoints"));
    expect(new Set(questions.map((each) => each.goalId))).toEqual(new Set([asked.goalId, added.goalId]));
    expect(await getCheckpoint(database.db, asked.checkpointId)).toEqual(before);
  });
});

describe("a transaction", () => {
  it.each([
    ["a deadlock", "40P01", 2],
    ["a serialization failure", "40001", 2],
    ["another error", "22012", 1],
  ])("that meets %s each time (%s) is worked %i times in all [D9]", async (_, state, runs) => {
    let run = 0;

    const failed = world.deps.database.transaction(async (tx) => {
      run += 1;
      await tx.execute(sql.raw(`do $$ begin raise exception 'met' using errcode = '${state}'; end $$`));
    });

    await expect(failed).rejects.toThrow();
    expect(run).toBe(runs);
  });

  it("that meets a deadlock once is done the second time [D9]", async () => {
    let run = 0;

    const result = await world.deps.database.transaction(async (tx) => {
      run += 1;
      if (run === 1) await tx.execute(sql`do $$ begin raise exception 'met' using errcode = '40P01'; end $$`);
      return run;
    });

    expect(result).toBe(2);
  });
});

function byId(one: { readonly checkpointId: string }, other: { readonly checkpointId: string }): number {
  return one.checkpointId.localeCompare(other.checkpointId);
}

async function question(tx: Db, goal: Goal): Promise<void> {
  const runId = await beginRun(tx, world.deps, goal, { baseCommit: null });
  await askAbout(tx, world.deps, {
    goal,
    runId,
    kind: "start",
    reasons: [{ trigger: "ux_change", context: "It looks different." }],
    details: [],
    fingerprint: null,
    changed: null,
  });
}
