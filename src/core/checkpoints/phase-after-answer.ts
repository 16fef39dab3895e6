import type { Phase } from "../goals/goal.ts";
import type { GoalCheckpoint } from "./checkpoint.ts";
import { offersCriterion } from "./find-option.ts";

/** What an answer changes about the goal: nothing, only its criteria, or the work. */
export type ChangedByAnswer = "nothing" | "criteria" | "work";

/**
 * Returns the phase in which a goal continues after Proceed, Modify or Retry; `phase` is the one in which it waits. Changed work is
 * implemented. An earlier vote may have changed the goal already (COS_QUORUM); then the goal waits in the phase for that change.
 */
export function phaseAfterAnswer(
  checkpoint: Pick<GoalCheckpoint, "kind" | "options">,
  phase: Phase,
  changed: ChangedByAnswer,
): Phase {
  // New criteria apply to the work as it is.
  if (changed === "criteria" && offersCriterion(checkpoint)) return "verify";
  switch (checkpoint.kind) {
    case "hiccup":
      // Interrupted during verify or finish: the work exists. When it must be redone, the question waits at the start phase.
      return phase === "implement" || changed !== "nothing" ? "start" : phase;
    case "start":
    case "breaker":
      return "start";
    case "permission":
    case "clarify":
      return "implement";
    case "escalation":
      // The work is done and its push was refused: push again.
      return phase === "finish" && changed === "nothing" ? "finish" : "implement";
    // The phase that asked continues.
    case "ceiling":
    case "continue":
    case "diff":
    case "proof":
    case "critics":
    case "approval":
      return changed === "nothing" || phase === "start" ? phase : "implement";
  }
}
