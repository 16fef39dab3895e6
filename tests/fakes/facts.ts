import type { SessionGoal } from "../../src/core/goals/next.ts";
import { type Week, weekOf } from "../../src/core/reports/week.ts";
import type { WeekRows } from "../../src/core/reports/week-rows.ts";

/** A goal of a session as decisions see it: pending, and free. */
export function sessionGoal(goalId: string, more: Partial<SessionGoal> = {}): SessionGoal {
  return { goalId, status: "pending", isLeased: false, question: "none", unmet: [], ...more };
}

/** A week in which nothing happened, but for what is given. */
export function weekWith(rows: Pick<WeekRows, "from" | "to" | "zone"> & Partial<WeekRows>): Week {
  return weekOf({
    ended: [],
    troubles: [],
    escalated: [],
    decisions: [],
    branches: { merged: 0, discarded: 0, reverted: 0, undecided: 0 },
    spent: {},
    spentIsEstimated: false,
    campaignsEnded: [],
    campaignsBefore: { numerator: 0, denominator: 0 },
    before: { complete: 0, failed: 0, spentMicroUsd: 0 },
    dayCeilingMicroUsd: 30_000_000,
    leftOut: { numerator: 0, denominator: 0 },
    ...rows,
  });
}
