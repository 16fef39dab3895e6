import { and, asc, eq, min, sql } from "drizzle-orm";
import { readEvent } from "../core/events/read.ts";
import { type WeeklyCampaign, isUnderWay } from "../core/reports/summary.ts";
import { between, endings, type HappenedRow } from "../core/reports/histories.ts";
import type { WeekBranches } from "../core/reports/week-rows.ts";
import { campaignsSince } from "./campaigns.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { goalsById } from "./goals.ts";
import { campaignDays, evidence, milestones } from "./schema/index.ts";
import { undecidedBranches } from "./standup.ts";
import { detailOf, eventNames } from "./timeline.ts";

/**
 * The events that say how goals fared, oldest first. For each goal that ended, or whose ladder ended, from `from` to before `to`: all
 * its events until `to`.
 */
export async function happenedTo(db: Db, from: Date, to: Date): Promise<HappenedRow[]> {
  const found = await db.execute<{
    goal_id: string;
    run_id: string | null;
    event: string;
    at: string;
    actor: string | null;
    detail: Record<string, unknown>;
    kind: string | null;
    about: string | null;
    effect: string | null;
  }>(sql`
    with mine as (
      select distinct goal_id from cos.timeline
      where at >= ${from} and at < ${to} and goal_id is not null and event in ${eventNames(...endings)})
    select t.goal_id, t.run_id, t.event, t.at, t.actor, t.detail, c.kind, c.subject as about, d.effect
    from mine
    cross join lateral (
      select * from cos.timeline told
      where told.goal_id = mine.goal_id and told.at < ${to} and told.event in ${eventNames(...endings, ...between)}
      offset 0) t
    left join lateral (
      select kind, subject from cos.checkpoints where checkpoints.checkpoint_id = t.checkpoint_id limit 1) c on true
    left join lateral (
      select effect from cos.decisions where decisions.checkpoint_id = t.checkpoint_id and settles limit 1) d on true
    order by t.timeline_id`);
  return found.rows.flatMap((row) => {
    const { event, detail, kind, about, effect } = row;
    const question = kind === null || about === null ? null : { kind, about, effect };
    const read = readEvent({
      goalId: row.goal_id,
      runId: row.run_id,
      event,
      at: new Date(row.at),
      actor: row.actor,
      detail,
      question,
    });
    return read.event === "other" ? [] : [read];
  });
}

/** When each of these goals first had an execution. Goals without one are missing. */
export async function firstExecutions(db: Db, goalIds: readonly string[]): Promise<Map<string, Date>> {
  if (goalIds.length === 0) return new Map();
  const found = await db
    .select({ goalId: evidence.goalId, at: min(evidence.at) })
    .from(evidence)
    .where(and(isAnyOf(evidence.goalId, goalIds), eq(evidence.kind, "execution")))
    .groupBy(evidence.goalId);
  return new Map(found.flatMap(({ goalId, at }) => (at === null ? [] : [[goalId, at] as const])));
}

/**
 * How many goals' branches were merged (by us, or by hand as a standup found), discarded and reverted from `from` to before `to`. Of
 * the goals in `completed`: how many branches wait for a decision.
 */
export async function branchesBetween(
  db: Db,
  { from, to, completed }: { readonly from: Date; readonly to: Date; readonly completed: readonly string[] },
): Promise<WeekBranches> {
  const found = await db.execute<Omit<WeekBranches, "undecided"> & Record<string, unknown>>(sql`
    select count(distinct goal_id) filter (where what in ('merged', 'merged-by-hand'))::int as merged,
      count(distinct goal_id) filter (where what = 'discarded')::int as discarded,
      count(distinct goal_id) filter (where what = 'reverted')::int as reverted
    from (
      select goal_id, status as what from cos.merges
      where status in ('merged', 'discarded') and settled_at >= ${from} and settled_at < ${to}
      union all
      select goal_id, ${detailOf<"goal.found-in-git">("news")} from cos.timeline
      where event in ${eventNames("goal.found-in-git")} and at >= ${from} and at < ${to}) decided`);
  const { merged = 0, discarded = 0, reverted = 0 } = found.rows[0] ?? {};
  const undecided = (await undecidedBranches(db, { goalIds: completed })).length;
  return { merged, discarded, reverted, undecided };
}

/** Settled decisions from `from` to before `to`, with how long their checkpoints had waited. */
export async function settledBetween(db: Db, from: Date, to: Date): Promise<{ at: Date; waitedMs: number }[]> {
  const found = await db.execute<{ at: string; waited_ms: string }>(
    sql`select at, waited_ms from cos.decisions where settles and at >= ${from} and at < ${to}`,
  );
  return found.rows.map((row) => ({ at: new Date(row.at), waitedMs: Number(row.waited_ms) }));
}

/** Micro-dollars spent by local date, `from` and `to` included. */
export async function spentByDay(db: Db, from: string, to: string): Promise<Record<string, number>> {
  const found = await db.execute<{ day: string; spent: string }>(sql`
    select id as day, sum(spent_micro_usd) as spent
    from cos.totals where about = 'day' and id between ${from} and ${to} group by id`);
  return Object.fromEntries(found.rows.map((row) => [row.day, Number(row.spent)]));
}

/** Of the started campaigns that ended before `before`: how many were completed, and how many there are. */
export async function campaignsEndedBefore(
  db: Db,
  before: Date,
): Promise<{ readonly numerator: number; readonly denominator: number }> {
  const found = await db.execute<{ completed: number; ended: number }>(sql`
    select coalesce(sum(number) filter (where about = 'campaign.completed'), 0)::int as completed, coalesce(sum(number), 0)::int as ended
    from (
      select about, number from cos.tallies where about in ('campaign.completed', 'campaign.failed')
      union all
      select 'campaign.' || state, -1 from cos.campaigns where ended_at >= ${before} and started_at is not null) told`);
  const { completed = 0, ended = 0 } = found.rows[0] ?? {};
  return { numerator: completed, denominator: ended };
}

/**
 * Campaigns that are open or ended since `since`, oldest first, with their milestones. Only campaigns that are under way have their
 * days, with the statuses of the days' goals.
 */
export async function listCampaignFacts(db: Db, since: Date): Promise<WeeklyCampaign[]> {
  const found = await campaignsSince(db, since);
  const ids = found.map(({ campaignId }) => campaignId);
  const marks = await db
    .select()
    .from(milestones)
    .where(isAnyOf(milestones.campaignId, ids))
    .orderBy(asc(milestones.position));
  const active = found.filter(isUnderWay).map(({ campaignId }) => campaignId);
  const days =
    active.length === 0
      ? []
      : await db
          .select()
          .from(campaignDays)
          .where(isAnyOf(campaignDays.campaignId, active))
          .orderBy(asc(campaignDays.dayNumber));
  const planned = days.flatMap((day) => day.goals.map(({ goalId }) => goalId));
  const statuses = new Map((await goalsById(db, planned)).map(({ goalId, status }) => [goalId, status]));
  return found.map((campaign) => ({
    campaign,
    statuses,
    milestones: marks.filter(({ campaignId }) => campaignId === campaign.campaignId),
    days: days.filter(({ campaignId }) => campaignId === campaign.campaignId),
  }));
}
