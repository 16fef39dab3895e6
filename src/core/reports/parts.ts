import type { GoalStatus } from "../goals/goal.ts";

/**
 * The parts of a standup. Every goal is in exactly one part, or in none if it ended and was reported before.
 *
 *   it ended since the last one   done · failed · deferred
 *   a person is needed            waits (an open question is about it) · parked · manual · unmerged (finished before)
 *   it goes on                    working (or its branch is being merged) · planned (in a session, or free for one)
 *                                 · campaign (waits for its day)
 */
export const parts = [
  "done",
  "failed",
  "deferred",
  "waits",
  "parked",
  "manual",
  "unmerged",
  "working",
  "planned",
  "campaign",
] as const;
export type ReportPart = (typeof parts)[number];

export interface PartFacts {
  readonly status: GoalStatus;
  readonly isLeased: boolean;
  /** True when an open question is about it. */
  readonly isAsked: boolean;
  /** True when it ended since the last standup. */
  readonly isNews: boolean;
  /** True when it is complete and nobody has decided about its branch. */
  readonly isUndecided: boolean;
  /** True when it is complete and its branch is being merged or waits in a merge queue. */
  readonly isMerging: boolean;
  /** True when it is in an open session. */
  readonly isInSession: boolean;
  /** True when it is in a campaign that is not over. */
  readonly isInCampaign: boolean;
}

/** The part of the standup that a goal belongs to. Null for none. */
export function reportPartOf(goal: PartFacts): ReportPart | null {
  switch (goal.status) {
    case "complete":
      if (goal.isNews) return "done";
      if (goal.isMerging) return "working";
      return goal.isUndecided ? "unmerged" : null;
    case "failed":
    case "deferred":
      return goal.isNews ? goal.status : null;
    case "manual_followup":
      return "manual";
    case "blocked":
    case "in_progress":
    case "pending":
      return openPartOf(goal.status, goal);
  }
}

function openPartOf(status: "blocked" | "in_progress" | "pending", goal: PartFacts): ReportPart {
  if (goal.isAsked) return "waits";
  if (goal.isLeased) return "working";
  if (status === "blocked") return "parked";
  if (goal.isInSession) return status === "in_progress" ? "working" : "planned";
  return goal.isInCampaign ? "campaign" : "planned";
}
