import type { FailureKind } from "./failure.ts";
import type { Rung } from "./ladder.ts";

/**
 * One stored attempt of a goal: its rung, its approach and how it ended. An attempt is one execution with its rounds of
 * verification. Money in micro-dollars.
 */
export interface Tried {
  /** 1, plus one for every Retry of an escalation. */
  readonly ladder: number;
  readonly rung: Rung;
  /** Within its ladder, from 1. */
  readonly number: number;
  /** A short name; attempts with the same name are one approach. */
  readonly approach: string;
  /** Who proposed the approach: null for the first one, else a built-in rule or a model. */
  readonly source: string | null;
  readonly end: FailureKind | "passed";
  /** One line; empty when the attempt passed. */
  readonly error: string;
  readonly fingerprint: string;
  /** Criteria that failed. */
  readonly criteria: readonly string[];
  /** The paths that it changed, as far as known; see `changeOf`. */
  readonly files: readonly string[];
  /** The commit with the files that it left, even when they were not recorded as work. Null when no commit has them. */
  readonly commit: string | null;
  /** Exit code of a goal's own command. Null when it did not exit, and for agents. */
  readonly exitCode: number | null;
  /** The last lines, masked: of the agent's message, or of the output of the command or the failed criterion. Null when unknown. */
  readonly output: string | null;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  readonly at: Date;
}

/**
 * Returns what an attempt changed. Without a commit, an empty path list does not mean that nothing changed. `before`: the attempt
 * whose work this one continued; the same commit means no further change.
 */
export function changeOf(
  { files, commit }: Pick<Tried, "files" | "commit">,
  before?: Pick<Tried, "commit">,
): "files" | "nothing" | "not known" {
  if (commit !== null && before?.commit === commit) return "nothing";
  if (files.length > 0) return "files";
  return commit === null ? "not known" : "nothing";
}

/** Returns the work left by an attempt that ended early and from which the next one does not start. Undefined when none is known. */
export function leftAside(
  { end, files, commit }: Pick<Tried, "end" | "files" | "commit">,
  headCommit: string | null,
): { readonly commit: string; readonly files: number } | undefined {
  const isOfItsEnd = end === "timeout" || end === "crash" || end === "work";
  if (!isOfItsEnd || commit === null || commit === headCommit || files.length === 0) return undefined;
  return { commit, files: files.length };
}

/**
 * True when a failure says something about its work, so that lessons from other goals apply to it. A process that ended or timed out
 * before it had changed anything fails alike for any work.
 */
export function saysOfWork({ end, criteria, files }: Pick<Tried, "end" | "criteria" | "files">): boolean {
  return criteria.length > 0 || files.length > 0 || !["timeout", "crash", "unavailable"].includes(end);
}

/** Ends with a cause outside the work: money, the workspace, a push, a refusal, unusable criteria. */
const endsAround: ReadonlySet<Tried["end"]> = new Set(["ceiling", "setup", "push", "refusal", "invalid-criteria"]);

/** True when the attempt failed because of its work. Only then does it say something about its instructions, and to other goals. */
export function failedAtWork(attempt: Pick<Tried, "end" | "criteria" | "files">): boolean {
  return attempt.end !== "passed" && !endsAround.has(attempt.end) && saysOfWork(attempt);
}

/** The approach of every execution of a goal's own command: it is always the same (D50). */
export const fixedCommand = "the command is fixed";

/** True when these are executions of a goal's own command, not attempts of an agent. */
export function areOfCommand(attempts: readonly Pick<Tried, "approach">[]): boolean {
  return attempts.length > 0 && attempts.every((each) => each.approach === fixedCommand);
}

export interface TriedApproach {
  readonly approach: string;
  readonly source: string | null;
  readonly attempts: readonly Tried[];
}

/** Groups attempts by approach, in the order in which the approaches were first tried (D19). */
export function byApproach(attempts: readonly Tried[]): TriedApproach[] {
  const groups = new Map<string, Tried[]>();
  for (const attempt of attempts) {
    const name = normalApproach(attempt.approach);
    groups.set(name, [...(groups.get(name) ?? []), attempt]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ approach: first.approach, source: first.source, attempts: group }];
  });
}

/** Normalises the name of an approach: letter case, punctuation and spaces make no difference. */
export function normalApproach(approach: string): string {
  return approach
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
