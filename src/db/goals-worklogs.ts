import { and, gte, lt, sql } from "drizzle-orm";
import type { Fraction } from "../core/reports/week.ts";
import type { Db } from "./connection/client.ts";
import { goals } from "./schema/index.ts";

/** Goals that were added from one moment to before another, and how many of them leave something out of their worklogs. */
export async function leavingOutBetween(
  db: Db,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Fraction> {
  const leavesOut = sql`coalesce((${goals.worklogFlags}->>'noWorklog')::boolean
    or (${goals.worklogFlags}->>'skipVerify')::boolean or (${goals.worklogFlags}->>'noCheckpoints')::boolean, false)`;
  const found = await db
    .select({
      numerator: sql<number>`(count(*) filter (where ${leavesOut}))::int`,
      denominator: sql<number>`count(*)::int`,
    })
    .from(goals)
    .where(and(gte(goals.createdAt, from), lt(goals.createdAt, to)));
  return found[0] ?? { numerator: 0, denominator: 0 };
}
