import { isRepositoryCheck } from "../../core/acceptance/repository-check.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { insertEvidence } from "../../db/evidence.ts";

/** So many lines of what was found are kept. */
const mostDetails = 20;

/** A result of a criterion or check, wherever it was seen. */
export interface SeenResult {
  readonly goalId: string;
  readonly runId: string;
  readonly turn: number;
  readonly commit: string;
  readonly result: Pick<
    CriterionResult,
    "id" | "slug" | "status" | "method" | "by" | "details" | "durationMs" | "brokenSetup" | "unjudged"
  >;
  /** Its name as evidence: of the same one in a turn only the first is kept. */
  readonly name: string;
  readonly variant: string;
  /** Of the criterion as it was written; null: it is none of the goal's. */
  readonly hash: string | null;
  readonly at: Date;
}

type Row = Parameters<typeof insertEvidence>[1] & { readonly detail: Record<string, unknown> };

/** The result as a row of evidence; who has seen more of it adds that. */
export function criterionRow({ result, name, variant, hash, ...seen }: SeenResult): Row {
  const { id, slug, status, method, by, details, durationMs, brokenSetup = false, unjudged = false } = result;
  return {
    ...seen,
    kind: isRepositoryCheck(id) ? "check" : "criterion",
    criterion: name,
    command: by,
    exitCode: null,
    durationMs,
    outputFile: null,
    outputBytes: null,
    sha256: null,
    tag: status === "pass" || status === "fail" ? "verified" : "not checked",
    detail: {
      id,
      slug,
      status,
      method,
      details: details.slice(0, mostDetails),
      variant,
      hash,
      ...(brokenSetup ? { brokenSetup } : {}),
      ...(unjudged ? { unjudged } : {}),
    },
  };
}
