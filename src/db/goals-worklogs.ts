import { and, eq, gte, lt, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Fraction } from "../core/reports/week.ts";
import type { Db } from "./connection/client.ts";
import { goals, sessions } from "./schema/index.ts";

/**
 * Goals that were added from one moment to before another, and how many of them leave something out of their worklogs: by their own
 * flags, or by those of their session.
 */
export async function leavingOutBetween(
  db: Db,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Fraction> {
  const leavesOut = or(isLeaving(goals.worklogFlags), isLeaving(sessions.worklogFlags));
  const found = await db
    .select({
      numerator: sql<number>`(count(*) filter (where ${leavesOut}))::int`,
      denominator: sql<number>`count(*)::int`,
    })
    .from(goals)
    .leftJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .where(and(gte(goals.createdAt, from), lt(goals.createdAt, to)));
  return found[0] ?? { numerator: 0, denominator: 0 };
}

function isLeaving(flags: PgColumn) {
  const each = ["noWorklog", "skipVerify", "noCheckpoints"].map((name) => sql`(${flags}->>${name})::boolean`);
  return sql`coalesce(${sql.join(each, sql` or `)}, false)`;
}
