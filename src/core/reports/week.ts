import type { EvidenceTag } from "../acceptance/tag.ts";
import { addDays, localDate } from "../time.ts";
import type { GoalOutcome } from "./outcomes.ts";
import type { EndedGoal, WeekRows, WeekBranches, Fraction } from "./week-rows.ts";

/**
 * Goals by the day of their outcome. Each is in one of the first four counts, except a goal whose ladder ended. That goal is in `escalated`
 * instead, on every day on which a ladder of it ended.
 */
export interface WeekDay {
  readonly date: string;
  readonly verified: number;
  readonly claimed: number;
  /** Complete, but not even its executor says that it is done. */
  readonly notChecked: number;
  /** How many of the verified or claimed goals have a proof, or a part of it, that a person accepted. Absent for 0. */
  readonly accepted?: number;
  /** Failed before any person was asked. */
  readonly failed: number;
  /** Goals whose ladder ended, so that a person was asked, whatever the result. */
  readonly escalated: number;
  readonly spentMicroUsd: number;
}

/** The success metrics of seed 004 §7. Shares from 0 to 1. Null when there is nothing to measure. */
export interface WeekMetrics {
  /** The share of completed or failed goals for which something was executed. */
  readonly realExecution: number | null;
  /** The share of goals whose trouble ended that were completed without a person. */
  readonly automaticRecovery: number | null;
  /** The share of completed goals about which no person answered a question. */
  readonly withoutReview: number | null;
  /** The share of ended campaigns that were completed: of those that ended in the week, and of all until its end. */
  readonly multiDay: number | null;
  readonly multiDayEver: number | null;
  readonly verifiedOfComplete: number | null;
  readonly completionRate: number | null;
  /** The completion rate minus that of the four weeks before, from -1 to 1. */
  readonly trend: number | null;
  readonly costPerCompletedMicroUsd: number | null;
  /** The cost of a completed goal in the four weeks before. */
  readonly costPerCompletedBeforeMicroUsd: number | null;
  /** The average time from a question to the answer that settled it. */
  readonly averageResponseMs: number | null;
}

/** Every metric that is one fraction. The trend is the difference of two. */
export type WeekFractions = Readonly<Record<Exclude<keyof WeekMetrics, "trend"> | "completionRateBefore", Fraction>>;

export interface Week {
  readonly from: string;
  readonly to: string;
  readonly days: readonly WeekDay[];
  readonly complete: number;
  /** How many of the complete goals had criteria that the system ran and that passed. */
  readonly verified: number;
  /** How many of the verified goals have nothing that proves their change. */
  readonly guardsOnly: number;
  /** How many of the verified goals, and of the claimed goals, have a proof that a person accepted completely or in part. */
  readonly verifiedAccepted: number;
  readonly accepted: number;
  /** Number of goals of which only the executor says that they are done. */
  readonly claimed: number;
  readonly notChecked: number;
  readonly failed: number;
  /** How many of the failed goals failed because their ladder ended, and a person was asked. */
  readonly failedOnLadder: number;
  /** Set aside by a person without having failed. */
  readonly deferred: number;
  /** Left to a person without having failed. */
  readonly manual: number;
  readonly branches: WeekBranches;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly dayCeilingMicroUsd: number;
  readonly metrics: WeekMetrics;
  readonly fractions: WeekFractions;
  /** Goals that leave something out of their worklogs, of those added in the week (seed 000 §1.3). */
  readonly leftOut: Fraction;
}

/** Computes a week from its rows: days, totals and the success metrics of seed 004 §7. S4-WK-01, S4-WK-06, S4-WK-07, C-90. */
export function weekOf(rows: WeekRows): Week {
  const dates = datesBetween(rows.from, rows.to);
  const on = (at: Date): string => localDate(at, rows.zone);
  const ended = rows.ended.filter(({ at }) => dates.includes(on(at)));
  const of = (type: GoalOutcome["type"]) => ended.filter((goal) => goal.type === type);
  const complete = of("complete");
  const tagged = (tag: EvidenceTag) => complete.filter((goal) => goal.tag === tag).length;
  const accepted = (tag: EvidenceTag) =>
    complete.filter((goal) => goal.tag === tag && goal.accepted !== undefined).length;
  const days = dates.map((date) => dayOf(rows, date, (at) => on(at) === date));
  const spentMicroUsd = days.reduce((sum, day) => sum + day.spentMicroUsd, 0);
  const fractions = fractionsOf(rows, { dates, ended, spentMicroUsd });
  return {
    from: rows.from,
    to: rows.to,
    days,
    complete: complete.length,
    verified: tagged("verified"),
    guardsOnly: complete.filter((goal) => goal.guardsOnly === true).length,
    verifiedAccepted: accepted("verified"),
    accepted: accepted("claimed"),
    claimed: tagged("claimed"),
    notChecked: tagged("not checked"),
    failed: of("failed").length,
    failedOnLadder: of("failed").filter((goal) => goal.wasEscalated).length,
    deferred: of("deferred").length,
    manual: of("manual").length,
    branches: rows.branches,
    spentMicroUsd,
    spentIsEstimated: rows.spentIsEstimated,
    dayCeilingMicroUsd: rows.dayCeilingMicroUsd,
    metrics: metricsOf(fractions),
    fractions,
    leftOut: rows.leftOut,
  };
}

function dayOf(rows: WeekRows, date: string, isOn: (at: Date) => boolean): WeekDay {
  const mine = rows.ended.filter(({ at }) => isOn(at));
  const done = (tag: EvidenceTag) => mine.filter((goal) => goal.type === "complete" && goal.tag === tag).length;
  const accepted = mine.filter((goal) => goal.type === "complete" && goal.accepted !== undefined).length;
  return {
    date,
    verified: done("verified"),
    claimed: done("claimed"),
    notChecked: done("not checked"),
    ...(accepted === 0 ? {} : { accepted }),
    failed: mine.filter((goal) => goal.type === "failed" && !goal.wasEscalated).length,
    escalated: new Set(rows.escalated.filter(({ at }) => isOn(at)).map(({ goalId }) => goalId)).size,
    spentMicroUsd: rows.spent[date] ?? 0,
  };
}

/** The goals and the money of the week itself. */
interface Counted {
  readonly dates: readonly string[];
  readonly ended: readonly EndedGoal[];
  readonly spentMicroUsd: number;
}

function fractionsOf(rows: WeekRows, { dates, ended, spentMicroUsd }: Counted): WeekFractions {
  const on = (at: Date): string => localDate(at, rows.zone);
  const worked = ended.filter((goal) => goal.type === "complete" || goal.type === "failed");
  const complete = ended.filter((goal) => goal.type === "complete");
  const decisions = rows.decisions.filter(({ at }) => dates.includes(on(at)));
  const everEnded = rows.campaignsEnded.filter(({ at }) => on(at) <= rows.to);
  const campaigns = everEnded.filter(({ at }) => on(at) >= rows.from);
  const { before } = rows;
  const share = <Item>(items: readonly Item[], isMeant: (item: Item) => boolean): Fraction => ({
    numerator: items.filter(isMeant).length,
    denominator: items.length,
  });
  return {
    realExecution: share(worked, (goal) => goal.wasExecuted),
    automaticRecovery: share(rows.troubles, (trouble) => trouble.wasMended),
    withoutReview: share(complete, (goal) => !goal.wasDecided),
    multiDay: share(campaigns, (campaign) => campaign.isComplete),
    multiDayEver: sumOf(
      share(everEnded, (campaign) => campaign.isComplete),
      rows.campaignsBefore,
    ),
    verifiedOfComplete: share(complete, (goal) => goal.tag === "verified"),
    completionRate: share(worked, (goal) => goal.type === "complete"),
    completionRateBefore: { numerator: before.complete, denominator: before.complete + before.failed },
    costPerCompletedMicroUsd: { numerator: spentMicroUsd, denominator: complete.length },
    costPerCompletedBeforeMicroUsd: { numerator: before.spentMicroUsd, denominator: before.complete },
    averageResponseMs: {
      numerator: decisions.reduce((sum, each) => sum + each.waitedMs, 0),
      denominator: decisions.length,
    },
  };
}

function sumOf(one: Fraction, other: Fraction): Fraction {
  return {
    numerator: one.numerator + other.numerator,
    denominator: one.denominator + other.denominator,
  };
}

function metricsOf(fractions: WeekFractions): WeekMetrics {
  const { completionRateBefore, ...others } = fractions;
  const [now, then] = [quotient(others.completionRate), quotient(completionRateBefore)];
  return {
    realExecution: quotient(others.realExecution),
    automaticRecovery: quotient(others.automaticRecovery),
    withoutReview: quotient(others.withoutReview),
    multiDay: quotient(others.multiDay),
    multiDayEver: quotient(others.multiDayEver),
    verifiedOfComplete: quotient(others.verifiedOfComplete),
    completionRate: now,
    trend: now === null || then === null ? null : now - then,
    costPerCompletedMicroUsd: rounded(others.costPerCompletedMicroUsd),
    costPerCompletedBeforeMicroUsd: rounded(others.costPerCompletedBeforeMicroUsd),
    averageResponseMs: rounded(others.averageResponseMs),
  };
}

function quotient({ numerator, denominator }: Fraction): number | null {
  return denominator === 0 ? null : numerator / denominator;
}

function rounded(fraction: Fraction): number | null {
  const found = quotient(fraction);
  return found === null ? null : Math.round(found);
}

function datesBetween(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let date = from; date <= to && dates.length < 400; date = addDays(date, 1)) dates.push(date);
  return dates;
}
