import { and, gte, lt, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Fraction } from "../core/reports/week-rows.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { goals, sessions } from "./schema/index.ts";

/**
 * Counts goals that were added from `from` to before `to`, and those of them that disable a part of the worklog. The flags may be the
 * goal's own or its session's. Two statements: a join would read every session that ever existed.
 */
export async function leavingOutBetween(
  db: Db,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Fraction> {
  const added = await db
    .select({
      sessionId: goals.sessionId,
      goals: sql<number>`count(*)::int`,
      leaving: sql<number>`(count(*) filter (where ${isLeaving(goals.worklogFlags)}))::int`,
    })
    .from(goals)
    .where(and(gte(goals.createdAt, from), lt(goals.createdAt, to)))
    .groupBy(goals.sessionId);
  const whole = await sessionsLeavingOut(
    db,
    added.flatMap(({ sessionId }) => sessionId ?? []),
  );
  const numerators = added.map((each) => (whole.has(each.sessionId ?? "") ? each.goals : each.leaving));
  return { numerator: sum(numerators), denominator: sum(added.map((each) => each.goals)) };
}

async function sessionsLeavingOut(db: Db, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (sessionIds.length === 0) return new Set();
  const found = await db
    .select({ sessionId: sessions.sessionId })
    .from(sessions)
    .where(and(isAnyOf(sessions.sessionId, sessionIds), isLeaving(sessions.worklogFlags)));
  return new Set(found.map(({ sessionId }) => sessionId));
}

function isLeaving(flags: PgColumn) {
  const each = ["noWorklog", "skipVerify", "noCheckpoints"].map((name) => sql`(${flags}->>${name})::boolean`);
  return sql`coalesce(${sql.join(each, sql` or `)}, false)`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
