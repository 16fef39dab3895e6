import type { EvidenceTag } from "../acceptance/tag.ts";
import type { GoalStatus } from "../goals/goal.ts";
import type { DayPlan } from "./campaign.ts";

/** How much of a campaign is done after one of its days, in goals. */
export interface BurnUpDay {
  readonly dayNumber: number;
  /** Goals that the plan has until then, each once: on the first day that plans it. */
  readonly planned: number;
  /** Those that are complete, and those of them that are verified; null for a day that has not begun. */
  readonly done: { readonly complete: number; readonly verified: number } | null;
}

interface Burnt {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly tag: EvidenceTag;
  /** The day on which it was worked last. */
  readonly campaignDay: number | null;
}

/** A campaign's burn-up against its plan, day by day. `days` in their order. S4-CX-12. */
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
