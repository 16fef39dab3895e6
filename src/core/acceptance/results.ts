import { z } from "zod";
import { readOnlyWords } from "../space/no-space.ts";
import { jsonOrNull } from "../text/json.ts";

/** Results of a verification run. The statuses are D18's. A criterion is never left out (S2-DN-01). */
export const criterionStatuses = ["pass", "fail", "requires-human", "not-checked"] as const;
export type CriterionStatus = (typeof criterionStatuses)[number];

export interface CriterionResult {
  readonly id: string;
  readonly slug: string;
  readonly status: CriterionStatus;
  readonly method: "bash" | "subagent" | "manual" | "ci" | "unknown";
  /** The command that was run, or who examined it: `npm test`, `pattern-checker`. */
  readonly by: string;
  /** Findings, one per line, the most useful first: `notification.test.ts:45 - expected 'queued' got 'sent'`. */
  readonly details: readonly string[];
  /** Exit code of its command; null or missing when no command came to an end. */
  readonly exitCode?: number | null;
  readonly durationMs: number;
  /** The masked output that was kept; null when nothing ran. */
  readonly output: { readonly file: string; readonly sha256: string; readonly bytes: number } | null;
  /** The message of a failed write for want of space during verification: the result then proves nothing. */
  readonly noSpace?: string | null;
  /** Why a person is asked about it: a result of the forge did not come, or failed too often. */
  readonly asks?: string | null;
  /**
   * It was not run, because the work breaks the setup that it needs. The result says nothing about the criterion, and nothing excuses it.
   */
  readonly brokenSetup?: boolean;
  /** The examiner crashed, hung or gave no answer that can be parsed. The result says nothing about the criterion. */
  readonly unjudged?: boolean;
}

/** True when a criterion is checked at the forge and its result is not in yet. The goal can be complete without it, but not verified. */
export function waitsForForge({ method, status }: Pick<CriterionResult, "method" | "status">): boolean {
  return method === "ci" && status === "not-checked";
}

/** Turns a failure that was caused by want of space into "not checked": it says nothing about the criterion. */
export function unlessNoSpace(result: CriterionResult): CriterionResult {
  const { noSpace = null } = result;
  if (noSpace === null) return result;
  const isReadOnly = noSpace.includes(readOnlyWords);
  const words = isReadOnly
    ? `nothing could be written: ${noSpace}. Make it writable, then run it again`
    : `there was no space left: ${noSpace}. Free some, then run it again`;
  return { ...result, status: "not-checked", details: [words, ...result.details] };
}

export interface VerificationRun {
  readonly at: Date;
  readonly specFile: string;
  /** The commit or tree that was verified; null where there is no git. */
  readonly revision: string | null;
  readonly results: readonly CriterionResult[];
}

/** The structure of AC-14. */
export interface StructuredRun {
  readonly verification_run: {
    readonly timestamp: string;
    readonly spec_file: string;
    readonly revision: string | null;
  };
  readonly results: readonly {
    readonly criterion_id: string;
    readonly status: CriterionStatus;
    readonly method: string;
    readonly details: string;
    /** Null when no command came to an end. */
    readonly exit_code: number | null;
  }[];
  readonly summary: {
    readonly total: number;
    readonly pass: number;
    readonly fail: number;
    readonly manual: number;
    readonly not_checked: number;
  };
  readonly all_automated_pass: boolean;
}

const runSchema: z.ZodType<StructuredRun> = z.object({
  verification_run: z.object({ timestamp: z.string(), spec_file: z.string(), revision: z.string().nullable() }),
  results: z.array(
    z.object({
      criterion_id: z.string(),
      status: z.enum(criterionStatuses),
      method: z.string(),
      details: z.string(),
      exit_code: z.number().nullable(),
    }),
  ),
  summary: z.object({
    total: z.number(),
    pass: z.number(),
    fail: z.number(),
    manual: z.number(),
    not_checked: z.number(),
  }),
  all_automated_pass: z.boolean(),
});

/** Room for 500 criteria with all their details, in characters. */
const longestRun = 10_000_000;

/** Parses a run that was kept. Null when the text is not a valid run, whatever it contains (S2-SH-12). */
export function readRun(text: string): StructuredRun | null {
  const parsed = runSchema.safeParse(jsonOrNull(text, longestRun));
  return parsed.success ? parsed.data : null;
}

/** A run in the structure of AC-14. S2-DN-06. */
export function structured(run: VerificationRun): StructuredRun {
  const { results } = run;
  const counted = (status: CriterionStatus) => results.filter((each) => each.status === status).length;
  return {
    verification_run: { timestamp: run.at.toISOString(), spec_file: run.specFile, revision: run.revision },
    results: results.map((each) => ({
      criterion_id: each.id,
      status: each.status,
      method: each.method,
      details: each.details.join("\n"),
      exit_code: each.exitCode ?? null,
    })),
    summary: {
      total: results.length,
      pass: counted("pass"),
      fail: counted("fail"),
      manual: counted("requires-human"),
      not_checked: counted("not-checked"),
    },
    all_automated_pass: allAutomatedPass(run),
  };
}

/**
 * True when every criterion that the system can check was checked and passed. A run with only manual criteria counts too. S2-DN-07, C-42.
 */
export function allAutomatedPass(run: Pick<VerificationRun, "results">): boolean {
  return run.results.every((each) => each.status === "pass" || each.status === "requires-human");
}
