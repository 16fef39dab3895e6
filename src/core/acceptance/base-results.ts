import { failureFingerprint } from "../recovery/fingerprint.ts";
import type { CriterionResult } from "./results.ts";

/** How a check of the repository ended once at a base commit, in a place in which nothing but the base had run. */
export interface BaseResult {
  readonly result: "pass" | "fail";
  /** What makes two failures the same; empty for a pass. */
  readonly fingerprint: string;
}

/** A check that fails in another way each time is no reason to excuse anything. */
const mostRuns = 3;

/**
 * What kept results say about a check at the base. Only what failed there twice in the same way excuses work that fails
 * it too (AC-29, D38); one pass shows that it can pass. `unknown`: it has to be run there once more.
 */
export function judgeBase(kept: readonly BaseResult[]): "passes" | "fails" | "unsteady" | "unknown" {
  if (kept.some((each) => each.result === "pass")) return "passes";
  const prints = kept.map((each) => each.fingerprint);
  if (new Set(prints).size < prints.length) return "fails";
  return kept.length >= mostRuns ? "unsteady" : "unknown";
}

/**
 * A result at the base as it is kept; null when it says nothing about the check: it could not be started. `place` is
 * where it ran, which is another folder each time.
 */
export function baseResultOf(result: CriterionResult, place: string): BaseResult | null {
  if (result.status === "pass") return { result: "pass", fingerprint: "" };
  if (result.status !== "fail" || result.output === null) return null;
  const error = result.details.join("\n").replaceAll(place, "<place>");
  return { result: "fail", fingerprint: failureFingerprint({ kind: "criteria", error, criteria: [], files: [] }) };
}
