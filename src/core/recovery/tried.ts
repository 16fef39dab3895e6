import type { FailureKind } from "./failure.ts";
import type { Rung } from "./ladder.ts";

/**
 * One attempt of a goal as it is kept: which rung it was, what it tried and how that ended. An attempt is one execution
 * with its rounds of verification; money in micro-dollars.
 */
export interface Tried {
  /** 1, and one more for every Retry of an escalation. */
  readonly ladder: number;
  readonly rung: Rung;
  /** Within its ladder, from 1. */
  readonly number: number;
  /** A short name; attempts of one name are one approach. */
  readonly approach: string;
  /** Who thought of the approach: nobody for the first one, a built-in rule, or a model. */
  readonly source: string | null;
  readonly end: FailureKind | "passed";
  /** One line; empty when it passed. */
  readonly error: string;
  readonly fingerprint: string;
  /** Criteria that failed. */
  readonly criteria: readonly string[];
  /** Paths that it changed, as far as that is known: `changeOf`. */
  readonly files: readonly string[];
  /** Holds what it left, also where that was not recorded; null where no commit does. */
  readonly commit: string | null;
  /** Of a goal's own command; null when it did not exit, and of agents. */
  readonly exitCode: number | null;
  /** The last lines, masked: that an agent said; that a goal's own command, or the criterion that it failed, printed. Null: none are known. */
  readonly output: string | null;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  readonly at: Date;
}

/**
 * What an attempt changed: without a commit that holds what it left, no paths say nothing of it. `before`: the attempt whose work it went
 * on with; the same commit is what that one left.
 */
export function changeOf(
  { files, commit }: Pick<Tried, "files" | "commit">,
  before?: Pick<Tried, "commit">,
): "files" | "nothing" | "not known" {
  if (commit !== null && before?.commit === commit) return "nothing";
  if (files.length > 0) return "files";
  return commit === null ? "not known" : "nothing";
}

/** What an attempt left that ended before it was done, and that is not where the next one begins; undefined: nothing that is known. */
export function leftAside(
  { end, files, commit }: Pick<Tried, "end" | "files" | "commit">,
  headCommit: string | null,
): { readonly commit: string; readonly files: number } | undefined {
  const isOfItsEnd = end === "timeout" || end === "crash" || end === "work";
  if (!isOfItsEnd || commit === null || commit === headCommit || files.length === 0) return undefined;
  return { commit, files: files.length };
}

/**
 * Whether a failure says something of its work, so that what other goals met or were helped by counts for it: a process that ended or
 * took too long before it had changed anything fails alike whatever it was about.
 */
export function saysOfWork({ end, criteria, files }: Pick<Tried, "end" | "criteria" | "files">): boolean {
  return criteria.length > 0 || files.length > 0 || !["timeout", "crash", "unavailable"].includes(end);
}

/** Ends that come from what is around the work, not from how it was done: money, a place to work, a push, an agent that declines. */
const endsAround: ReadonlySet<Tried["end"]> = new Set(["ceiling", "setup", "push", "refusal", "invalid-criteria"]);

/** Whether the attempt failed over its work: only then does it say something of what its agent was told, and to other goals. */
export function failedAtWork(attempt: Pick<Tried, "end" | "criteria" | "files">): boolean {
  return attempt.end !== "passed" && !endsAround.has(attempt.end) && saysOfWork(attempt);
}

/** The approach of every execution of a goal's own command: whatever is around it, it is the same one (D50). */
export const fixedCommand = "the command is fixed";

/** Whether these are executions of a goal's own command, and no agent's attempts. */
export function areOfCommand(attempts: readonly Pick<Tried, "approach">[]): boolean {
  return attempts.length > 0 && attempts.every((each) => each.approach === fixedCommand);
}

export interface TriedApproach {
  readonly approach: string;
  readonly source: string | null;
  readonly attempts: readonly Tried[];
}

/** Attempts grouped by approach, in the order in which they were first tried (D19). */
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

/** Two names of one approach: letter case, punctuation and spaces do not make another. */
export function normalApproach(approach: string): string {
  return approach
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
