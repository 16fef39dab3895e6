import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "../../src/db/connection/drizzle.ts";
import { keepOrWrite } from "../../src/db/connection/later.ts";
import { asJson, inserting } from "../../src/db/connection/rows.ts";
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

const adding = inserting(timeline, ["goalId", "event", "actor", "detail", "at"]);
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
  });

  it("takes a text of SQL for what it is, also one that is another one each time", () => {
    const soon = constant(sql`clock_timestamp() + ${5} * interval '1 second'`);
    for (const more of [1, 2]) expectAsDrizzle(changing, { errorCount: sql`${goals.errorCount} + ${more}` }, "goal-1");
    for (const content of ["a", "b"]) expectAsDrizzle(changing, { errorCount: soon, content }, "goal-1");
  });

  it("goes with others as one statement, each with its own values, in the order in which they were kept", async () => {
    const { text, values } = asOne([
      written(adding, { json: asJson([event({ n: 1 }), event({ n: 2 })]) }),
      written(changing, { content: "a" }, "goal-none"),
      written(adding, { json: asJson([event({ n: 3 })]) }),
    ]);
    const { pool } = world.deps.database;
    await pool.query(text, [...values]);

    const { rows } = await pool.query("select detail->>'n' as n from cos.timeline order by timeline_id");
    expect(rows.map(({ n }) => String(n))).toEqual(["1", "2", "3"]);
  });
});

describe("rows that go as one value", () => {
  it("are what they are, in their order, whatever they say and leave away", async () => {
    const rows = [
      { ...event({ text: "it's \\ud83d, $1 and \n \u{1f600}", none: null }), goalId: null, actor: 'a "b" \\' },
      { ...event({ deep: { list: [1, "x"] } }), goalId: "goal-1" },
      { ...event({ broken: "a\ud83d" }), actor: "b\ude00c" },
      { ...event({ empty: "a\u0000", text: "\\u0000" }), actor: "b\u0000c" },
    ];
    const { text, values } = written(adding, { json: asJson(rows) });
    await world.deps.database.pool.query(text, [...values]);

    const found = await world.deps.database.db.select().from(timeline).orderBy(timeline.timelineId);
    expect(found.map(({ goalId, actor, detail, at: moment }) => ({ goalId, actor, detail, at: moment }))).toEqual([
      { goalId: null, actor: 'a "b" \\', detail: { text: "it's \\ud83d, $1 and \n \u{1f600}", none: null }, at },
      { goalId: "goal-1", actor: null, detail: { deep: { list: [1, "x"] } }, at },
      { goalId: null, actor: "b\ufffdc", detail: { broken: "a\ufffd" }, at },
      { goalId: null, actor: "b\ufffdc", detail: { empty: "a\ufffd", text: "\\u0000" }, at },
    ]);
  });

  it("are one text, however many they are", () => {
    const textOf = (rows: readonly Event[]) => written(adding, { json: asJson(rows) }).text;
    expect(textOf([event({}), event({})])).toBe(textOf([event({ a: 1 })]));
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
