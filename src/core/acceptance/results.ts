import { z } from "zod";
import { readOnlyWords } from "../space/no-space.ts";
import { jsonOrNull } from "../text/json.ts";

/** What a verification run found. Statuses are D18's; a criterion is never left out (S2-DN-01). */
export const criterionStatuses = ["pass", "fail", "requires-human", "not-checked"] as const;
export type CriterionStatus = (typeof criterionStatuses)[number];

export interface CriterionResult {
  readonly id: string;
  readonly slug: string;
  readonly status: CriterionStatus;
  readonly method: "bash" | "subagent" | "manual" | "ci" | "unknown";
  /** What was run or who looked: `npm test`, `pattern-checker`. */
  readonly by: string;
  /** Findings in lines, the most telling first: `notification.test.ts:45 - expected 'queued' got 'sent'`. */
  readonly details: readonly string[];
  /** Of its command; null or missing where none came to an end. */
  readonly exitCode?: number | null;
  readonly durationMs: number;
  /** The masked output that was kept; null when nothing ran. */
  readonly output: { readonly file: string; readonly sha256: string; readonly bytes: number } | null;
  /** What says that something could not be written for want of space while it was looked at: then it proves nothing. */
  readonly noSpace?: string | null;
  /** Why a person is asked about it: what was waited for at the forge did not come, or failed too often. */
  readonly asks?: string | null;
  /** It was not run, because the work breaks the setup that it needs: that is no word on it, and nothing excuses it. */
  readonly brokenSetup?: boolean;
  /** Whoever was to examine it crashed, hung or gave no answer that can be read: that says nothing about it. */
  readonly unjudged?: boolean;
}

/** It is checked at the forge, and what it found there is not in yet: the goal is complete without it, and not verified. */
export function waitsForForge({ method, status }: Pick<CriterionResult, "method" | "status">): boolean {
  return method === "ci" && status === "not-checked";
}

/** A failure that came about for want of space says nothing about the criterion: it was not checked. */
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
  /** What was verified: a commit or a tree; null where there is no git. */
  readonly revision: string | null;
  readonly results: readonly CriterionResult[];
}

/** AC-14's structure. */
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
    /** Null where no command came to an end. */
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

/** 500 criteria with all that they say. */
const longestRun = 10_000_000;

/** Reads a run that was kept; null when it is none, whatever it holds (S2-SH-12). */
export function readRun(text: string): StructuredRun | null {
  const parsed = runSchema.safeParse(jsonOrNull(text, longestRun));
  return parsed.success ? parsed.data : null;
}

/** S2-DN-06, AC-14. */
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

/** Whether every criterion that the system can check was checked and passed; only-manual runs do. S2-DN-07, C-42. */
export function allAutomatedPass(run: Pick<VerificationRun, "results">): boolean {
  return run.results.every((each) => each.status === "pass" || each.status === "requires-human");
}
