import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { sqlOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { days, spend } from "./schema/index.ts";
import { type Summed, type Total, totalIn } from "./totals.ts";

/**
 * One call of an agent or a model in the ledger. `day` is the local date on which its money was reserved, also when the call ends after
 * midnight.
 */
export interface LedgerCall {
  readonly callId: string;
  readonly goalId: string;
  readonly runId: string;
  readonly sessionId: string | null;
  readonly day: string;
}

/** A call that plans a campaign, or (null) one that a person started by hand. It belongs to no goal. */
export type PlanningCall = Pick<LedgerCall, "callId" | "day"> & { readonly campaignId: string | null };

/**
 * Adds one line to the ledger. Ignores a second reservation of a call, and a second settlement of the same kind (estimated, or reported
 * by the agent): idempotent. A reported settlement takes precedence over an estimated one, whichever comes first.
 */
export async function appendSpend(
  tx: Db,
  call: LedgerCall | PlanningCall,
  entry: {
    kind: "reserved" | "reported" | "settled";
    amountMicroUsd: number;
    isEstimated: boolean;
    agentSessions?: Readonly<Record<string, number>>;
    at: Date;
  },
): Promise<void> {
  const build = entry.kind === "reserved" ? reserving : adding;
  await keepOrWrite(tx, { table: spend, values: { ...call, ...entry } }, build);
}

type NewLine = typeof spend.$inferInsert;

const reserving = (at: Db, line: NewLine) => at.insert(spend).values(line).onConflictDoNothing();

/** All lines of a call have the day of its reservation. */
const adding = (at: Db, line: NewLine) => {
  const day = sql`coalesce((select r.day from cos.spend r where r.call_id = ${line.callId} and r.kind = 'reserved'), ${line.day}::date)`;
  return at
    .insert(spend)
    .values({ ...line, day })
    .onConflictDoNothing();
};

/** Locks a calendar day, and creates its row when it is missing. The outermost lock (D9). */
export async function lockDay(tx: Db, day: string): Promise<void> {
  const locked = await tx.execute(sql`select 1 from ${days} where day = ${day} for update`);
  if (locked.rows.length > 0) return;
  // The row is missing. Another transaction that creates it at the same time makes this one wait here; then the row is locked.
  await tx.insert(days).values({ day }).onConflictDoNothing();
  await tx.execute(sql`select 1 from ${days} where day = ${day} for update`);
}

/** Selects the lines of a run. The condition on the goal is for the index: the lines of a goal are stored together. */
export function ofRun(runId: string | Placeholder): SQL {
  return sql`goal_id = (select goal_id from cos.runs where run_id = ${runId}) and run_id = ${runId}`;
}

/** The calls of a run that are not settled: a worker died, or is still at work. */
export async function openCalls(db: Db, runId: string): Promise<(LedgerCall & Total)[]> {
  const found = await openOfRun(db, { runId });
  return found.map((row) => ({
    callId: String(row["call_id"]),
    goalId: String(row["goal_id"]),
    runId: String(row["run_id"]),
    sessionId: row["session_id"] ?? null,
    day: String(row["day"]),
    committedMicroUsd: Number(row["committed_micro_usd"]),
    spentMicroUsd: Number(row["spent_micro_usd"]),
    isEstimated: true,
  }));
}

const openOfRun = sqlOnce<{ runId: string }, Record<string, string>>(
  (place) => sql`
    select call_id, goal_id, run_id, session_id, to_char(day, 'YYYY-MM-DD') as day, committed_micro_usd, spent_micro_usd
    from cos.call_costs where ${ofRun(place("runId"))} and not is_settled`,
);

/** The planning calls of a campaign that are not settled: a process died, or still waits for the answer. */
export async function openPlanningCalls(db: Db, campaignId: string): Promise<(PlanningCall & Total)[]> {
  const found = await db.execute<Record<string, string>>(sql`
    select call_id, to_char(day, 'YYYY-MM-DD') as day, committed_micro_usd, spent_micro_usd
    from cos.call_costs where campaign_id = ${campaignId} and not is_settled`);
  return found.rows.map((row) => ({
    callId: String(row["call_id"]),
    campaignId,
    day: String(row["day"]),
    committedMicroUsd: Number(row["committed_micro_usd"]),
    spentMicroUsd: Number(row["spent_micro_usd"]),
    isEstimated: true,
  }));
}

/** The goals with the highest spending on these local days (both included), most expensive first. */
export async function dearestGoals(
  db: Db,
  { from, to }: { readonly from: string; readonly to: string },
  limit: number,
): Promise<{ readonly goalId: string; readonly spentMicroUsd: number; readonly isEstimated: boolean }[]> {
  const found = await db.execute<{ goal_id: string; spent: string; estimated: boolean }>(sql`
    select goal_id, sum(spent_micro_usd) as spent, bool_or(is_estimated) as estimated
    from cos.call_costs where day between ${from} and ${to} and goal_id is not null
    group by goal_id having sum(spent_micro_usd) > 0 order by spent desc, goal_id limit ${limit}`);
  return found.rows.map((row) => ({
    goalId: row.goal_id,
    spentMicroUsd: Number(row.spent),
    isEstimated: row.estimated,
  }));
}

const totalOfRun = sqlOnce<{ runId: string }, Summed>(
  (place) => sql`
  select coalesce(sum(committed_micro_usd), 0) as committed, coalesce(sum(spent_micro_usd), 0) as spent,
    bool_or(is_estimated) as estimated
  from cos.call_costs where ${ofRun(place("runId"))}`,
);

/** The total of a run. Sums up its calls: a run has few. */
export async function runTotal(db: Db, runId: string): Promise<Total> {
  return totalIn((await totalOfRun(db, { runId }))[0]);
}

/** The reservation of a call, or null. */
export async function reservedFor(db: Db, callId: string): Promise<{ amountMicroUsd: number; at: Date } | null> {
  const found = await db
    .select({ amountMicroUsd: spend.amountMicroUsd, at: spend.at })
    .from(spend)
    .where(and(eq(spend.callId, callId), sql`${spend.kind} = 'reserved'`));
  return found[0] ?? null;
}
