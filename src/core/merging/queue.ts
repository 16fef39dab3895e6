import { statusWords } from "../cards/status-words.ts";
import type { Goal } from "../goals/goal.ts";

/**
 * Branches of one repository that are merged one after the other, each verified on what was merged before it (D24). Their states:
 *
 *   waits ──on the tip──► merges ──► merged
 *     │ ▲                    └─undone, refused──► left out
 *     │ └──complete again──┐
 *     ├─rebased──────► verifies ──does not hold──► returned ──failed, skipped──► left out
 *     └─conflict─────────────────────────────────────┘
 */
export type QueuedState = "waits" | "verifies" | "returned" | "merges" | "merged" | "left-out";

/** One branch of the queue, with the state of its goal. */
export interface Queued {
  readonly goalId: string;
  readonly state: QueuedState;
  readonly goal: Pick<Goal, "status" | "phase">;
  /** The newest merge of the last recorded commit of its goal. Null when none was asked for. */
  readonly merge: { readonly status: MergeStatus; readonly outcome: string | null } | null;
  /** How often it was put on another tip. */
  readonly rounds: number;
}

export type MergeStatus = "due" | "merging" | "merged" | "undone" | "refused" | "discarded";

export type QueueStep =
  /** A branch is being worked or merged; the queue waits for it. */
  | { readonly type: "rest" }
  /** Record the new state of a branch. */
  | { readonly type: "note"; readonly goalId: string; readonly state: QueuedState; readonly reason: string | null }
  /** Compare the next branch with the tip of the base branch. */
  | { readonly type: "look"; readonly goalId: string }
  | { readonly type: "end" };

/**
 * Decides the next step of a queue. It is called again until it rests or ends. One branch is merged at a time. A branch whose verification
 * failed, or that conflicts, does not hold the others: it is looked at again when its goal is complete. `over`: why nothing is merged any
 * more; null while merging goes on.
 */
export function nextInQueue(queue: readonly Queued[], over: string | null): QueueStep {
  let isOpen = false;
  for (const queued of queue) {
    const step = stepOf(queued, over);
    if (step === "over") continue;
    isOpen = true;
    if (step !== "later") return step;
  }
  return isOpen ? { type: "rest" } : { type: "end" };
}

function stepOf(queued: Queued, over: string | null): QueueStep | "over" | "later" {
  const { goalId, state, goal, merge } = queued;
  const note = (to: QueuedState, reason: string | null): QueueStep => ({ type: "note", goalId, state: to, reason });
  switch (state) {
    case "merged":
    case "left-out":
      return "over";
    case "merges":
      switch (merge?.status) {
        case "merged":
          return note("merged", null);
        case "due":
        case "merging":
          return { type: "rest" };
        case "undone":
        case "refused":
        case "discarded":
        case undefined:
          // A conflict has become a question about its goal.
          if (goal.status !== "complete") return note("returned", merge?.outcome ?? null);
          return note("left-out", merge?.outcome ?? "the merge was withdrawn");
      }
      break;
    case "verifies":
    case "returned":
      if (over !== null) return note("left-out", over);
      switch (goal.status) {
        case "complete":
          return note("waits", null);
        case "failed":
        case "deferred":
        case "manual_followup":
          return note("left-out", `its goal is ${statusWords(goal.status)}`);
        case "pending":
        case "in_progress":
          if (state === "returned") return "later";
          return goal.phase === "verify" || goal.phase === "finish" ? { type: "rest" } : note("returned", null);
        case "blocked":
          return state === "returned" ? "later" : note("returned", "it waits for a person");
      }
      break;
    case "waits":
      if (merge?.status === "merged") return note("merged", "by itself");
      if (merge?.status === "due" || merge?.status === "merging") return note("merges", null);
      if (merge?.status === "discarded") return note("left-out", "it was discarded");
      if (over !== null) return note("left-out", over);
      return goal.status === "complete" ? { type: "look", goalId } : note("returned", null);
  }
}

/**
 * The goals in their given order, except that every goal comes after the goals that it builds on. A goal that is not in the list is
 * ignored.
 */
export function landingOrder<Each extends { readonly goalId: string; readonly after: readonly string[] }>(
  goals: readonly Each[],
): Each[] {
  const left = [...goals];
  const ordered: Each[] = [];
  while (left.length > 0) {
    const ids = new Set(left.map((goal) => goal.goalId));
    const at = left.findIndex((goal) => !goal.after.some((each) => ids.has(each)));
    // There cannot be a cycle. If there were one, its goals would keep the given order.
    ordered.push(...left.splice(Math.max(0, at), 1));
  }
  return ordered;
}
