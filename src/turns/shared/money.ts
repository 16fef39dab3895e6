import { type Ceilings, goalCeiling, tightestCeiling } from "../../core/goals/budget.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { assumedCost } from "../../core/money.ts";
import { thresholdsWith } from "../../core/memory/tuning.ts";
import type { Policy } from "../../core/policy.ts";
import { localDate } from "../../core/time.ts";
import { type CampaignRow, campaignsById, lockCampaign } from "../../db/campaigns.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { type Payers, payersOf } from "../../db/goals.ts";
import type { Lease } from "../../db/leases.ts";
import type { Run } from "../../db/runs.ts";
import { lockNight, type Night } from "../../db/nights.ts";
import { type Session, sessionsById } from "../../db/sessions.ts";
import { appendSpend, lockDay, openCalls, reservedFor } from "../../db/spend.ts";
import { campaignTotal, type Total, totalsOf } from "../../db/totals.ts";
import { dayTotalAndTuned } from "../../db/tuning.ts";
import type { Deps } from "../../deps.ts";
import { inTurn } from "./in-turn.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import { nightCeiling, nightsOf } from "../../facts/night-contract.ts";
import type { Reservation } from "../../facts/worked.ts";

/** Money is reserved before it is spent, under the locks of all budgets that it counts against (D22). */

type MoneyDeps = Pick<Deps, "config" | "policy" | "now">;

/** Returns the local date. A transaction reads it once, so that its checks and its reservation count for the same day, also around midnight. */
export function todayOf({ now, config }: Pick<Deps, "config" | "now">): string {
  return localDate(now(), config.timezone);
}

/**
 * Locks the calendar day, and the goal's campaign and night, before the session (D9). Around midnight two transactions may lock different
 * days. Then only the lock of a common campaign or night serialises them.
 */
export async function lockMoney(tx: Db, day: string, goalId: string): Promise<void> {
  await lockDay(tx, day);
  await lockPayers(tx, await payersOf(tx, goalId));
}

/**
 * The same for a goal that begins and whose payers were read earlier. The caller reads again under the locks. A goal with its own command
 * reserves nothing, so it does not lock the day, which is one row for all goals.
 */
export async function lockMoneyToStart(tx: Db, day: string, payers: Payers): Promise<void> {
  if (!payers.runsCommand) await lockDay(tx, day);
  await lockPayers(tx, payers);
}

async function lockPayers(tx: Db, { campaignId, nightId }: Payers): Promise<void> {
  if (campaignId !== null) await lockCampaign(tx, campaignId);
  if (nightId !== null) await lockNight(tx, nightId);
}

/** Ceilings and spending of a goal, and the night in which it is worked. */
export interface Money {
  readonly ceilings: Ceilings;
  readonly spentTodayMicroUsd: number;
  /** Amounts above which a person is asked: the policy's, or those that a person approved instead. */
  readonly thresholds: Policy["thresholds"];
  /** Null outside a night. */
  readonly night: Night | null;
  /** The cost of the goal, and of all work on that day. */
  readonly costs: { readonly goal: Total; readonly day: Total };
}

const nothingSpent: Total = { committedMicroUsd: 0, spentMicroUsd: 0, isEstimated: false };

/** A session that is about to be opened. Nothing was spent in it. */
export type SessionAhead = Pick<Session, "budgetMicroUsd" | "nightId">;

/** Reads the ceilings and spending that apply to a goal. `day`: the local date as `YYYY-MM-DD`. */
export async function gatherMoney(tx: Db, deps: Pick<Deps, "policy">, goal: Goal, day: string): Promise<Money> {
  const moneyOf = await gatherAllMoney(tx, deps, [goal], { day });
  return moneyOf(goal);
}

/** The same for many goals, with the same number of statements. `opening`: the session that the goals are about to join. Null when they stay in theirs. */
export async function gatherAllMoney(
  tx: Db,
  { policy }: Pick<Deps, "policy">,
  goals: readonly Goal[],
  { day, opening = null }: { readonly day: string; readonly opening?: SessionAhead | null },
): Promise<(goal: Goal) => Money> {
  const unwritten = opening === null ? null : { ...opening, sessionId: "" };
  const { sessions, ofSessions, ofGoals, today, tuned, campaigns, nights, ofNights } = await readTogether(tx, (reads) =>
    readMoney(reads, goals, day, unwritten),
  );
  const thresholds = thresholdsWith(policy, tuned);

  return (goal) => {
    const session = unwritten ?? sessions.get(goal.sessionId ?? "");
    const night = session === undefined ? undefined : nights.get(session.sessionId);
    const ofNight = night === undefined ? undefined : ofNights.get(night.nightId);
    const campaign = goal.campaignId === null ? undefined : campaigns.get(goal.campaignId);
    const ceilings = {
      ...(ofNight === undefined ? {} : { night: ofNight }),
      ...(campaign === undefined ? {} : { campaign }),
      goal: {
        ceilingMicroUsd: goalCeiling(goal, policy),
        spentMicroUsd: ofGoals.get(goal.goalId)?.committedMicroUsd ?? 0,
      },
      session: {
        ceilingMicroUsd: session?.budgetMicroUsd ?? policy.ceilings.sessionMicroUsd,
        spentMicroUsd: ofSessions.get(session?.sessionId ?? "")?.committedMicroUsd ?? 0,
      },
      day: { ceilingMicroUsd: policy.ceilings.dayMicroUsd, spentMicroUsd: today.committedMicroUsd },
    };
    const costs = { goal: ofGoals.get(goal.goalId) ?? nothingSpent, day: today };
    return { ceilings, spentTodayMicroUsd: today.spentMicroUsd, thresholds, night: night ?? null, costs };
  };
}

/** Reads with one statement, and further ones for campaigns and nights. */
async function readMoney(db: Db, goals: readonly Goal[], day: string, opening: SessionMoney | null) {
  const sessionIds = opening === null ? idsOf(goals, "sessionId") : [];
  const [written, ofSessions, ofGoals, { today, tuned }, planned] = await Promise.all([
    sessionsById(db, sessionIds),
    totalsOf(db, "session", sessionIds),
    totalsOf(db, "goal", idsOf(goals, "goalId")),
    dayTotalAndTuned(db, day),
    campaignsById(db, idsOf(goals, "campaignId")),
  ]);
  const found: readonly SessionMoney[] = opening === null ? written : [opening];
  const sessions = new Map(found.map((session) => [session.sessionId, session]));
  const [campaigns, nights] = await Promise.all([campaignCeilings(db, planned), nightsOf(db, found)]);
  const ofNights = new Map<string, Ceilings["day"]>();
  for (const night of new Set(nights.values())) ofNights.set(night.nightId, await nightCeiling(db, night));
  return { sessions, ofSessions, ofGoals, today, tuned, campaigns, nights, ofNights };
}

type SessionMoney = Pick<Session, "sessionId" | "budgetMicroUsd" | "nightId">;

/** Returns each id once. */
function idsOf<Key extends "goalId" | "sessionId" | "campaignId">(goals: readonly Goal[], key: Key): string[] {
  return [...new Set(goals.flatMap((goal) => goal[key] ?? []))];
}

async function campaignCeilings(tx: Db, campaigns: readonly CampaignRow[]): Promise<Map<string, Ceilings["day"]>> {
  const ceilings = new Map<string, Ceilings["day"]>();
  for (const campaign of campaigns) ceilings.set(campaign.campaignId, await campaignCeiling(tx, campaign));
  return ceilings;
}

async function campaignCeiling(tx: Db, { campaignId, totalBudgetMicroUsd }: CampaignRow): Promise<Ceilings["day"]> {
  const { committedMicroUsd } = await campaignTotal(tx, campaignId);
  return { ceilingMicroUsd: totalBudgetMicroUsd, spentMicroUsd: committedMicroUsd };
}

/** Returns the id of a turn's call in the ledger. A turn executes once, and each turn has a call of its own. */
export function callIdOf(runId: string, lease: Lease): string {
  return `${runId}.${lease.turn}`;
}

export type Reserved = { readonly type: "reserved"; readonly capMicroUsd: number } | { readonly type: "refused" };

/**
 * Reserves all money that is left for one call of an agent. Refused when the ceilings leave too little, or the lease was lost. Safe to
 * repeat: returns the existing reservation of a call.
 */
export async function reserve(
  deps: Pick<Deps, "database"> & MoneyDeps,
  keeper: LeaseKeeper,
  {
    callId,
    run,
    known,
  }: {
    readonly callId: string;
    readonly run: Pick<Run, "runId" | "billing">;
    /** The reservation that the turn has just made, if there is one. Used if it is for this call. */
    readonly known?: Reservation | undefined;
  },
): Promise<Reserved> {
  // A flat-rate agent is not paid by use.
  if (run.billing === "flat") return { type: "reserved", capMicroUsd: 0 };
  if (known?.callId === callId) return { type: "reserved", capMicroUsd: known.capMicroUsd };
  const already = await reservedFor(deps.database.db, callId);
  if (already !== null) return { type: "reserved", capMicroUsd: already.amountMicroUsd };
  const [capMicroUsd] = await reserveTogether(deps, keeper, { callIds: [callId], run });
  return capMicroUsd === undefined ? { type: "refused" } : { type: "reserved", capMicroUsd };
}

/**
 * Reserves money for parallel calls in one transaction: an equal part of the money left for each, and at least the minimum for a call.
 * Returns the shares, in micro-dollars, of as many calls as the money is enough for, beginning with the first. Empty when the ceilings leave
 * too little for one, or the lease was lost.
 */
export async function reserveTogether(
  deps: Pick<Deps, "database"> & MoneyDeps,
  keeper: LeaseKeeper,
  {
    callIds,
    run: { runId, billing },
  }: { readonly callIds: readonly string[]; readonly run: Pick<Run, "runId" | "billing"> },
): Promise<number[]> {
  // A flat-rate agent is not paid by use.
  if (billing === "flat") return callIds.map(() => 0);
  const day = todayOf(deps);
  const { goalId } = keeper.lease;
  const reserved = await inTurn(
    deps,
    keeper,
    async (tx, goal) => {
      const { leftMicroUsd } = tightestCeiling((await gatherMoney(tx, deps, goal, day)).ceilings);
      const begin = callIds.slice(0, callsWithin(leftMicroUsd, deps.policy));
      const amountMicroUsd = begin.length === 0 ? 0 : Math.floor(leftMicroUsd / begin.length);
      for (const callId of begin) {
        const call = { callId, goalId, runId, sessionId: goal.sessionId, day };
        await appendSpend(tx, call, { kind: "reserved", amountMicroUsd, isEstimated: true, at: deps.now() });
      }
      return begin.map(() => amountMicroUsd);
    },
    { before: (tx) => lockMoney(tx, day, goalId) },
  );
  return reserved ?? [];
}

/** Returns the number of parallel calls for which the money is enough now. When they begin, the ceilings are checked again. */
export async function roomFor(
  deps: Pick<Deps, "database"> & MoneyDeps,
  goal: Goal,
  { billing }: Pick<Run, "billing">,
): Promise<number> {
  if (billing === "flat") return Number.POSITIVE_INFINITY;
  const { ceilings } = await gatherMoney(deps.database.db, deps, goal, todayOf(deps));
  return callsWithin(tightestCeiling(ceilings).leftMicroUsd, deps.policy);
}

function callsWithin(leftMicroUsd: number, { goals: { minimumTurnMicroUsd } }: Policy): number {
  if (leftMicroUsd < minimumTurnMicroUsd) return 0;
  return minimumTurnMicroUsd > 0 ? Math.floor(leftMicroUsd / minimumTurnMicroUsd) : Number.POSITIVE_INFINITY;
}

/**
 * Settles the open calls of a run, at the beginning of a turn or after an interruption, when every open call was cut short. The cost is the
 * reported one, or else assumed for the time in which a worker had the goal (`unheldMs`: in which none had it), at most the reserved amount.
 * Safe to repeat. If the cut call still reports its cost later, that replaces this estimate (`cos.call_costs`).
 */
export async function settleInterruptedCalls(tx: Db, deps: MoneyDeps, runId: string, unheldMs = 0): Promise<void> {
  const at = deps.now();
  for (const { spentMicroUsd, callId, goalId, sessionId, day } of await openCalls(tx, runId)) {
    const reserved = await reservedFor(tx, callId);
    const heldMs = reserved === null ? 0 : at.getTime() - unheldMs - reserved.at.getTime();
    const assumed = assumedCost(heldMs, deps.policy.goals.assumedMicroUsdPerMinute);
    const amountMicroUsd = spentMicroUsd > 0 ? spentMicroUsd : Math.min(assumed, reserved?.amountMicroUsd ?? 0);
    const entry = { kind: "settled", amountMicroUsd, isEstimated: true, at } as const;
    await appendSpend(tx, { callId, goalId, runId, sessionId, day }, entry);
  }
}
