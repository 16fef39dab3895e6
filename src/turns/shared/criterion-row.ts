import { isRepositoryCheck } from "../../core/acceptance/repository-check.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { insertEvidence } from "../../db/evidence.ts";

/** Maximum number of lines of detail that are stored. */
const mostDetails = 20;

/** A result of a criterion or a check, run by us or read from a forge. */
export interface SeenResult {
  readonly goalId: string;
  readonly runId: string;
  readonly turn: number;
  readonly commit: string;
  readonly result: Pick<
    CriterionResult,
    "id" | "slug" | "status" | "method" | "by" | "details" | "durationMs" | "brokenSetup" | "unjudged"
  >;
  /** Its name as evidence. Only the first row with a name is kept in a turn. */
  readonly name: string;
  readonly variant: string;
  /** The hash of the criterion's text. Null when it is not a criterion of the goal. */
  readonly hash: string | null;
  readonly at: Date;
}

type Row = Parameters<typeof insertEvidence>[1] & { readonly detail: Record<string, unknown> };

/** Returns the result as a row of evidence. A caller that knows more overwrites its fields. */
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
