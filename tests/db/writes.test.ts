import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "../../src/db/connection/drizzle.ts";
import { keepOrWrite } from "../../src/db/connection/later.ts";
import { asOne, type Build, constant, written } from "../../src/db/connection/writes.ts";
import { goals, marks, timeline } from "../../src/db/schema/index.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

/** Writes that are built once for the columns that they say are the ones that Drizzle builds each time. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

type Event = typeof timeline.$inferInsert;
type Change = Partial<Omit<typeof goals.$inferInsert, "errorCount">> & { errorCount?: number | ReturnType<typeof sql> };

const adding: Build<{ rows: readonly Event[] }> = (at, { rows }) => at.insert(timeline).values([...rows]);
const one: Build<Event> = (at, row) => at.insert(timeline).values(row);
const changing: Build<Change> = (at, changes, id) => at.update(goals).set(changes).where(eq(goals.goalId, id));
const removing: Build<{ ids: readonly number[] }> = (at, { ids }) =>
  at.delete(marks).where(sql`${marks.markId} = any(${sql.param(ids)}::bigint[])`);

function expectAsDrizzle<Values extends object>(build: Build<Values>, values: Values, id = ""): void {
  const { sql: text, params } = dialect.sqlToQuery(build(world.deps.database.db, values, id).getSQL());
  // The first time it is built, then it is known.
  for (const _ of [1, 2]) expect(written(build, values, id)).toEqual({ text, values: params });
}

const at = new Date("2026-03-04T05:06:07.890Z");
const event = (detail: Record<string, unknown>): Event => ({ event: "goal.added", detail, at });

describe("a write that is built once", () => {
  it("is Drizzle's, whatever its values are", () => {
    for (const text of ["blue", "", "it's $1 and \\", "line\nline", "\u{1f600}"])
      expectAsDrizzle(changing, { content: text, tags: [text, "ui"], wakeAt: at, priority: "high" }, text);
    for (const detail of [{}, { a: null, b: [1, "x"] }, { deep: { deeper: "$2" } }])
      expectAsDrizzle(one, event(detail));
    expectAsDrizzle(removing, { ids: [3, 1, 2] });
  });

  it("says what is null, leaves out what is undefined, and tells both apart", () => {
    expectAsDrizzle(changing, { branch: null, content: "a" }, "goal-1");
    expectAsDrizzle(changing, { branch: undefined, content: "a" }, "goal-1");
    expectAsDrizzle(changing, { branch: "cos/goal-1", content: "a" }, "goal-1");
    expectAsDrizzle(adding, { rows: [{ ...event({}), goalId: null }, event({ a: 1 }), { ...event({}), goalId: "g" }] });
    expectAsDrizzle(adding, { rows: [event({ a: 1 })] });
  });

  it("takes a text of SQL for what it is, also one that is another one each time", () => {
    const soon = constant(sql`clock_timestamp() + ${5} * interval '1 second'`);
    for (const more of [1, 2]) expectAsDrizzle(changing, { errorCount: sql`${goals.errorCount} + ${more}` }, "goal-1");
    for (const content of ["a", "b"]) expectAsDrizzle(changing, { errorCount: soon, content }, "goal-1");
  });

  it("goes with others as one statement, each with its own values, in the order in which they were kept", async () => {
    const { text, values } = asOne([
      written(adding, { rows: [event({ n: 1 }), event({ n: 2 })] }),
      written(changing, { content: "a" }, "goal-none"),
      written(adding, { rows: [event({ n: 3 })] }),
    ]);
    const { pool } = world.deps.database;
    await pool.query(text, [...values]);

    const { rows } = await pool.query("select detail->>'n' as n from cos.timeline order by timeline_id");
    expect(rows.map(({ n }) => String(n))).toEqual(["1", "2", "3"]);
  });
});

describe("the end of a transaction", () => {
  it("whose last write fails leaves nothing behind, says why, and its connection is used again", async () => {
    const twice = { markId: 7, subject: "goal", id: "goal-1", urgency: "now", notice: null } as const;
    const add: Build<typeof marks.$inferInsert> = (on, row) => on.insert(marks).values(row);

    const tried = world.deps.database.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      for (const _ of [1, 2]) await keepOrWrite(tx, { table: marks, values: twice }, add);
    });

    await expect(tried).rejects.toMatchObject({ message: expect.stringMatching(/duplicate key/) });
    const { rows } = await world.deps.database.pool.query("select 1 from cos.marks");
    expect(rows).toEqual([]);
    expect(await world.deps.database.transaction(async (tx) => (await tx.execute(sql`select 2 as two`)).rows)).toEqual([
      { two: 2 },
    ]);
  });
});
