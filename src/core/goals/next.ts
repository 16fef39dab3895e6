import { endedStatuses, type GoalStatus } from "./goal.ts";

/** A plain session stops at an open card; a campaign's day and a night go on with the next goal (D20). */
export type SessionKind = "plain" | "campaign" | "night";

export interface SessionGoal {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly isLeased: boolean;
  /** An open card about it: it holds the session, or the session goes on with other goals meanwhile (D19, D20). */
  readonly question: "none" | "holds" | "passes";
}

export type NextInSession =
  | { readonly type: "run"; readonly goalId: string }
  /** A worker is on it. */
  | { readonly type: "busy"; readonly goalId: string }
  /** An open card holds the session (S4-AP-05, D20). */
  | { readonly type: "waits"; readonly goalId: string }
  | { readonly type: "done" };

/**
 * What a session does next: its goals in order, one at a time. Ended and parked goals are passed over; an open card
 * stops the session there. A session that is stopping starts nothing more. S4-AP-03, S4-AP-05, C-94, C-97, D12.
 */
export function nextInSession(goals: readonly SessionGoal[], stopping: boolean): NextInSession {
  const busy = goals.find((goal) => goal.isLeased);
  if (busy !== undefined) return { type: "busy", goalId: busy.goalId };
  if (stopping) return { type: "done" };
  let passed: SessionGoal | null = null;
  for (const goal of goals) {
    if (endedStatuses.includes(goal.status)) continue;
    if (goal.question === "passes") {
      passed ??= goal;
      continue;
    }
    if (goal.question === "holds") return { type: "waits", goalId: goal.goalId };
    if (goal.status === "blocked") continue;
    return { type: "run", goalId: goal.goalId };
  }
  return passed === null ? { type: "done" } : { type: "waits", goalId: passed.goalId };
}
