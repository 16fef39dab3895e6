import type { Reason } from "../checkpoints/checkpoint.ts";
import { firstLine } from "../text.ts";
import type { StopRequest } from "./goal.ts";

/** Why the engine ended an execution. */
export type CutReason = StopRequest | "ceiling" | "lost" | "shutdown";

/** How an execution ended, with only the facts that `decideAfter` needs. */
export type ExecutionEnd =
  | { readonly type: "finished"; readonly summary: string }
  | {
      readonly type: "failed" | "timeout" | "unavailable" | "needs-login";
      readonly reason: string;
    }
  | { readonly type: "permission" }
  | { readonly type: "cut"; readonly why: CutReason }
  /** A file could not be written because the disk is full. */
  | { readonly type: "no-space"; readonly reason: string }
  /** The agent did not start in time (F-305). */
  | { readonly type: "not-started"; readonly reason: string }
  /** The work could not start or could not be saved: repository, worktree, setup, commit, push. `of` names a step that failed. */
  | { readonly type: "setup-failure"; readonly of?: "commit"; readonly reason: string };

export interface AfterFacts {
  readonly end: ExecutionEnd;
  /** A person's stop request during the execution, read in the recording transaction. */
  readonly stopRequested: StopRequest | null;
  readonly changedFiles: number;
  readonly branch: string;
  readonly isOwnCommand: boolean;
  /** Triggers that fired on the diff and that nobody has settled in this run (D28). */
  readonly diffReasons: readonly Reason[];
}

export type AfterDecision =
  | { readonly type: "complete"; readonly outcome: string }
  | { readonly type: "ask-about-result"; readonly reasons: readonly Reason[] }
  | { readonly type: "ask-permission" }
  /** The attempt failed: the recovery ladder decides what to do next (S4-AP-16, D19). */
  | {
      readonly type: "recover";
      readonly end: "failed" | "timeout" | "unavailable" | "needs-login";
      readonly reason: string;
    }
  /** The goal fails without a question to a person (D18). */
  | { readonly type: "fail"; readonly error: string; readonly why: "ceiling" | "setup" }
  /** The goal waits for a person without a question. */
  | { readonly type: "park"; readonly outcome: string }
  | { readonly type: "defer" }
  /** The goal was edited: start again with the new content. */
  | { readonly type: "restart" }
  /**
   * The engine cut the work, the disk was full, or the agent did not start: continue at the last resume point (D8).
   * `counts` is true when this goal may be what makes its worker crash.
   */
  | { readonly type: "resume-later"; readonly counts: boolean; readonly because: Interruption | null };

/**
 * Why work was interrupted although nobody ended it. `space`: the disk is full; the goal continues after a delay.
 * `disk`: its disk was no longer there. `agent`: the agent did not start. After these two the goal is due again at once.
 */
export interface Interruption {
  readonly by: "space" | "disk" | "agent";
  readonly reason: string;
}

/**
 * Decides what follows an execution. Finished work is kept even when a person asked for a pause during the work; the session
 * is paused anyway. Exit code 0 is a claim, not a proof (D27). D8, D18, D22, D27, D28, S4-AP-16, C-72.
 */
export function decideAfter(facts: AfterFacts): AfterDecision {
  const { end } = facts;
  switch (end.type) {
    case "finished":
      return afterFinished(facts, end.summary);
    case "cut":
      return decideEnded(end.why, facts.stopRequested);
    case "no-space":
      return decideInterruption({ by: "space", reason: end.reason }, facts.stopRequested);
    case "not-started":
      return decideInterruption({ by: "agent", reason: end.reason }, facts.stopRequested);
    case "permission":
      return facts.stopRequested === null ? { type: "ask-permission" } : decideCut(facts.stopRequested);
    case "setup-failure":
      return {
        type: "fail",
        error: end.of === "commit" ? `Not committed: ${end.reason}` : `Setup failed: ${end.reason}`,
        why: "setup",
      };
    case "failed":
    case "timeout":
    case "unavailable":
    case "needs-login":
      // A failure does not override a person's skip, stop or modify. A pause keeps the goal's place in any case.
      if (facts.stopRequested !== null && facts.stopRequested !== "pause") return decideCut(facts.stopRequested);
      return { type: "recover", end: end.type, reason: end.reason };
  }
}

function afterFinished(facts: AfterFacts, summary: string): AfterDecision {
  if (facts.stopRequested === "skip") return { type: "defer" };
  if (facts.stopRequested === "modify") return { type: "restart" };
  if (facts.changedFiles === 0) {
    const said = facts.isOwnCommand ? "the command ended with exit code 0" : firstLine(summary, 300);
    return { type: "complete", outcome: `No change: ${said}` };
  }
  if (facts.diffReasons.length > 0) return { type: "ask-about-result", reasons: facts.diffReasons };
  return {
    type: "complete",
    outcome: completeOutcome(facts.changedFiles, facts.branch, facts.isOwnCommand ? "" : summary),
  };
}

/** Returns one line that describes the result of a goal with changes. */
export function completeOutcome(changedFiles: number, branch: string, summary: string): string {
  const files = `${changedFiles} ${changedFiles === 1 ? "file" : "files"} changed on ${branch}`;
  return summary.trim() === "" ? `${files}.` : `${files}. ${firstLine(summary, 600)}`;
}

export type CutDecision = Extract<AfterDecision, { type: "fail" | "defer" | "restart" | "park" | "resume-later" }>;

/** Decides what follows when the engine ended the work itself (D8). */
export function decideCut(why: CutReason): CutDecision {
  switch (why) {
    case "ceiling":
      return { type: "fail", error: "Stopped at its cost ceiling", why: "ceiling" };
    case "skip":
      return { type: "defer" };
    case "modify":
      return { type: "restart" };
    case "stop":
      return { type: "park", outcome: "Stopped while it was being worked." };
    case "pause":
    case "shutdown":
      return { type: "resume-later", counts: false, because: null };
    case "lost":
      return { type: "resume-later", counts: true, because: null };
  }
}

/**
 * Decides what follows when the engine ended the work for the reason `heard`. A person's skip, modify or stop that arrived before
 * the end is recorded takes precedence over `heard`. A pause does not: it keeps the goal's place, whatever ended the work.
 */
export function decideEnded(heard: CutReason, stopRequested: StopRequest | null): CutDecision {
  return decideCut(cutFor(heard, stopRequested));
}

/** Returns the reason that counts: a stop request other than a pause takes precedence over the reason `heard`. */
export function cutFor(heard: CutReason, stopRequested: StopRequest | null): CutReason {
  return stopRequested === null || stopRequested === "pause" ? heard : stopRequested;
}

/** Decides what follows an interruption. A person's stop request takes precedence. */
export function decideInterruption(because: Interruption, stopRequested: StopRequest | null): CutDecision {
  if (stopRequested !== null) return decideCut(stopRequested);
  return { type: "resume-later", counts: true, because };
}
