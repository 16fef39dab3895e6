import { eq, sql } from "drizzle-orm";
import { NodePgDatabase, NodePgSession } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import { dialect, handleOn } from "../../src/db/connection/drizzle.ts";
import { checkpoints, goals, marks, repositories, sessions, timeline } from "../../src/db/schema/index.ts";

const parent = alias(goals, "parent");
const inSession = eq(sessions.sessionId, goals.sessionId);

const statements: Readonly<Record<string, (db: NodePgDatabase) => PromiseLike<unknown>>> = {
  "every column of a table": (db) => db.select().from(goals),
  "columns of every kind": (db) => db.select().from(timeline),
  "columns under other names": (db) => db.select({ id: goals.goalId, at: goals.createdAt }).from(goals),
  "a table that may be missing": (db) => db.select().from(goals).leftJoin(sessions, inSession),
  "tables of which the first may be missing": (db) => db.select().from(goals).rightJoin(sessions, inSession),
  "tables that may both be missing": (db) => db.select().from(goals).fullJoin(sessions, inSession),
  "tables that are both there": (db) => db.select().from(goals).innerJoin(sessions, inSession),
  "a table under another name that may be missing": (db) =>
    db
      .select({ child: goals.goalId, parent, name: repositories.name })
      .from(goals)
      .innerJoin(repositories, eq(repositories.repositoryId, goals.repositoryId))
      .leftJoin(parent, eq(parent.goalId, goals.goalId)),
  "columns of one and of several tables in a part": (db) =>
    db
      .select({
        of: { goal: goals.goalId, session: sessions.sessionId },
        session: { id: sessions.sessionId, at: sessions.startedAt },
      })
      .from(goals)
      .leftJoin(sessions, inSession),
  "values beside columns, in a part, and under a name": (db) =>
    db
      .select({
        count: sql<number>`count(*)`.mapWith(Number),
        text: sql<string>`''`,
        part: { first: sql<number>`1`.mapWith(Number), id: sessions.sessionId, named: sql<string>`''`.as("named") },
        at: sql<Date>`now()`.mapWith(goals.createdAt).as("at"),
      })
      .from(goals)
      .leftJoin(sessions, inSession),
  "a WITH, which may be missing": (db) => {
    const held = db.$with("held").as(db.select().from(checkpoints));
    return db.with(held).select().from(goals).leftJoin(held, eq(held.goalId, goals.goalId));
  },
  "a select in a select": (db) => {
    const inner = db
      .select({ goalId: goals.goalId, isOpen: sql<boolean>`true`.as("is_open") })
      .from(goals)
      .as("inner");
    return db
      .select({ goals, inner: { isOpen: inner.isOpen, goalId: inner.goalId } })
      .from(goals)
      .leftJoin(inner, sql`true`);
  },
  "a value that is a select": (db) =>
    db
      .select({ id: goals.goalId, session: db.select({ at: sessions.startedAt }).from(sessions).as("one") })
      .from(goals),
  "what was inserted": (db) => db.insert(marks).values({ subject: "goal", id: "goal-1", urgency: "now" }).returning(),
  "what was updated, with what it was joined to": (db) =>
    db.update(goals).set({ branch: "b" }).from(sessions).where(inSession).returning(),
  "what was deleted": (db) => db.delete(goals).returning({ id: goals.goalId, at: goals.createdAt }),
  "no selection": (db) => db.execute(sql`select 1`),
};

const width = 80;

/** Values in every mixture with nulls that a mapping may treat by itself: up to each column, from each, and every few. */
const rows = Array.from({ length: width }, (_, count) => [
  valuesWhere((index) => index < count),
  valuesWhere((index) => index >= count),
  valuesWhere((index) => index === count),
  valuesWhere((index) => index % (count + 2) === 0),
]).flat();

function valuesWhere(isNull: (index: number) => boolean): readonly unknown[] {
  // A text that every kind of column reads.
  return Array.from({ length: width }, (_, index) => (isNull(index) ? null : String(1900 + index)));
}

function answering(): Promise<never> {
  return Promise.resolve({ rows, fields: [], command: "SELECT", rowCount: rows.length, oid: 0 } as never);
}

describe("[F-601] rows as a selection says", () => {
  it.each(Object.entries(statements))("are Drizzle's own of %s", async (_, ask) => {
    const itsOwn = new NodePgSession({ query: answering } as never, dialect, undefined);
    const expected = await ask(new NodePgDatabase(dialect, itsOwn, undefined));
    const answered = await ask(handleOn(answering));
    expect(answered).toEqual(expected);
    expect(JSON.stringify(answered)).toBe(JSON.stringify(expected));
  });

  it("a statement that fails says its text, its values and why", async () => {
    const why = new Error("it broke");
    const failed = await handleOn(() => Promise.reject(why))
      .select()
      .from(goals)
      .where(eq(goals.goalId, "goal-1"))
      .catch((error: unknown) => error);
    const itsOwn = new NodePgSession({ query: () => Promise.reject(why) } as never, dialect, undefined);
    const expected = await new NodePgDatabase(dialect, itsOwn, undefined)
      .select()
      .from(goals)
      .where(eq(goals.goalId, "goal-1"))
      .catch((error: unknown) => error);
    expect(failed).toEqual(expected);
    expect(failed).toMatchObject({ cause: why, params: ["goal-1"] });
  });
});
