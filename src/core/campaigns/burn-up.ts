import type { EvidenceTag } from "../acceptance/tag.ts";
import type { GoalStatus } from "../goals/goal.ts";
import type { DayPlan } from "./campaign.ts";

/** How many goals of a campaign are done after one of its days. */
export interface BurnUpDay {
  readonly dayNumber: number;
  /** Number of goals planned until then, each counted on the first day that plans it. */
  readonly planned: number;
  /** Number of complete goals, and of those that are verified. Null for a day that has not begun. */
  readonly done: { readonly complete: number; readonly verified: number } | null;
}

interface Burnt {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly tag: EvidenceTag;
  /** The day on which it was last worked. */
  readonly campaignDay: number | null;
}

/** A campaign's progress compared with its plan, day by day. `days` must be in order. S4-CX-12. */
export function burnUpOf(
  days: readonly Pick<DayPlan, "dayNumber" | "status" | "goals">[],
  goals: readonly Burnt[],
): BurnUpDay[] {
  const planned = new Set<string>();
  const complete = goals.filter(({ status }) => status === "complete");
  return days.map(({ dayNumber, status, goals: ofDay }) => {
    for (const { goalId } of ofDay) planned.add(goalId);
    const until = complete.filter(({ campaignDay }) => (campaignDay ?? dayNumber) <= dayNumber);
    const verified = until.filter(({ tag }) => tag === "verified").length;
    const done = status === "pending" ? null : { complete: until.length, verified };
    return { dayNumber, planned: planned.size, done };
  });
}
