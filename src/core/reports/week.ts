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
    /** A person settled a question about it between its start and its end. */
    readonly wasDecided: boolean;
  }[];
  /** Goals that reached a person at their ladder's end. */
  readonly escalated: readonly { readonly at: Date }[];
  /** Questions that were settled. */
  readonly decisions: readonly { readonly at: Date; readonly waitedMs: number }[];
  readonly spent: Readonly<Record<string, number>>;
  /** Completed and ended goals of the four weeks before, for the trend. */
  readonly before: { readonly complete: number; readonly ended: number };
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

/** Shares from 0 to 1; null where there is nothing to measure. */
export interface WeekMetrics {
  /** Goals that ended for which something was executed (seed 004 §7). */
  readonly realExecution: number | null;
  /** Of the goals that failed at least once and ended: completed without a person. */
  readonly automaticRecovery: number | null;
  /** Completed goals that no person was asked about. */
  readonly withoutReview: number | null;
  readonly verifiedOfComplete: number | null;
  readonly completionRate: number | null;
  /** Completion rate against the four weeks before, in points from -1 to 1. */
  readonly trend: number | null;
  readonly costPerCompletedMicroUsd: number | null;
  readonly averageResponseMs: number | null;
}

export interface Week {
  readonly from: string;
  readonly to: string;
  readonly days: readonly WeekDay[];
  readonly complete: number;
  readonly failed: number;
  readonly spentMicroUsd: number;
  readonly dayCeilingMicroUsd: number;
  readonly metrics: WeekMetrics;
}

/** A week out of its rows: days, totals and the success metrics of seed 004 §7. S4-WK-01, S4-WK-06, S4-WK-07, C-90. */
export function weekOf(rows: WeekRows): Week {
  const dates = datesBetween(rows.from, rows.to);
  const on = (at: Date): string => localDate(at, rows.zone);
  const ended = rows.ended.filter(({ at }) => dates.includes(on(at)));
  const complete = ended.filter((goal) => goal.isComplete);
  const decisions = rows.decisions.filter(({ at }) => dates.includes(on(at)));
  const days = dates.map((date): WeekDay => {
    const mine = ended.filter(({ at }) => on(at) === date);
    const done = mine.filter((goal) => goal.isComplete);
    const verified = done.filter((goal) => goal.tag === "verified").length;
    return {
      date,
      verified,
      claimed: done.length - verified,
      failed: mine.length - done.length,
      escalated: rows.escalated.filter(({ at }) => on(at) === date).length,
      spentMicroUsd: rows.spent[date] ?? 0,
    };
  });
  const spentMicroUsd = days.reduce((sum, day) => sum + day.spentMicroUsd, 0);
  const troubled = ended.filter((goal) => goal.failedAttempts > 0);
  const completionRate = share(complete.length, ended.length);
  const rateBefore = share(rows.before.complete, rows.before.ended);
  const waited = decisions.reduce((sum, each) => sum + each.waitedMs, 0);
  return {
    from: rows.from,
    to: rows.to,
    days,
    complete: complete.length,
    failed: ended.length - complete.length,
    spentMicroUsd,
    dayCeilingMicroUsd: rows.dayCeilingMicroUsd,
    metrics: {
      realExecution: share(ended.filter((goal) => goal.wasExecuted).length, ended.length),
      automaticRecovery: share(troubled.filter((goal) => goal.isComplete && !goal.wasDecided).length, troubled.length),
      withoutReview: share(complete.filter((goal) => !goal.wasDecided).length, complete.length),
      verifiedOfComplete: share(complete.filter((goal) => goal.tag === "verified").length, complete.length),
      completionRate,
      trend: completionRate === null || rateBefore === null ? null : completionRate - rateBefore,
      costPerCompletedMicroUsd: complete.length === 0 ? null : Math.round(spentMicroUsd / complete.length),
      averageResponseMs: decisions.length === 0 ? null : Math.round(waited / decisions.length),
    },
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function datesBetween(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let date = from; date <= to && dates.length < 400; date = addDays(date, 1)) dates.push(date);
  return dates;
}
