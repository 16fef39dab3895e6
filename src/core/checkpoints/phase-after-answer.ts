import type { Phase } from "../goals/goal.ts";
import type { GoalCheckpoint } from "./checkpoint.ts";
import { offersCriterion } from "./find-option.ts";

/** What an answer changes of the goal: nothing, only what its work is held to, or the work. */
export type ChangedByAnswer = "nothing" | "criteria" | "work";

/**
 * The phase that a goal goes on with after Proceed, Modify or Retry; `phase` is the one it waits at. What was changed is worked.
 * One of several who have to agree may have changed it before (COS_QUORUM): the goal waits at the phase for that since.
 */
export function phaseAfterAnswer(
  checkpoint: Pick<GoalCheckpoint, "kind" | "options">,
  phase: Phase,
  changed: ChangedByAnswer,
): Phase {
  // Other criteria are about the work as it is.
  if (changed === "criteria" && offersCriterion(checkpoint)) return "verify";
  switch (checkpoint.kind) {
    case "hiccup":
      // Interrupted while it was verified or finished: the work is there. Where that has to be done anew the question waits at the start.
      return phase === "implement" || changed !== "nothing" ? "start" : phase;
    case "start":
    case "breaker":
      return "start";
    case "permission":
    case "clarify":
      return "implement";
    case "escalation":
      // The work is done, and its push was refused: it is pushed again.
      return phase === "finish" && changed === "nothing" ? "finish" : "implement";
    // The phase that asked goes on.
    case "ceiling":
    case "continue":
    case "diff":
    case "proof":
    case "critics":
    case "approval":
      return changed === "nothing" || phase === "start" ? phase : "implement";
  }
}
