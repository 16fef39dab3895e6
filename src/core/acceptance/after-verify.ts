import { isRepositoryCheck } from "./repository-check.ts";
import type { StopRequest } from "../goals/goal.ts";
import { type CriterionResult, waitsForForge } from "./results.ts";

export interface VerifiedFacts {
  /** Every criterion and check, in order. */
  readonly results: readonly CriterionResult[];
  /** Failing ones that pass when the touched proof files count as the work left them. */
  readonly passAsCommitted: readonly string[];
  readonly touchedProof: readonly string[];
  /** Why a person is asked about what passed: its trials (D38). */
  readonly trialReasons: readonly string[];
  /** A person has accepted the touched proof files, and what trials found, in this run. */
  readonly proofIsAccepted: boolean;
  readonly stopRequested: StopRequest | null;
  /** Including this one. */
  readonly round: number;
  readonly rounds: number;
  /** Who was told that exactly this fails of exactly this commit left both as they were: to be told once more changes nothing. */
  readonly isToldInVain: boolean;
  /** Failing ones whose program is not on the machine, where no work can bring it. */
  readonly lackProgram: readonly string[];
  /** A goal's own command cannot be told what is wrong. */
  readonly isOwnCommand: boolean;
}

export type VerifiedDecision =
  | { readonly type: "passed" }
  /** Failing only because files that prove something were changed: a person sees the difference (D26). */
  | { readonly type: "ask-about-proof"; readonly files: readonly string[]; readonly criteria: readonly string[] }
  /** What is checked at the forge failed too often or did not come: a person decides. */
  | { readonly type: "ask-about-forge"; readonly reasons: readonly string[]; readonly criteria: readonly string[] }
  /** All pass, and a proof was seen to be worth little: a person decides (D38). */
  | { readonly type: "ask-about-trials"; readonly reasons: readonly string[] }
  /** Back to whoever does the work, with exactly what failed (AC-7). */
  | { readonly type: "again"; readonly failing: readonly string[] }
  /** `isUnexaminable`: nobody can look at them, so doing the work again proves nothing. */
  | { readonly type: "fail"; readonly failing: readonly string[]; readonly isUnexaminable: boolean }
  | { readonly type: "stopped"; readonly why: StopRequest };

/** A criterion that nobody checked does not hold; a check of the repository that is not blamed is no obstacle (D25). */
function holds(result: CriterionResult): boolean {
  if (waitsForForge(result)) return true;
  if (result.status === "not-checked") return isRepositoryCheck(result.id);
  return result.status !== "fail";
}

/** The ids of what does not hold. */
export function failingCriteria(results: readonly CriterionResult[]): string[] {
  return results.filter((result) => !holds(result)).map((result) => result.id);
}

/** What follows a verification round. D21, D26, S2-RJ-01: no path to "passed" leads past a failing criterion. */
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
