import type { CheckpointKind } from "../checkpoints/checkpoint.ts";
import { endedStatuses, type GoalStatus } from "./goal.ts";

/** The kind of a session: started by a person, a day of a campaign, or a night contract. */
export type SessionKind = "plain" | "campaign" | "night";

export interface SessionGoal {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly isLeased: boolean;
  /** Whether a card about it is open, and whether that card also holds the goals behind it. */
  readonly question: QuestionHold;
  /** Goals that it builds on and that are not ready (D37). */
  readonly unmet: readonly string[];
}

export type QuestionHold = "none" | "holds" | "passes";

/**
 * Returns what an open card does to the goals behind its own. It holds them only in a plain session that goes in order, and
 * never when it is the question of rung 3 (D19, D37, C-94).
 */
export function holdOf(
  question: CheckpointKind | undefined,
  session: { readonly kind: SessionKind; readonly inOrder: boolean },
): QuestionHold {
  if (question === undefined) return "none";
  return question !== "clarify" && goesInOrder(session) ? "holds" : "passes";
}

/** True when each goal of the session must wait for the goal before it. */
export function goesInOrder({ kind, inOrder }: { readonly kind: SessionKind; readonly inOrder: boolean }): boolean {
  return kind === "plain" && inOrder;
}

export type NextInSession =
  | { readonly type: "run"; readonly goalId: string }
  /** A worker holds this goal. */
  | { readonly type: "busy"; readonly goalId: string }
  /** Nothing can start before an open card is answered: the card holds the session (S4-AP-05), or no other goal is left. */
  | { readonly type: "waits"; readonly goalId: string }
  | { readonly type: "done" };

/**
 * Decides what a session does next: its goals in order, one at a time. Skips ended and parked goals, goals on top of one that is
 * not ready, and goals with an open card that does not hold the session. It is done when no answer could bring a goal back.
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
