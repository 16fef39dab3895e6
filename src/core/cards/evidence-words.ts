import type { CriterionStatus } from "../acceptance/results.ts";

/** What a row of evidence is about, as far as its words need it. */
export interface EvidenceFacts {
  /** `criterion`, `check`, `execution`, `setup`, … */
  readonly kind: string;
  readonly exitCode: number | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What came of what a row tells about (F-208). */
export type EvidenceOutcome = "passed" | "failed" | "not run" | "for a person";

const ofStatus: Readonly<Record<CriterionStatus, EvidenceOutcome>> = {
  pass: "passed",
  fail: "failed",
  "requires-human": "for a person",
  "not-checked": "not run",
};

/** In words: passed, failed or not run. An execution passed when it came to its own end: what it did is another question. */
export function evidenceOutcome({ kind, exitCode, detail }: EvidenceFacts): EvidenceOutcome {
  const { status, end } = detail;
  if (kind === "criterion" || kind === "check") {
    const found = Object.entries(ofStatus).find(([name]) => name === status);
    return found?.[1] ?? "not run";
  }
  if (typeof end === "string") {
    if (end === "finished") return "passed";
    return end === "unavailable" || end === "needs-login" || end === "setup-failure" ? "not run" : "failed";
  }
  if (exitCode === null) return "not run";
  return exitCode === 0 ? "passed" : "failed";
}

/** Who ran what a row tells about, for people. `goal`: whose command, if it has one, does the work. */
export function ranByWords(
  row: Pick<EvidenceFacts, "kind" | "detail"> & { readonly command: string },
  { runCommand }: { readonly runCommand: string | null },
): string {
  if (wasRunBySystem(row)) return "the system";
  if (row.kind === "execution")
    return row.command === runCommand ? "the system, as the goal's work (--run)" : "its agent";
  const { method, status } = row.detail;
  if (method === "ci" && (status === "pass" || status === "fail")) return "its forge, as the system read there";
  if (method === "manual" && (status === "pass" || status === "fail")) return "a person";
  return "nobody yet";
}

/**
 * Whether the system itself ran it and looked at what came of it: criteria, checks and setups. An execution is the word of
 * whoever did the work, and what a person said of a manual criterion is that person's.
 */
export function wasRunBySystem({ kind, detail }: Pick<EvidenceFacts, "kind" | "detail">): boolean {
  if (kind === "setup") return true;
  if (kind !== "criterion" && kind !== "check") return false;
  const { method, status } = detail;
  return method !== "manual" && method !== "ci" && (status === "pass" || status === "fail");
}
