import { eq, inArray, sql } from "drizzle-orm";
import { NodePgDatabase, NodePgSession } from "drizzle-orm/node-postgres";
import { alias, PgDialect } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import { quickDialect } from "../../src/db/connection/dialect.ts";
import { checkpoints, goals, sessions } from "../../src/db/schema/index.ts";

/** Statements on a dialect, never sent. */
function on(dialect: PgDialect): NodePgDatabase {
  const nobody = { query: () => Promise.reject(new Error("nothing is sent here")) };
  const session = new NodePgSession(nobody as never, dialect, undefined);
  return new NodePgDatabase(dialect, session, undefined);
}

interface Written {
  toSQL(): { readonly sql: string; readonly params: unknown[] };
}

const parent = alias(goals, "parent");

const statements: Readonly<Record<string, (db: NodePgDatabase) => Written>> = {
  "every column of a table": (db) => db.select().from(goals).where(eq(goals.goalId, "goal-1")),
  "columns of several tables": (db) =>
    db.select().from(goals).leftJoin(sessions, eq(sessions.sessionId, goals.sessionId)).limit(3),
  "a table under another name": (db) =>
    db.select({ child: goals.goalId, parent }).from(goals).innerJoin(parent, eq(parent.goalId, goals.goalId)),
  "values among the columns, in their order": (db) =>
    db
      .select({
        before: sql<number>`${1}::int`,
        id: goals.goalId,
        between: sql<string>`coalesce(${goals.branch}, ${"none"})`.as("between"),
        status: goals.status,
        after: sql<number>`${2}::int`,
      })
      .from(goals)
      .where(inArray(goals.status, ["pending", "blocked"])),
  "a value first and a value last, of one table and of two": (db) =>
    db
      .select({ first: sql`${"a"}::text`, id: goals.goalId, last: sql`${"b"}::text` })
      .from(goals)
      .innerJoin(sessions, eq(sessions.sessionId, goals.sessionId)),
  "a WITH": (db) => {
    const held = db.$with("held").as(db.select().from(checkpoints).where(eq(checkpoints.checkpointId, "c")));
    return db.with(held).select().from(held);
  },
  "a select in a select": (db) => {
    const inner = db
      .select({ goalId: goals.goalId, isOpen: sql<boolean>`true`.as("is_open") })
      .from(goals)
      .as("inner");
    return db.select().from(inner);
  },
  "what was inserted and updated": (db) =>
    db.update(goals).set({ branch: "b" }).where(eq(goals.goalId, "goal-1")).returning(),
  "what differs only": (db) => db.selectDistinct({ status: goals.status }).from(goals),
};

describe("[F-601] a dialect that keeps the texts of columns", () => {
  it.each(Object.entries(statements))("writes %s as Drizzle does, each time", (_, build) => {
    const quick = on(quickDialect());
    const expected = build(on(new PgDialect())).toSQL();

    const [first, second] = [build(quick).toSQL(), build(quick).toSQL()];

    expect(first).toEqual(expected);
    expect(second).toEqual(expected);
  });

  it("writes a column's text once", () => {
    const dialect = quickDialect();
    let escaped = 0;
    const escapeName = dialect.escapeName.bind(dialect);
    dialect.escapeName = (name) => {
      escaped += 1;
      return escapeName(name);
    };
    const build = () => void on(dialect).select().from(goals).toSQL();
    build();
    const first = escaped;

    build();

    expect(first).toBeGreaterThan(20);
    expect(escaped - first).toBeLessThan(5);
  });
});
