import { asc, inArray, sql } from "drizzle-orm";
import type { CampaignFacts } from "../core/reports/summary.ts";
import type { Db } from "./client.ts";
import { campaignDays, campaigns, milestones } from "./schema.ts";

/** How a goal ended, with what a weekly wants to know about it. */
export interface EndedGoal {
  readonly goalId: string;
  readonly at: Date;
  readonly isComplete: boolean;
  readonly wasExecuted: boolean;
  readonly failedAttempts: number;
  readonly wasDecided: boolean;
  readonly wasHelped: boolean;
}

/** The newest end within the time of every goal that ended from the first moment to before the second. */
export async function endedBetween(db: Db, from: Date, to: Date): Promise<EndedGoal[]> {
  const found = await db.execute<{
    goal_id: string;
    at: string;
    event: string;
    executed: boolean;
    failed: number;
    decided: boolean;
    helped: boolean;
  }>(sql`
    select distinct on (t.goal_id) t.goal_id, t.at, t.event,
      exists (select 1 from cos.evidence e where e.goal_id = t.goal_id and e.kind = 'execution' and e.at <= t.at) as executed,
      (select count(*)::int from cos.attempts a where a.goal_id = t.goal_id and a."end" <> 'passed' and a.at <= t.at) as failed,
      exists (
        select 1 from cos.decisions d join cos.checkpoints c on c.checkpoint_id = d.checkpoint_id
        where c.goal_id = t.goal_id and d.settles and d.at <= t.at) as decided,
      exists (
        select 1 from cos.decisions d join cos.checkpoints c on c.checkpoint_id = d.checkpoint_id
        where c.goal_id = t.goal_id and d.settles and d.at <= t.at and d.at > (
          select min(a.at) from cos.attempts a where a.goal_id = t.goal_id and a."end" <> 'passed')) as helped
    from cos.timeline t
    where t.event in ('goal.complete', 'goal.failed') and t.at >= ${from} and t.at < ${to}
    order by t.goal_id, t.timeline_id desc`);
  return found.rows.map((row) => ({
    goalId: row.goal_id,
    at: new Date(row.at),
    isComplete: row.event === "goal.complete",
    wasExecuted: row.executed,
    failedAttempts: row.failed,
    wasDecided: row.decided,
    wasHelped: row.helped,
  }));
}

/** Settled questions between two moments, with how long they had waited. */
export async function settledBetween(db: Db, from: Date, to: Date): Promise<{ at: Date; waitedMs: number }[]> {
  const found = await db.execute<{ at: string; waited_ms: string }>(
    sql`select at, waited_ms from cos.decisions where settles and at >= ${from} and at < ${to}`,
  );
  return found.rows.map((row) => ({ at: new Date(row.at), waitedMs: Number(row.waited_ms) }));
}

/** Micro-dollars by local date, both included. */
export async function spentByDay(db: Db, from: string, to: string): Promise<Record<string, number>> {
  const found = await db.execute<{ day: string; spent: string }>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, sum(spent_micro_usd) as spent
    from cos.call_costs where day between ${from} and ${to} group by day`);
  return Object.fromEntries(found.rows.map((row) => [row.day, Number(row.spent)]));
}

/** Every campaign with its milestones, the oldest first; the days of those that are active only. */
export async function listCampaignFacts(db: Db): Promise<CampaignFacts[]> {
  const found = await db.select().from(campaigns).orderBy(asc(campaigns.createdAt), asc(campaigns.campaignId));
  const marks = await db.select().from(milestones).orderBy(asc(milestones.position));
  const active = found.filter(({ state }) => state === "active").map(({ campaignId }) => campaignId);
  const days =
    active.length === 0
      ? []
      : await db
          .select()
          .from(campaignDays)
          .where(inArray(campaignDays.campaignId, active))
          .orderBy(asc(campaignDays.dayNumber));
  return found.map((campaign) => ({
    campaign,
    milestones: marks.filter(({ campaignId }) => campaignId === campaign.campaignId),
    days: days.filter(({ campaignId }) => campaignId === campaign.campaignId),
  }));
}
