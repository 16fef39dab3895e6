import type { AgentWords } from "../../core/recovery/agent-words.ts";
import type { Failure, FailureEnd } from "../../core/recovery/failure.ts";
import { failureFingerprint } from "../../core/recovery/fingerprint.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { fixedCommand, type Tried } from "../../core/recovery/tried.ts";
import { lastLines } from "../../core/text/last-words.ts";
import { shorten } from "../../core/text.ts";
import { attemptsOfRun, insertAttempt } from "../../db/attempts.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import type { Run } from "../../db/runs.ts";
import { runTotal } from "../../db/spend.ts";
import { type Total } from "../../db/totals.ts";
import { sha256 } from "../../deps.ts";
import type { AskDeps } from "../shared/ask-about.ts";

/** Stored attempts: one row each, with the cost since the one before. */

/** The end of a failed attempt, before its failure is classified. */
export interface FailedAttempt {
  readonly goal: Goal;
  readonly run: Run;
  readonly turn: number;
  readonly end: FailureEnd;
  readonly reason: string;
  readonly exitCode: number | null;
  /** The last lines of its output, or of the failed criterion's, masked. */
  readonly output: string;
  /** The agent's last lines, masked. Empty when there are none, and for a goal's own command. */
  readonly said: string;
  /** The agent's own words about its end. */
  readonly own: AgentWords | null;
  readonly criteria: readonly string[];
  /** As in `Tried`. */
  readonly files: readonly string[];
  readonly commit: string | null;
}

/** Stores a failed attempt with the fingerprint of its failure. */
export async function keepFailure(tx: Db, deps: AskDeps, failed: FailedAttempt, failure: Failure): Promise<void> {
  const { kind: end, error } = failure;
  await keep(tx, deps, failed, { end, error, fingerprint: fingerprintOf(failed, failure) });
}

/** Stores the successful attempt with its rung and cost (S4-RM-04). The caller ends the goal. */
export async function keepSuccess(
  tx: Db,
  deps: AskDeps,
  { goal, run, turn, before }: Pick<Kept, "goal" | "run" | "turn"> & { readonly before: Before },
): Promise<void> {
  const files: readonly string[] = [];
  const passed = { goal, run, turn, criteria: [], files, commit: run.headCommit, exitCode: 0, output: "", said: "" };
  await insertAttempt(tx, attemptOf(deps, passed, { end: "passed", error: "", fingerprint: "" }, before));
}

/** The cost and the attempts of a run so far. */
export interface Before {
  readonly total: Total;
  readonly earlier: readonly Tried[];
}

/** Reads them with one statement. */
export async function readBefore(db: Db, runId: string): Promise<Before> {
  const [total, earlier] = await readTogether(db, (reads) =>
    Promise.all([runTotal(reads, runId), attemptsOfRun(reads, runId)]),
  );
  return { total, earlier };
}

type Kept = Pick<
  FailedAttempt,
  "goal" | "run" | "turn" | "criteria" | "files" | "commit" | "exitCode" | "output" | "said"
>;

async function keep(tx: Db, deps: AskDeps, kept: Kept, end: AttemptEnd): Promise<void> {
  await insertAttempt(tx, attemptOf(deps, kept, end, await readBefore(tx, kept.run.runId)));
}

type AttemptEnd = Pick<Tried, "end" | "error" | "fingerprint">;

/** The row of an attempt, with the cost since the one before. */
function attemptOf(
  deps: AskDeps,
  kept: Kept,
  { end, error, fingerprint }: AttemptEnd,
  { total, earlier }: Before,
): Parameters<typeof insertAttempt>[1] {
  const { goal, run } = kept;
  const isOwnCommand = goal.runCommand !== null;
  const earlierCost = earlier.reduce((sum, each) => sum + each.costMicroUsd, 0);
  return {
    goalId: goal.goalId,
    runId: run.runId,
    turn: kept.turn,
    ladder: run.ladder,
    rung: run.rung,
    number: earlier.filter((each) => each.ladder === run.ladder).length + 1,
    approach: approachOf(goal, run),
    source: run.approachSource,
    instruction: run.approachInstruction,
    end,
    error: shorten(error, 2000),
    fingerprint,
    criteria: [...kept.criteria],
    files: kept.files.slice(0, 200),
    commit: kept.commit,
    exitCode: isOwnCommand ? kept.exitCode : null,
    output: isOwnCommand ? shownOutput(end, kept.output) : kept.said || null,
    costMicroUsd: Math.max(0, total.spentMicroUsd - earlierCost),
    costIsEstimated: total.isEstimated,
    at: deps.now(),
  };
}

/** The lines of a criterion are chosen already. Of what a command printed, the last lines are shown. */
function shownOutput(end: AttemptEnd["end"], output: string): string {
  return end === "criteria" ? output : lastLines(output);
}

function approachOf(goal: Pick<Goal, "runCommand">, run: Pick<Run, "approach">): string {
  return goal.runCommand === null ? (run.approach ?? "as asked") : fixedCommand;
}

function fingerprintOf(failed: FailedAttempt, failure: Failure): string {
  const { criteria, files } = failed;
  return sha256(failureFingerprint({ kind: failure.kind, error: failure.error, criteria, files }));
}
