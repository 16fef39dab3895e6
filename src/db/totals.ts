import { type SQL, sql } from "drizzle-orm";
import { sqlOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";

/* Totals of the ledger. The database updates them with each line (`cos.totals`), so that nobody has to add up a whole ledger. */

/** Micro-dollars. `committed` includes open reservations, `spent` only what was reported or settled. */
export interface Total {
  readonly committedMicroUsd: number;
  readonly spentMicroUsd: number;
  readonly isEstimated: boolean;
}

/** The total of a goal. */
export async function goalTotal(db: Db, goalId: string): Promise<Total> {
  return totalIn((await totalOfGoal(db, { goalId }))[0]);
}

/** The total of a session. */
export async function sessionTotal(db: Db, sessionId: string): Promise<Total> {
  return totalIn((await totalOfSession(db, { sessionId }))[0]);
}

/** The total of a campaign: its goals and its planning. */
export async function campaignTotal(db: Db, campaignId: string): Promise<Total> {
  return await total(
    db,
    sql`(about = 'campaign' and id = ${campaignId}
      or about = 'goal' and id = any(array(select goal_id from cos.goals where campaign_id = ${campaignId})))`,
  );
}

/** The total of a campaign's goals in the sessions of one day. Other goals that joined such a session are left out. */
export async function campaignDayTotal(db: Db, campaignId: string, day: number): Promise<Total> {
  const found = await db.execute<Summed>(sql`
    select sum(committed_micro_usd) as committed, sum(spent_micro_usd) as spent, bool_or(is_estimated) as estimated
    from cos.call_costs
    where goal_id = any(array(select goal_id from cos.goals where campaign_id = ${campaignId}))
      and session_id = any(array(
        select session_id from cos.sessions where campaign_id = ${campaignId} and campaign_day = ${day}))`);
  return totalIn(found.rows[0]);
}

/** Like `campaignDayTotal`, for each day that has had a session, by day number. */
export async function campaignDayTotals(db: Db, campaignId: string): Promise<ReadonlyMap<number, Total>> {
  const found = await db.execute<Summed & { day: number }>(sql`
    select s.campaign_day as day, sum(c.committed_micro_usd) as committed, sum(c.spent_micro_usd) as spent,
      bool_or(c.is_estimated) as estimated
    from cos.call_costs c join cos.sessions s on s.session_id = c.session_id
    where c.goal_id = any(array(select goal_id from cos.goals where campaign_id = ${campaignId}))
      and s.campaign_id = ${campaignId} and s.campaign_day is not null
    group by s.campaign_day`);
  return new Map(found.rows.map((row) => [row.day, totalIn(row)]));
}

/** The total of all sessions of a night, including work in them after it ended. */
export async function nightTotal(db: Db, nightId: string): Promise<Total> {
  return await total(
    db,
    sql`about = 'session' and id = any(array(select session_id from cos.sessions where night_id = ${nightId}))`,
  );
}

/** The cost of a night. For an ended night: the calls that had begun by its end, with what they cost later. */
export async function nightCost(
  db: Db,
  {
    nightId,
    startedAt,
    endedAt,
  }: { readonly nightId: string; readonly startedAt: Date; readonly endedAt: Date | null },
): Promise<Total> {
  if (endedAt === null) return await nightTotal(db, nightId);
  const found = await db.execute<Summed>(sql`
    with mine as (select session_id from cos.sessions where night_id = ${nightId}), begun as (
      select distinct call_id from cos.spend
      where at between ${startedAt} and ${endedAt} and session_id in (select session_id from mine))
    select sum(committed_micro_usd) as committed, sum(spent_micro_usd) as spent, bool_or(is_estimated) as estimated
    from begun cross join lateral (
      select * from cos.call_costs c where c.call_id = begun.call_id offset 0) cost
    where session_id in (select session_id from mine)`);
  return totalIn(found.rows[0]);
}

/** The total of a local date, over all sessions (C-67). */
export async function dayTotal(db: Db, day: string): Promise<Total> {
  return totalIn((await totalOfDay(db, { day }))[0]);
}

/** The totals of a goal and of a day, in one statement. */
export async function goalAndDayTotal(
  db: Db,
  goalId: string,
  day: string,
): Promise<{ readonly goal: Total; readonly day: Total }> {
  const found = await db.execute<Summed & { about: string }>(sql`
    select about, ${sums} from cos.totals
    where about = 'goal' and id = ${goalId} or about = 'day' and id = ${day} group by about`);
  const of = (about: string): Total => totalIn(found.rows.find((row) => row.about === about));
  return { goal: of("goal"), day: of("day") };
}

/** The total from the first to the last local date, both included. */
export async function periodTotal(db: Db, from: string, to: string): Promise<Total> {
  return await total(db, sql`about = 'day' and id between ${from} and ${to}`);
}

async function total(db: Db, condition: SQL): Promise<Total> {
  const found = await db.execute<Summed>(summed(condition));
  return totalIn(found.rows[0]);
}

/** The totals of campaigns, goals and planning together, by id. Campaigns without spending or reservations are missing. */
export async function totalsOfCampaigns(db: Db, campaignIds: readonly string[]): Promise<ReadonlyMap<string, Total>> {
  const ids = textArray(campaignIds);
  const found = await db.execute<Summed & { campaign_id: string }>(sql`
    select campaign_id, ${sums}
    from (
      select id as campaign_id, committed_micro_usd, spent_micro_usd, estimated_calls from cos.totals
      where about = 'campaign' and id = any(${ids})
      union all
      select g.campaign_id, committed_micro_usd, spent_micro_usd, estimated_calls from cos.goals g
      cross join lateral (select * from cos.totals where about = 'goal' and id = g.goal_id offset 0) spent
      where g.campaign_id = any(${ids})) parts
    group by campaign_id`);
  return new Map(found.rows.map((row) => [row.campaign_id, totalIn(row)]));
}

/** What open sessions of other campaigns may still spend of their budgets. Campaigns that a person has paused count nothing. */
export async function promisedElsewhere(db: Db, campaignId: string): Promise<number> {
  const found = await db.execute<{ promised: string }>(sql`
    select coalesce(sum(greatest(0, s.budget_micro_usd - coalesce((
      select t.committed_micro_usd from cos.totals t where t.about = 'session' and t.id = s.session_id and t.slot = 0), 0))), 0) as promised
    from cos.sessions s join cos.campaigns c on c.campaign_id = s.campaign_id
    where s.status <> 'ended' and s.kind = 'campaign' and s.campaign_id is distinct from ${campaignId}
      and not (c.state = 'paused' and c.paused_by is not null)`);
  return Number(found.rows[0]?.promised ?? 0);
}

/** Sums over rows of `cos.totals`. */
export const sums = sql`coalesce(sum(committed_micro_usd), 0) as committed, coalesce(sum(spent_micro_usd), 0) as spent,
  bool_or(estimated_calls > 0) as estimated`;

const totalOfGoal = sqlOnce<{ goalId: string }, Summed>((place) =>
  summed(sql`about = 'goal' and id = ${place("goalId")}`),
);
const totalOfSession = sqlOnce<{ sessionId: string }, Summed>((place) =>
  summed(sql`about = 'session' and id = ${place("sessionId")}`),
);
const totalOfDay = sqlOnce<{ day: string }, Summed>((place) => summed(sql`about = 'day' and id = ${place("day")}`));

function summed(condition: SQL): SQL {
  return sql`select ${sums} from cos.totals where ${condition}`;
}

/** A total as PostgreSQL returns it. */
export type Summed = { committed: string; spent: string; estimated: boolean | null };

/** Converts a row to a total in micro-USD. Zero when there is no row. */
export function totalIn(row: Summed | undefined): Total {
  return {
    committedMicroUsd: Number(row?.committed ?? 0),
    spentMicroUsd: Number(row?.spent ?? 0),
    isEstimated: row?.estimated === true,
  };
}

/** The totals of these goals or sessions, by id. Those without spending or reservations are missing. */
export async function totalsOf(
  db: Db,
  about: "goal" | "session",
  ids: readonly string[],
): Promise<ReadonlyMap<string, Total>> {
  if (ids.length === 0) return new Map();
  const found = await totalsBy[about](db, { ids });
  return new Map(found.map((row) => [row.id, totalIn(row)]));
}

/** One statement for each, with a text of its own: only those can be sent together (`connection/together.ts`). */
const totalsBy = { goal: totalsOnce("goal"), session: totalsOnce("session") };

function totalsOnce(about: "goal" | "session") {
  return sqlOnce<{ ids: readonly string[] }, Summed & { id: string }>(
    (place) => sql`
    select kept.id, committed_micro_usd as committed, spent_micro_usd as spent, estimated_calls > 0 as estimated
    from unnest(${place("ids")}::text[]) as wanted (id)
    cross join lateral (
      select * from cos.totals where about = ${sql.raw(`'${about}'`)} and totals.id = wanted.id and slot = 0 limit 1) kept`,
  );
}
