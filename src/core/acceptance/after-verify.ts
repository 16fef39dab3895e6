import { isRepositoryCheck } from "./repository-check.ts";
import type { StopRequest } from "../goals/goal.ts";
import { type CriterionResult, waitsForForge } from "./results.ts";

export interface VerifiedFacts {
  /** Every criterion and check, in order. */
  readonly results: readonly CriterionResult[];
  /** Failing criteria that pass with the touched proof files as the work left them. */
  readonly passAsCommitted: readonly string[];
  readonly touchedProof: readonly string[];
  /** Reasons from trials to ask a person about criteria that passed (D38). */
  readonly trialReasons: readonly string[];
  /** True when a person accepted the touched proof files, and the findings of trials, in this run. */
  readonly proofIsAccepted: boolean;
  readonly stopRequested: StopRequest | null;
  /** This round included. */
  readonly round: number;
  readonly rounds: number;
  /**
   * True when the executor was already told of exactly these failures at exactly this commit, and changed nothing. Telling it again is
   * useless.
   */
  readonly isToldInVain: boolean;
  /** Failing criteria whose program is missing on the machine and cannot be installed by the work. */
  readonly lackProgram: readonly string[];
  /** True for a goal with its own command, which cannot be told what is wrong. */
  readonly isOwnCommand: boolean;
}

export type VerifiedDecision =
  | { readonly type: "passed" }
  /** Failing only because proof files were changed: a person sees the difference (D26). */
  | { readonly type: "ask-about-proof"; readonly files: readonly string[]; readonly criteria: readonly string[] }
  /** A check at the forge failed too often or gave no result: a person decides. */
  | { readonly type: "ask-about-forge"; readonly reasons: readonly string[]; readonly criteria: readonly string[] }
  /** All pass, but a trial showed that a proof is worth little: a person decides (D38). */
  | { readonly type: "ask-about-trials"; readonly reasons: readonly string[] }
  /** Back to the executor, with exactly what failed (AC-7). */
  | { readonly type: "again"; readonly failing: readonly string[] }
  /** `isUnexaminable`: nobody can check the failing criteria, so another attempt would prove nothing. */
  | { readonly type: "fail"; readonly failing: readonly string[]; readonly isUnexaminable: boolean }
  | { readonly type: "stopped"; readonly why: StopRequest };

/** An unchecked criterion does not hold. An unchecked repository check, which cannot be blamed on the work, is no obstacle (D25). */
function holds(result: CriterionResult): boolean {
  if (waitsForForge(result)) return true;
  if (result.status === "not-checked") return isRepositoryCheck(result.id);
  return result.status !== "fail";
}

/** The ids of the results that do not hold. */
export function failingCriteria(results: readonly CriterionResult[]): string[] {
  return results.filter((result) => !holds(result)).map((result) => result.id);
}

/** Decides what follows a verification round. No failing criterion can lead to "passed". D21, D26, S2-RJ-01. */
export function decideVerified(facts: VerifiedFacts): VerifiedDecision {
  if (facts.stopRequested === "skip" || facts.stopRequested === "modify")
    return { type: "stopped", why: facts.stopRequested };

  const asked = facts.results.filter((result) => result.asks != null);
  const passes = (result: CriterionResult): boolean =>
    holds(result) || asked.includes(result) || (facts.proofIsAccepted && facts.passAsCommitted.includes(result.id));
  const failing = facts.results.filter((result) => !passes(result)).map((result) => result.id);
  if (failing.length === 0 && asked.length > 0 && !facts.proofIsAccepted) {
    const reasons = [
      ...asked.flatMap(({ id, asks }) => (asks == null ? [] : [`${id}: ${asks}`])),
      ...facts.trialReasons,
    ];
    return { type: "ask-about-forge", reasons, criteria: asked.map(({ id }) => id) };
  }
  if (failing.length === 0 && facts.trialReasons.length > 0 && !facts.proofIsAccepted)
    return { type: "ask-about-trials", reasons: facts.trialReasons };
  if (failing.length === 0) return { type: "passed" };
  const unchecked = facts.results.filter(({ id, status }) => status === "not-checked" && failing.includes(id));
  const lookedAt = failing.filter((id) => !unchecked.some((each) => each.id === id) && !facts.lackProgram.includes(id));
  if (lookedAt.length === 0) return { type: "fail", failing, isUnexaminable: true };

  const onlyByProof = failing.every((id) => facts.passAsCommitted.includes(id));
  if (onlyByProof && facts.touchedProof.length > 0) {
    return { type: "ask-about-proof", files: facts.touchedProof, criteria: failing };
  }
  if (facts.isOwnCommand || facts.isToldInVain || facts.round >= facts.rounds)
    return { type: "fail", failing, isUnexaminable: false };
  return { type: "again", failing };
}
