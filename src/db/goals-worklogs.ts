import { gte, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { goals } from "./schema/index.ts";

/** How many goals were added since, and how many of them leave something out of their worklogs. */
export async function leavingOutSince(
  db: Db,
  since: Date,
): Promise<{ readonly all: number; readonly skipping: number }> {
  const leavesOut = sql`coalesce((${goals.worklogFlags}->>'noWorklog')::boolean
    or (${goals.worklogFlags}->>'skipVerify')::boolean or (${goals.worklogFlags}->>'noCheckpoints')::boolean, false)`;
  const found = await db
    .select({ all: sql<number>`count(*)::int`, skipping: sql<number>`(count(*) filter (where ${leavesOut}))::int` })
    .from(goals)
    .where(gte(goals.createdAt, since));
  return found[0] ?? { all: 0, skipping: 0 };
}
