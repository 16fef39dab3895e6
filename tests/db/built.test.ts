import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtOnce } from "../../src/db/connection/built.ts";
import { readTogether } from "../../src/db/connection/client.ts";
import { goals } from "../../src/db/schema/index.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

let world: TestWorld;
const ids: string[] = [];
let built = 0;
const goal = builtOnce<{ goalId: string }, (typeof goals.$inferSelect)[]>((db, place) => {
  built += 1;
  return db
    .select()
    .from(goals)
    .where(eq(goals.goalId, place("goalId")));
});

beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  ids.length = 0;
  for (const content of ["One", "Two", "Three"]) {
    const added = await world.command("goal", "add", content, "--run", "true");
    ids.push(valueOf<{ goalId: string }>(added).goalId);
  }
});
afterEach(() => world.close());

describe("[F-601] a statement that is built once", () => {
  it("answers as one that is built for the question, on each handle, however many are asked at once", async () => {
    const { database } = world.deps;
    const expected = await Promise.all(
      ids.map((goalId) => database.db.select().from(goals).where(eq(goals.goalId, goalId))),
    );
    expect(expected.flat().map((each) => each.content)).toEqual(["One", "Two", "Three"]);

    const apart = await Promise.all(ids.map((goalId) => goal(database.db, { goalId })));
    const together = await readTogether(database.db, (db) => Promise.all(ids.map((goalId) => goal(db, { goalId }))));
    const within = await Promise.all(
      ids.map((goalId) => database.transaction(async (tx) => await goal(tx, { goalId }))),
    );

    expect([apart, together, within]).toEqual([expected, expected, expected]);
    expect(built).toBe(1);
  });

  it("sees what its transaction has changed and nobody else does", async () => {
    const { database } = world.deps;
    const [goalId = ""] = ids;

    const seen = await database.transaction(async (tx) => {
      await tx.update(goals).set({ content: "Another" }).where(eq(goals.goalId, goalId));
      return { inside: await goal(tx, { goalId }), outside: await goal(database.db, { goalId }) };
    });

    expect([seen.inside[0]?.content, seen.outside[0]?.content]).toEqual(["Another", "One"]);
  });

  it("says what was wrong with a value, and is asked again", async () => {
    const { database } = world.deps;
    const [goalId = ""] = ids;

    await expect(goal(database.db, { goalId: "\0" })).rejects.toThrow();

    expect(await goal(database.db, { goalId })).toHaveLength(1);
  });
});
