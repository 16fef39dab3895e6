import type { EvidenceTag } from "../acceptance/tag.ts";
import { addDays, localDate } from "../time.ts";

/** What a week is computed from: facts as rows tell them, each with its moment. Money in micro-dollars. */
export interface WeekRows {
  /** Both included, local dates. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** Goals that ended, the newest end of each. */
  readonly ended: readonly {
    readonly goalId: string;
    readonly at: Date;
    readonly isComplete: boolean;
    readonly tag: EvidenceTag;
    /** Something was really executed for it. */
    readonly wasExecuted: boolean;
    readonly failedAttempts: number;
    /** A person settled a question about it before its end. */
    readonly wasDecided: boolean;
    /** A person settled one after its first failed attempt. */
    readonly wasHelped: boolean;
  }[];
  /** Goals that reached a person at their ladder's end. */
  readonly escalated: readonly { readonly at: Date }[];
  /** Questions that were settled. */
  readonly decisions: readonly { readonly at: Date; readonly waitedMs: number }[];
  readonly spent: Readonly<Record<string, number>>;
  readonly spentIsEstimated: boolean;
  /** Campaigns that came to their end, at any time. */
  readonly campaignsEnded: readonly { readonly at: Date; readonly isComplete: boolean }[];
  /** Completed and ended goals of the four weeks before and what was spent in them, for the trends. */
  readonly before: { readonly complete: number; readonly ended: number; readonly spentMicroUsd: number };
  readonly dayCeilingMicroUsd: number;
}

export interface WeekDay {
  readonly date: string;
  readonly verified: number;
  readonly claimed: number;
  readonly failed: number;
  readonly escalated: number;
  readonly spentMicroUsd: number;
}

/** The success metrics of seed 004 §7. Shares from 0 to 1; null where there is nothing to measure. */
export interface WeekMetrics {
  /** Of the goals that ended: something was executed for them. */
  readonly realExecution: number | null;
  /** Of the goals that failed at least once and ended: completed without a person. */
  readonly automaticRecovery: number | null;
  /** Completed goals that no person was asked about. */
  readonly withoutReview: number | null;
  /** Of the campaigns that ended in the week, and of all that ever did by its end: completed. */
  readonly multiDay: number | null;
  readonly multiDayEver: number | null;
  readonly verifiedOfComplete: number | null;
  readonly completionRate: number | null;
  /** Completion rate against the four weeks before, in points from -1 to 1. */
  readonly trend: number | null;
  readonly costPerCompletedMicroUsd: number | null;
  /** The same of the four weeks before. */
  readonly costPerCompletedBeforeMicroUsd: number | null;
  /** From a question to the answer that settled it. */
  readonly averageResponseMs: number | null;
}

export interface Week {
  readonly from: string;
  readonly to: string;
  readonly days: readonly WeekDay[];
  readonly complete: number;
  /** Of those that are complete: the system ran their criteria and they passed. The others are claimed. */
  readonly verified: number;
  readonly failed: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly dayCeilingMicroUsd: number;
  readonly metrics: WeekMetrics;
}

/** A week out of its rows: days, totals and the success metrics of seed 004 §7. S4-WK-01, S4-WK-06, S4-WK-07, C-90. */
export function weekOf(rows: WeekRows): Week {
  const dates = datesBetween(rows.from, rows.to);
  const on = (at: Date): string => localDate(at, rows.zone);
  const ended = rows.ended.filter(({ at }) => dates.includes(on(at)));
  const complete = ended.filter((goal) => goal.isComplete);
  const verified = complete.filter((goal) => goal.tag === "verified").length;
  const decisions = rows.decisions.filter(({ at }) => dates.includes(on(at)));
  const days = dates.map((date): WeekDay => {
    const mine = ended.filter(({ at }) => on(at) === date);
    const done = mine.filter((goal) => goal.isComplete);
    const proven = done.filter((goal) => goal.tag === "verified").length;
    return {
      date,
      verified: proven,
      claimed: done.length - proven,
      failed: mine.length - done.length,
      escalated: rows.escalated.filter(({ at }) => on(at) === date).length,
      spentMicroUsd: rows.spent[date] ?? 0,
    };
  });
  const spentMicroUsd = days.reduce((sum, day) => sum + day.spentMicroUsd, 0);
  const troubled = ended.filter((goal) => goal.failedAttempts > 0);
  const completionRate = share(complete.length, ended.length);
  const rateBefore = share(rows.before.complete, rows.before.ended);
  const everEnded = rows.campaignsEnded.filter(({ at }) => on(at) <= rows.to);
  const campaigns = everEnded.filter(({ at }) => on(at) >= rows.from);
  const waited = decisions.reduce((sum, each) => sum + each.waitedMs, 0);
  return {
    from: rows.from,
    to: rows.to,
    days,
    complete: complete.length,
    verified,
    failed: ended.length - complete.length,
    spentMicroUsd,
    spentIsEstimated: rows.spentIsEstimated,
    dayCeilingMicroUsd: rows.dayCeilingMicroUsd,
    metrics: {
      realExecution: share(ended.filter((goal) => goal.wasExecuted).length, ended.length),
      automaticRecovery: share(troubled.filter((goal) => goal.isComplete && !goal.wasHelped).length, troubled.length),
      withoutReview: share(complete.filter((goal) => !goal.wasDecided).length, complete.length),
      multiDay: share(campaigns.filter((campaign) => campaign.isComplete).length, campaigns.length),
      multiDayEver: share(everEnded.filter((campaign) => campaign.isComplete).length, everEnded.length),
      verifiedOfComplete: share(verified, complete.length),
      completionRate,
      trend: completionRate === null || rateBefore === null ? null : completionRate - rateBefore,
      costPerCompletedMicroUsd: rounded(share(spentMicroUsd, complete.length)),
      costPerCompletedBeforeMicroUsd: rounded(share(rows.before.spentMicroUsd, rows.before.complete)),
      averageResponseMs: rounded(share(waited, decisions.length)),
    },
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function rounded(number: number | null): number | null {
  return number === null ? null : Math.round(number);
}

function datesBetween(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let date = from; date <= to && dates.length < 400; date = addDays(date, 1)) dates.push(date);
  return dates;
}
