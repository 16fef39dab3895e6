import type { Reason } from "../checkpoints/checkpoint.ts";
import { firstLine } from "../text.ts";
import type { StopRequest } from "./goal.ts";

/** Why the engine itself ended an execution. */
export type CutReason = StopRequest | "ceiling" | "lost" | "shutdown";

/** How an execution ended, reduced to what the decision needs. */
export type ExecutionEnd =
  | { readonly type: "finished"; readonly summary: string }
  | {
      readonly type: "failed" | "timeout" | "unavailable" | "needs-login";
      readonly reason: string;
    }
  | { readonly type: "permission" }
  | { readonly type: "cut"; readonly why: CutReason }
  /** Something could not be written for want of space. */
  | { readonly type: "no-space"; readonly reason: string }
  /** The agent did not begin in time (F-305). */
  | { readonly type: "not-started"; readonly reason: string }
  /** The work could not begin or be kept: repository, worktree, setup, commit, push. */
  /** `of`: what failed. */
  | { readonly type: "setup-failure"; readonly of?: "commit"; readonly reason: string };

export interface AfterFacts {
  readonly end: ExecutionEnd;
  /** What a person asked meanwhile, read in the recording transaction. */
  readonly stopRequested: StopRequest | null;
  readonly changedFiles: number;
  readonly branch: string;
  readonly isOwnCommand: boolean;
  /** Reasons from the diff that nobody has settled in this run (D28). */
  readonly diffReasons: readonly Reason[];
}

export type AfterDecision =
  | { readonly type: "complete"; readonly outcome: string }
  | { readonly type: "ask-about-result"; readonly reasons: readonly Reason[] }
  | { readonly type: "ask-permission" }
  /** The attempt failed: the recovery ladder says what follows (S4-AP-16, D19). */
  | {
      readonly type: "recover";
      readonly end: "failed" | "timeout" | "unavailable" | "needs-login";
      readonly reason: string;
    }
  /** Ended without a person (D18). */
  | { readonly type: "fail"; readonly error: string; readonly why: "ceiling" | "setup" }
  /** Waits for a person without a question. */
  | { readonly type: "park"; readonly outcome: string }
  | { readonly type: "defer" }
  /** The goal was edited: begin again with the new content. */
  | { readonly type: "restart" }
  /**
   * Cut short by us, for want of space, or before the agent began: go on at the last resume point (D8). `counts`: it may be
   * the goal that brings its worker down.
   */
  | { readonly type: "resume-later"; readonly counts: boolean; readonly because: Interruption | null };

/** Why work was interrupted that nobody ended: without `space` it goes on after a while, else at once: its `disk` went away, or its `agent` did not begin. */
export interface Interruption {
  readonly by: "space" | "disk" | "agent";
  readonly reason: string;
}

/**
 * What follows an execution. Finished work is kept even when a person asked to pause meanwhile: the session is paused
 * all the same. An exit 0 is a claim, not a proof (D27). D8, D18, D22, D27, D28, S4-AP-16, C-72.
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
      // What a person asked meanwhile is not overruled by a failure; a pause keeps the goal's place all the same.
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

/** How a goal with changes ended, in one line. */
export function completeOutcome(changedFiles: number, branch: string, summary: string): string {
  const files = `${changedFiles} ${changedFiles === 1 ? "file" : "files"} changed on ${branch}`;
  return summary.trim() === "" ? `${files}.` : `${files}. ${firstLine(summary, 600)}`;
}

export type CutDecision = Extract<AfterDecision, { type: "fail" | "defer" | "restart" | "park" | "resume-later" }>;

/** What follows when we ended the work ourselves (D8). */
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
 * What follows when the work was ended for the reason that was heard first, and a person asked something by the time that this
 * is recorded: a skip, a change or a stop that came while a pause or a shutdown was ending it is what they want. A pause keeps
 * the goal's place, whatever ended it.
 */
export function decideEnded(heard: CutReason, stopRequested: StopRequest | null): CutDecision {
  return decideCut(cutFor(heard, stopRequested));
}

/** Why work counts as ended: what was asked comes before what was heard first. */
export function cutFor(heard: CutReason, stopRequested: StopRequest | null): CutReason {
  return stopRequested === null || stopRequested === "pause" ? heard : stopRequested;
}

/** What follows an interruption; what a person asked meanwhile comes first. */
export function decideInterruption(because: Interruption, stopRequested: StopRequest | null): CutDecision {
  if (stopRequested !== null) return decideCut(stopRequested);
  return { type: "resume-later", counts: true, because };
}
