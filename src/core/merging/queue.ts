import { statusWords } from "../cards/status-words.ts";
import type { Goal } from "../goals/goal.ts";

/**
 * Branches of one repository that land one after the other, each verified on what landed before it (D24). One state each:
 *
 *   waits ──on the tip──► merges ──► merged
 *     │ ▲                    └─undone, refused──► left out
 *     │ └──complete again──┐
 *     ├─rebased──────► verifies ──does not hold──► returned ──failed, skipped──► left out
 *     └─conflict─────────────────────────────────────┘
 */
export type QueuedState = "waits" | "verifies" | "returned" | "merges" | "merged" | "left-out";

/** One branch of the queue and what has become of its goal. */
export interface Queued {
  readonly goalId: string;
  readonly state: QueuedState;
  readonly goal: Pick<Goal, "status" | "phase">;
  /** The newest merge of the commit that its goal recorded last; null: none was asked for. */
  readonly merge: { readonly status: MergeStatus; readonly outcome: string | null } | null;
  /** How often it was put on another tip. */
  readonly rounds: number;
}

export type MergeStatus = "due" | "merging" | "merged" | "undone" | "refused" | "discarded";

export type QueueStep =
  /** What is at work comes first. */
  | { readonly type: "rest" }
  /** What has become of one of them is written down. */
  | { readonly type: "note"; readonly goalId: string; readonly state: QueuedState; readonly reason: string | null }
  /** The next one is held against the tip of the base branch. */
  | { readonly type: "look"; readonly goalId: string }
  | { readonly type: "end" };

/**
 * What a queue does next, in its order; asked again until it rests or ends. One lands at a time; one whose verification failed, or
 * which conflicts, holds nobody: it is looked at again when its goal is complete. `over`: why nothing lands any more; null: it does.
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

/** An order in which everything comes behind what it is on top of; else as given. A goal that is not in the list holds nobody. */
export function landingOrder<Each extends { readonly goalId: string; readonly after: readonly string[] }>(
  goals: readonly Each[],
): Each[] {
  const left = [...goals];
  const ordered: Each[] = [];
  while (left.length > 0) {
    const ids = new Set(left.map((goal) => goal.goalId));
    const at = left.findIndex((goal) => !goal.after.some((each) => ids.has(each)));
    // A circle cannot be made; should there be one, it lands as given.
    ordered.push(...left.splice(Math.max(0, at), 1));
  }
  return ordered;
}
