import type { CheckpointKind } from "../checkpoints/checkpoint.ts";
import { endedStatuses, type GoalStatus } from "./goal.ts";

/** What a session is for: what somebody started, a day of a campaign, a night contract. */
export type SessionKind = "plain" | "campaign" | "night";

export interface SessionGoal {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly isLeased: boolean;
  /** An open card about it: it holds the goals behind it too, or the session goes on with them meanwhile. */
  readonly question: QuestionHold;
  /** Goals that it is on top of and that are not ready (D37). */
  readonly unmet: readonly string[];
}

export type QuestionHold = "none" | "holds" | "passes";

/**
 * What an open card does to the goals behind its own: nothing, but in a plain session that goes in order, where every card
 * holds them except the question of rung 3 (D19, D37, C-94).
 */
export function holdOf(
  question: CheckpointKind | undefined,
  session: { readonly kind: SessionKind; readonly inOrder: boolean },
): QuestionHold {
  if (question === undefined) return "none";
  return question !== "clarify" && goesInOrder(session) ? "holds" : "passes";
}

/** Whether somebody wants each goal to wait for the one before it, whatever keeps that. */
export function goesInOrder({ kind, inOrder }: { readonly kind: SessionKind; readonly inOrder: boolean }): boolean {
  return kind === "plain" && inOrder;
}

export type NextInSession =
  | { readonly type: "run"; readonly goalId: string }
  /** A worker is on it. */
  | { readonly type: "busy"; readonly goalId: string }
  /** Nothing goes on before an open card is answered: it holds the session (S4-AP-05), or nothing else is left. */
  | { readonly type: "waits"; readonly goalId: string }
  | { readonly type: "done" };

/**
 * What a session does next: its goals in order, one at a time. Ended and parked goals are passed over, and so are those
 * on top of one that is not ready and those with an open card, unless it holds the session. It is done when nothing is left that an answer could bring back.
 * A session that is stopping starts nothing more. S4-AP-03, S4-AP-05, C-94, C-97, D12, D37.
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
    if (goal.status === "blocked" || goal.unmet.length > 0) continue;
    return { type: "run", goalId: goal.goalId };
  }
  return passed === null ? { type: "done" } : { type: "waits", goalId: passed.goalId };
}
