import { historiesOf } from "../../core/reports/histories.ts";
import {
  type GoalHistory,
  type GoalOutcome,
  outcomeIn,
  type TimeSpan,
  troubleIn,
} from "../../core/reports/outcomes.ts";
import { type WeeklyCampaign, summaryOf } from "../../core/reports/summary.ts";
import type { AfterWeekly, WeeklyFacts } from "../../core/reports/report-facts.ts";
import { waitsForPerson } from "../../core/reports/waits-for-person.ts";
import { type MonthDay, monthOf } from "../../core/reports/month.ts";
import { type Week, weekOf } from "../../core/reports/week.ts";
import type { EndedGoal } from "../../core/reports/week-rows.ts";
import { addDays, localDate, startOfDate, weekHolding, weekToReport } from "../../core/time.ts";
import type { Db } from "../../db/connection/client.ts";
import { evidenceOf } from "../../db/evidence.ts";
import { goalsById } from "../../db/goals.ts";
import { leavingOutBetween } from "../../db/goals-worklogs.ts";
import { lastRunBefore } from "../../db/schedules.ts";
import { spentSince } from "../../db/standup.ts";
import { periodTotal } from "../../db/totals.ts";
import { eventsBetween } from "../../db/timeline.ts";
import {
  branchesBetween,
  campaignsEndedBefore,
  firstExecutions,
  happenedTo,
  listCampaignFacts,
  settledBetween,
  spentByDay,
} from "../../db/week.ts";
import type { Deps } from "../../deps.ts";
import { needsNow } from "../../facts/needs.ts";
import { gatherReport } from "./reports.ts";
import type { Backing } from "../../core/acceptance/backing.ts";
import { backingOf } from "../../facts/criteria-status.ts";

type WeekDeps = Pick<Deps, "config" | "policy" | "now">;

/** All facts of a weekly about the week that contains a local date, in the configured zone. */
export async function gatherWeekly(db: Db, deps: WeekDeps, date: string): Promise<WeeklyFacts> {
  const { week, summary, ended } = await gatherEnded(db, deps, date);
  const { from, to, time } = spanOf(deps, date);
  const report = await gatherReport(db, deps, { from, to, time, ended });
  return { week, summary, report, waitsForPerson: waitsForPerson(await needsNow(db, deps)) };
}

/**
 * Like gatherWeekly, for the weekly that is posted on a date. It also contains what happened in the week of the last posted weekly after
 * that was posted.
 */
export async function gatherPosted(db: Db, deps: WeekDeps, date: string): Promise<WeeklyFacts> {
  const facts = await gatherWeekly(db, deps, weekToReport(date).from);
  const last = await lastRunBefore(db, "weekly", { runFor: date, now: deps.now() });
  const afterLast = last === null ? null : await gatherAfter(db, deps, { ...last, weekFrom: facts.week.from });
  return afterLast === null ? facts : { ...facts, afterLast };
}

/** Null when the last weekly was posted after the end of its week, when it covers the same week, or when nothing happened. */
async function gatherAfter(
  db: Db,
  deps: WeekDeps,
  { runFor: date, at, weekFrom }: { readonly runFor: string; readonly at: Date; readonly weekFrom: string },
): Promise<AfterWeekly | null> {
  const { from, time: lastTime } = spanOf(deps, weekToReport(date).from);
  const { to: end } = lastTime;
  if (from >= weekFrom || at >= end) return null;
  const time: TimeSpan = { from: at, to: end };
  const outcomes = outcomesIn(historiesOf(await happenedTo(db, at, end)), time);
  const of = (type: GoalOutcome["type"]): number => outcomes.filter((each) => each.type === type).length;
  const { microUsd: spentMicroUsd, isEstimated: spentIsEstimated } = await spentSince(db, at, end);
  if (outcomes.length === 0 && spentMicroUsd === 0) return null;
  const goals = { complete: of("complete"), failed: of("failed"), deferred: of("deferred"), manual: of("manual") };
  return { date, ...goals, spentMicroUsd, spentIsEstimated };
}

/** The numbers of a week alone. Waiting and planned goals are not read, however many there are. */
export async function gatherWeekNumbers(db: Db, deps: WeekDeps, date: string): Promise<WeekNumbers> {
  const { week, summary, histories, monthBefore } = await gatherEnded(db, deps, date);
  const { timezone: zone } = deps.config;
  const month = { from: localDate(monthBefore, zone), to: date, zone };
  const until = startOfDate(addDays(date, 1), zone);
  const decisions = await settledBetween(db, monthBefore, until);
  return { week, summary, month: monthOf(histories, decisions, month) };
}

/** The numbers of a week, and the days from four weeks before it until the given date. */
export interface WeekNumbers extends Pick<WeeklyFacts, "summary" | "week"> {
  readonly month: readonly MonthDay[];
}

interface WeekSpan {
  /** Local dates, both inclusive, and the same span as instants. */
  readonly from: string;
  readonly to: string;
  readonly time: TimeSpan;
}

function spanOf({ config: { timezone: zone } }: WeekDeps, date: string): WeekSpan {
  const { from, to } = weekHolding(date);
  return { from, to, time: { from: startOfDate(from, zone), to: startOfDate(addDays(to, 1), zone) } };
}

async function gatherEnded(
  db: Db,
  deps: WeekDeps,
  date: string,
): Promise<Pick<WeeklyFacts, "summary" | "week"> & Pick<Gathered, "ended" | "histories" | "monthBefore">> {
  const { from, to, time } = spanOf(deps, date);
  const { timezone: zone } = deps.config;
  const monthBefore = startOfDate(addDays(from, -28), zone);
  const histories = historiesOf(await happenedTo(db, monthBefore, time.to));
  const campaigns = await listCampaignFacts(db, monthBefore);
  const ended = await withBacking(db, outcomesIn(histories, time));
  const week = await gatherWeek(db, deps, { from, to, time, monthBefore, histories, ended, campaigns });
  return { week, summary: summaryOf(week, campaigns, zone), ended, histories, monthBefore };
}

function outcomesIn(histories: readonly GoalHistory[], time: TimeSpan): GoalOutcome[] {
  return histories.flatMap((history) => outcomeIn(history, time) ?? []);
}

/** Tags each outcome by the evidence of the run that ended with it. A goal that is worked again has another run by now. */
async function withBacking(db: Db, outcomes: readonly GoalOutcome[]): Promise<EndedGoal[]> {
  const goalIds = outcomes.map((each) => each.goalId);
  const goals = new Map((await goalsById(db, goalIds)).map((goal) => [goal.goalId, goal]));
  const kept = await evidenceOf(db, goalIds);
  const executed = await firstExecutions(db, goalIds);
  return outcomes.map((outcome): EndedGoal => {
    const { goalId, runId, type, at } = outcome;
    const goal = goals.get(goalId);
    const executedAt = executed.get(goalId);
    const status = type === "manual" ? "manual_followup" : type;
    const asItEnded = { runId, status, phase: "start" } as const;
    const backing: Backing = goal === undefined ? { tag: "not checked" } : backingOf({ ...goal, ...asItEnded }, kept);
    return { ...outcome, ...backing, wasExecuted: executedAt !== undefined && executedAt <= at };
  });
}

interface Gathered extends WeekSpan {
  readonly monthBefore: Date;
  readonly histories: readonly GoalHistory[];
  readonly ended: readonly EndedGoal[];
  readonly campaigns: readonly WeeklyCampaign[];
}

async function gatherWeek(db: Db, deps: WeekDeps, gathered: Gathered): Promise<Week> {
  const { from, to, time, monthBefore, histories, ended, campaigns } = gathered;
  const earlier = outcomesIn(histories, { from: monthBefore, to: time.from });
  const spentEarlier = await periodTotal(db, addDays(from, -28), addDays(from, -1));
  const total = await periodTotal(db, from, to);
  const escalated = await eventsBetween(db, "recovery.escalated", time.from, time.to);
  return weekOf({
    from,
    to,
    zone: deps.config.timezone,
    ended,
    troubles: histories.flatMap((history) => troubleIn(history, time) ?? []),
    escalated: escalated.flatMap(({ goalId, at }) => (goalId === null ? [] : [{ goalId, at }])),
    decisions: await settledBetween(db, time.from, time.to),
    branches: await branchesBetween(db, {
      ...time,
      completed: ended.flatMap(({ goalId, type }) => (type === "complete" ? [goalId] : [])),
    }),
    spent: await spentByDay(db, from, to),
    spentIsEstimated: total.isEstimated,
    campaignsBefore: await campaignsEndedBefore(db, monthBefore),
    campaignsEnded: campaigns.flatMap(({ campaign: { state, startedAt, endedAt } }) =>
      // A plan that nobody started was discarded. It does not count as a failed campaign.
      endedAt === null || startedAt === null ? [] : [{ at: endedAt, isComplete: state === "completed" }],
    ),
    before: {
      complete: earlier.filter((each) => each.type === "complete").length,
      failed: earlier.filter((each) => each.type === "failed").length,
      spentMicroUsd: spentEarlier.spentMicroUsd,
    },
    dayCeilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
    leftOut: await leavingOutBetween(db, time),
  });
}
