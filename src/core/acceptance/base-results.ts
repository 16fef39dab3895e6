import { failureFingerprint } from "../recovery/fingerprint.ts";
import type { CriterionResult } from "./results.ts";

/** One result of a repository check at a base commit, in a folder where nothing but the base had run. */
export interface BaseResult {
  readonly result: "pass" | "fail";
  /** Identifies the failure; empty for a pass. */
  readonly fingerprint: string;
}

/** A check that fails in a different way each time excuses nothing. */
const mostRuns = 3;

/**
 * Judges a check at the base from its kept results. A failure of the work is excused only if the base failed twice in the same way (AC-29,
 * D38). One pass shows that the check can pass. `unknown`: it has to run at the base once more.
 */
export function judgeBase(kept: readonly BaseResult[]): "passes" | "fails" | "unsteady" | "unknown" {
  if (kept.some((each) => each.result === "pass")) return "passes";
  const prints = kept.map((each) => each.fingerprint);
  if (new Set(prints).size < prints.length) return "fails";
  return kept.length >= mostRuns ? "unsteady" : "unknown";
}

/**
 * A result at the base in the form that is kept. Null when the check could not be started, which says nothing about it. `place` is the
 * folder of this run, which differs each time; it is replaced in the error text.
 */
export function baseResultOf(result: CriterionResult, place: string): BaseResult | null {
  if (result.status === "pass") return { result: "pass", fingerprint: "" };
  if (result.status !== "fail" || result.output === null) return null;
  const error = result.details.join("\n").replaceAll(place, "<place>");
  return { result: "fail", fingerprint: failureFingerprint({ kind: "criteria", error, criteria: [], files: [] }) };
}
