import { z } from "zod";
import { jsonOrNull } from "../text/json.ts";
import { allAutomatedPass, type CriterionResult, criterionStatuses, type VerificationRun } from "./results.ts";
import { slugOf } from "./slug.ts";
import type { Criterion, Spec } from "./spec.ts";

/**
 * An implement session: which criteria of a file hold so far, in the shape of AC-24. The stop gate, the status file and a resumed agent all
 * read this one record (C-40).
 *
 * in_progress ──every automated criterion passes──► completed
 * └──an accepted escalation──► escalated
 */
export interface ImplementSession {
  readonly session_id: string;
  /** The path as the agent named it. The copy that was kept at the start of the session is what is verified. */
  readonly spec_file: string;
  readonly started_at: string;
  readonly status: "in_progress" | "completed" | "escalated";
  readonly criteria: Readonly<Record<string, SessionCriterion>>;
  /** Consecutive runs in which each criterion failed. */
  readonly escalation_counts: Readonly<Record<string, number>>;
  readonly verification_runs: readonly SessionRun[];
}

export interface SessionCriterion {
  readonly status: "unverified" | "verified-pass" | "verified-fail";
  readonly attempts: number;
  readonly last_error?: string | undefined;
  /** A person (or a forge) checks it; it is not in the work list. */
  readonly manual?: boolean | undefined;
}

export interface SessionRun {
  readonly timestamp: string;
  readonly revision: string | null;
  readonly results: Readonly<Record<string, CriterionResult["status"]>>;
}

const runSchema = z.object({
  timestamp: z.string(),
  revision: z.string().nullable(),
  results: z.record(z.string(), z.enum(criterionStatuses)),
});

const sessionSchema: z.ZodType<ImplementSession> = z.object({
  session_id: z.string().regex(/^implement-\d{8}-\d{6}-[\p{L}\p{M}\p{N}-]+$/u),
  spec_file: z.string(),
  started_at: z.iso.datetime(),
  status: z.enum(["in_progress", "completed", "escalated"]),
  criteria: z.record(
    z.string(),
    z.object({
      status: z.enum(["unverified", "verified-pass", "verified-fail"]),
      attempts: z.number().int().nonnegative(),
      last_error: z.string().optional(),
      manual: z.boolean().optional(),
    }),
  ),
  escalation_counts: z.record(z.string(), z.number().int().nonnegative()),
  verification_runs: z.array(runSchema),
});

/** 50 runs of 500 criteria, in characters. */
const longestRecord = 10_000_000;

/** Parses a record. Null when the text is not a valid record, whatever it contains (S2-SS-03, S2-SS-07). */
export function readSession(text: string): ImplementSession | null {
  const parsed = sessionSchema.safeParse(jsonOrNull(text, longestRecord));
  return parsed.success ? parsed.data : null;
}

/** `implement-20260117-103000-feature-name`, in UTC (S2-SS-01). */
export function sessionIdOf(startedAt: Date, name: string): string {
  const [date = "", time = ""] = startedAt.toISOString().slice(0, 19).split("T");
  return `implement-${date.replaceAll("-", "")}-${time.replaceAll(":", "")}-${slugOf(name, 40)}`;
}

/** A session in which nothing is verified yet (S2-SS-02). */
export function newSession(spec: Spec, specFile: string, name: string, startedAt: Date): ImplementSession {
  const criteria = spec.criteria.map(({ id, verification }): [string, SessionCriterion] => [
    id,
    { status: "unverified", attempts: 0, ...(isLeft(verification) ? { manual: true } : {}) },
  ]);
  return {
    session_id: sessionIdOf(startedAt, name),
    spec_file: specFile,
    started_at: startedAt.toISOString(),
    status: "in_progress",
    criteria: Object.fromEntries(criteria),
    escalation_counts: {},
    verification_runs: [],
  };
}

/** True when only a person or a forge can say that it passes. */
function isLeft({ method }: Criterion["verification"]): boolean {
  return method === "manual" || method === "ci";
}

const keptRuns = 50;

/** The session after a run, with new statuses, attempts and failure counts (S2-DN-12, C-35, C-40). */
export function foldRun(session: ImplementSession, run: VerificationRun): ImplementSession {
  const criteria = { ...session.criteria };
  const counts = { ...session.escalation_counts };
  for (const result of run.results) {
    criteria[result.id] = after(session.criteria[result.id], result);
    if (result.status === "fail") counts[result.id] = (counts[result.id] ?? 0) + 1;
    if (result.status === "pass") counts[result.id] = 0;
  }
  const ran: SessionRun = {
    timestamp: run.at.toISOString(),
    revision: run.revision,
    results: Object.fromEntries(run.results.map((each) => [each.id, each.status])),
  };
  const covers = Object.keys(session.criteria).every((id) => run.results.some((each) => each.id === id));
  return {
    ...session,
    status:
      covers && allAutomatedPass(run) ? "completed" : session.status === "completed" ? "in_progress" : session.status,
    criteria,
    escalation_counts: counts,
    verification_runs: [...session.verification_runs, ran].slice(-keptRuns),
  };
}

function after(before: SessionCriterion | undefined, result: CriterionResult): SessionCriterion {
  const attempts = (before?.attempts ?? 0) + 1;
  switch (result.status) {
    case "pass":
      return { status: "verified-pass", attempts };
    case "fail":
      return { status: "verified-fail", attempts, last_error: result.details[0] ?? "failed" };
    case "requires-human":
      return { status: "unverified", attempts: before?.attempts ?? 0, manual: true };
    case "not-checked":
      return { status: "unverified", attempts: before?.attempts ?? 0, last_error: result.details[0] ?? "not checked" };
  }
}

/** The criteria that are left to work on: all automated ones that have not passed (S2-EX-05, S2-SS-05). */
export function workList(session: Pick<ImplementSession, "criteria">): string[] {
  return Object.entries(session.criteria)
    .filter(([, criterion]) => criterion.manual !== true && criterion.status !== "verified-pass")
    .map(([id]) => id);
}
