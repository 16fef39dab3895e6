import { isSearch } from "../worklog/searches.ts";
import { criterionNames } from "./criterion-names.ts";
import { type EvidenceRecord, pointsAtSomething } from "./evidence.ts";
import type { PhaseReport } from "./phase-report.ts";

/** One check of one recorded task in one mode. Cost in micro-dollars, duration in milliseconds. */
export interface ReplayedCheck {
  readonly taskId: string;
  readonly mode: "legacy" | "layered";
  readonly verdict: "passed" | "failed";
  /** Searches in the shell before the agent first used its own search or read tools; null when its tools are not known. */
  readonly shellFirstSearches: number | null;
  /** References that point at nothing, and criteria without a reference. */
  readonly unverifiableClaims: number;
  readonly criteria: number;
  readonly withEvidence: number;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  readonly durationMs: number;
}

/**
 * Counts searches in the shell before the first use of the agent's own search and read tools, in a kept transcript (`tool: [kind] title`).
 * Null when the transcript names no tools. S3-EV-10.
 */
export function shellFirstSearches(transcript: string): number | null {
  const calls = [...transcript.matchAll(/^tool: \[(\w+)\] (.*)$/gm)].map((match) => ({
    kind: match[1] ?? "",
    title: match[2] ?? "",
  }));
  if (calls.length === 0) return null;
  const firstOwn = calls.findIndex(({ kind }) => kind === "search" || kind === "read");
  const before = firstOwn === -1 ? calls : calls.slice(0, firstOwn);
  return before.filter(({ kind, title }) => kind === "execute" && isSearch(title)).length;
}

/** Claims that nobody can check: vague references, and criteria without evidence. S3-EV-10. */
export function unverifiableClaims(
  criteria: readonly string[],
  evidence: EvidenceRecord | null,
  report: Pick<PhaseReport, "evidenceRefs">,
): { readonly count: number; readonly withEvidence: number } {
  const shown = evidence?.criteria ?? [];
  const placesOf = criterionNames(criteria);
  const refs = [...shown.flatMap((each) => each.evidence.map((one) => one.ref)), ...report.evidenceRefs];
  const withEvidence = new Set(shown.flatMap((each) => placesOf(each.criterion))).size;
  return { count: refs.filter((ref) => !pointsAtSomething(ref)).length + criteria.length - withEvidence, withEvidence };
}
