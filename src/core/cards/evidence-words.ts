import type { CriterionStatus } from "../acceptance/results.ts";

/** The parts of a row of evidence that its words need. */
export interface EvidenceFacts {
  /** `criterion`, `check`, `execution`, `setup`, … */
  readonly kind: string;
  readonly exitCode: number | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The result that a row of evidence records (F-208). */
export type EvidenceOutcome = "passed" | "failed" | "not run" | "for a person";

const ofStatus: Readonly<Record<CriterionStatus, EvidenceOutcome>> = {
  pass: "passed",
  fail: "failed",
  "requires-human": "for a person",
  "not-checked": "not run",
};

/** The result in words. An execution passed when it ended by itself; whether its work is right is another question. */
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

/** Who ran the command of a row, for people. `runCommand`: the goal's own command; null when an agent works it. */
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
 * True when the system itself ran the command and judged the result: criteria, checks and setups. An execution is reported by its executor.
 * The result of a manual criterion is reported by a person.
 */
export function wasRunBySystem({ kind, detail }: Pick<EvidenceFacts, "kind" | "detail">): boolean {
  if (kind === "setup") return true;
  if (kind !== "criterion" && kind !== "check") return false;
  const { method, status } = detail;
  return method !== "manual" && method !== "ci" && (status === "pass" || status === "fail");
}
