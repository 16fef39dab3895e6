import { afterEach, beforeEach, expect, it } from "vitest";
import { remediesFor, triedUnder } from "../../src/db/attempts.ts";
import { type Database, openDatabase } from "../../src/db/connection/client.ts";
import { attempts, goals, repositories, runs } from "../../src/db/schema/index.ts";
import { freshDatabase, type FreshDatabase } from "../fakes/database.ts";

/** What was tried under a failure, and what helped other goals out of it. */

const at = new Date("2026-03-01T12:00:00Z");

let place: FreshDatabase;
let database: Database;
beforeEach(async () => {
  place = await freshDatabase();
  database = openDatabase(place.url, () => undefined);
  for (const name of ["shop", "blog"])
    await database.db.insert(repositories).values({
      repositoryId: name,
      name,
      location: `/nowhere/${name}`,
      baseBranch: "main",
      setup: null,
      checks: [],
      createdAt: at,
    });
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

/** A goal with one run, whose attempts had these approaches. Each failed alike, except the last where it `isHelped`. */
async function addGoal(goalId: string, repositoryId: string, tried: readonly string[], isHelped = true): Promise<void> {
  const runId = `run-${goalId}`;
  await database.db.insert(goals).values({
    goalId,
    repositoryId,
    content: "Do it",
    tags: [],
    priority: "medium",
    linkage: { kind: "none" },
    filesAllowed: [],
    proofAllowed: [],
    instructions: [],
    isUnplanned: false,
    status: "pending",
    phase: "start",
    createdBy: "ana",
    createdAt: at,
    updatedAt: at,
  });
  await database.db
    .insert(runs)
    .values({ runId, goalId, status: "ended", contentHash: "h", settled: [], startedAt: at, endedAt: at });
  const rows = tried.map((approach, index): typeof attempts.$inferInsert => {
    const isPassed = isHelped && index === tried.length - 1;
    return {
      goalId,
      runId,
      turn: index + 1,
      ladder: 1,
      rung: 1,
      number: index + 1,
      approach,
      instruction: isPassed ? `Go about it so: ${approach}` : null,
      end: isPassed ? "passed" : "work",
      error: isPassed ? "" : "it failed",
      fingerprint: isPassed ? "" : "alike",
      criteria: [],
      files: [],
      costMicroUsd: 0,
      costIsEstimated: false,
      at,
    };
  });
  await database.db.insert(attempts).values(rows);
}

it("remedies come newest first, each once, and none is left out because of its name", async () => {
  for (const [index, approach] of ["e", "a", "d", "b", "c", "a"].entries())
    await addGoal(`goal-${index}`, "shop", ["as asked", approach]);

  const found = await remediesFor(database.db, { fingerprint: "alike", repositoryId: "shop", goalId: "goal-other" });

  expect(found.map(({ approach, goalId }) => [approach, goalId])).toEqual([
    ["a", "goal-5"],
    ["c", "goal-4"],
    ["b", "goal-3"],
    ["d", "goal-2"],
    ["e", "goal-0"],
  ]);
});

it("a failure that another repository has all the time hides nothing of this one", async () => {
  await addGoal("goal-here", "shop", ["as asked", "in small steps"]);
  const often = Array.from({ length: 600 }, () => "as asked");
  await addGoal("goal-there", "blog", often, false);

  const alike = { fingerprint: "alike", repositoryId: "shop" };
  const tried = await triedUnder(database.db, alike);
  const remedies = await remediesFor(database.db, { ...alike, goalId: "goal-other" });

  expect(tried.map(({ goalId }) => goalId)).toEqual(["goal-here"]);
  expect(remedies.map(({ approach }) => approach)).toEqual(["in small steps"]);
});
