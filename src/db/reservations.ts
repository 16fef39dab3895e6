import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";

/** Money that a goal at work has reserved and not spent, and who pays for it. */
export interface ReservedAtWork {
  readonly day: string;
  readonly sessionId: string | null;
  readonly campaignId: string | null;
  readonly nightId: string | null;
  readonly microUsd: number;
}

/**
 * Reservations of goals whose turn runs now, except one goal. What they do not spend is released when their turns end. Reservations of
 * turns that were cut short are left out: they are released when the goal is worked again, which may be never.
 */
export async function reservedAtWork(db: Db, { but }: { readonly but: string }): Promise<ReservedAtWork[]> {
  const found = await db.execute<Record<string, string | null>>(sql`
    select to_char(calls.day, 'YYYY-MM-DD') as day, calls.session_id, goals.campaign_id, sessions.night_id,
      calls.committed_micro_usd - calls.spent_micro_usd as reserved
    from cos.goals goals
    cross join lateral (
      select day, session_id, committed_micro_usd, spent_micro_usd from cos.call_costs
      where goal_id = goals.goal_id and run_id = goals.run_id and not is_settled) calls
    left join cos.sessions sessions on sessions.session_id = calls.session_id
    where goals.leased_by is not null and goals.leased_until > now() and goals.goal_id <> ${but}`);
  return found.rows.map((row) => ({
    day: String(row["day"]),
    sessionId: row["session_id"] ?? null,
    campaignId: row["campaign_id"] ?? null,
    nightId: row["night_id"] ?? null,
    microUsd: Number(row["reserved"]),
  }));
}
