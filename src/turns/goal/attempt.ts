import type { LeftWork } from "../../agent/git/attempt.ts";
import type { Diffstat } from "../../agent/git/diff.ts";
import { executionTag } from "../../core/acceptance/claim.ts";
import type { NotedFile } from "../../core/files/noted.ts";
import type { ExecutionEnd } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { lastLines } from "../../core/text/last-words.ts";
import { shorten } from "../../core/text.ts";
import { localDate } from "../../core/time.ts";
import type { Db } from "../../db/connection/client.ts";
import type { Lease } from "../../db/leases.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Run } from "../../db/runs.ts";
import { appendSpend, openCalls } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { recordEvidence } from "../shared/evidence.ts";
import type { Executed } from "../shared/execution.ts";
import { leftOutEvent, leftOutOf } from "../shared/left-out.ts";
import { agentDetail, learnOf } from "../shared/learn-agent.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf } from "../shared/money.ts";
import type { SetupEvidence, Workplace } from "../shared/workplace.ts";

/** One execution of a goal, and the facts about it that stay true even if the lease was lost. */

/** One execution and what it left, before anything is recorded. */
export interface Attempt {
  readonly goal: Goal;
  readonly run: Run;
  /** The repository's row at the end of the execution. */
  readonly repository: Repository | null;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly end: ExecutionEnd;
  readonly executed: Executed | null;
  readonly setup: SetupEvidence | null;
  /** The commit with the work. Null when nothing is kept. */
  readonly headCommit: string | null;
  /** Unrecorded work that it left. Null when nothing was checked or nothing could be. */
  readonly left: LeftWork | null;
  /** Refs of other goals that it changed. They were restored (D23). */
  readonly tampered: readonly string[];
  /** Files that were left unchanged because their names are not UTF-8, quoted as git does. */
  readonly unnamed: readonly string[];
  /** Files that git could not add; a folder ends in "/". */
  readonly leftOut: readonly string[];
  /** Paths that differ from the run's base. */
  readonly files: readonly string[];
  /** Changed files that its card names. */
  readonly noted: readonly NotedFile[];
  /** The size of the change. Null when nothing is kept. */
  readonly stat: Diffstat | null;
  readonly workplace: Workplace | null;
  /** The reason of an agent that gives up (AC-8). Null when it does not. */
  readonly givesUp: string | null;
}

/** The end of the output, with paths of the worktree shortened to paths of the repository. */
export function printedLast({ executed, workplace }: Pick<Attempt, "executed" | "workplace">): string {
  return executed?.result.output?.tail.replaceAll(`${workplace?.worktreeDir ?? "\0"}/`, "") ?? "";
}

/** The agent's last lines. For a program without a protocol, its last output. Empty for a goal's own command. */
export function saidLast({ goal, executed, workplace }: Pick<Attempt, "goal" | "executed" | "workplace">): string {
  if (goal.runCommand !== null || executed === null) return "";
  const { result } = executed;
  const isHeard = result.type === "finished" && result.said !== null;
  return lastLines(isHeard ? result.summary : printedLast({ executed, workplace }));
}

/** Writes append-only facts. They are true whoever holds the goal now. */
export async function writeFacts(tx: Db, deps: Deps, attempt: Attempt): Promise<void> {
  const { goal, run, lease, executed, setup, headCommit, end } = attempt;
  const at = deps.now();
  const ids = { goalId: goal.goalId, runId: run.runId, turn: lease.turn };
  if (setup !== null) {
    await recordEvidence(tx, deps, {
      ...ids,
      kind: "setup",
      command: setup.command,
      exitCode: setup.exitCode,
      commit: attempt.workplace?.startCommit ?? null,
      durationMs: Math.round(setup.durationMs),
      outputFile: setup.output === null ? null : setup.outputFile,
      outputBytes: setup.output?.bytes ?? null,
      sha256: setup.output?.sha256 ?? null,
      tag: "verified",
      detail: {},
      at,
    });
  }
  if (attempt.tampered.length > 0) {
    const what = attempt.tampered.slice(0, 20);
    await appendTimeline(tx, { event: "agent.tampered", ...ids, at, detail: { refs: what } });
  }
  if (attempt.unnamed.length > 0) {
    const names = attempt.unnamed.slice(0, 20).map((name) => shorten(name, 200));
    await appendTimeline(tx, { event: "agent.names-left-out", ...ids, at, detail: { names } });
  }
  if (attempt.leftOut.length > 0 && headCommit !== null)
    await appendTimeline(tx, leftOutEvent({ ...ids, at, commit: headCommit, paths: attempt.leftOut }));
  if (executed === null) return await giveBack(tx, { run, lease }, at);
  const { result, cost, told } = executed;
  if (told.length > 0) await appendTimeline(tx, { event: "run.told", ...ids, at, detail: { lessons: told } });
  await recordEvidence(tx, deps, {
    ...ids,
    kind: "execution",
    command: result.command,
    exitCode: result.type === "finished" ? result.exitCode : result.type === "failed" ? result.exitCode : null,
    commit: headCommit,
    durationMs: Math.round(result.durationMs),
    outputFile: result.output === null ? null : executed.outputFile,
    outputBytes: result.output?.bytes ?? null,
    sha256: result.output?.sha256 ?? null,
    // The executor's own word is a claim, and only if it says that the work is done (D27).
    tag: executionTag({
      end: end.type,
      gaveUp: attempt.givesUp !== null,
      summary: end.type === "finished" && goal.runCommand === null ? end.summary : "",
    }),
    detail: {
      end: end.type,
      said: saidLast(attempt),
      truncated: result.output?.truncated ?? false,
      plan: executed.plan,
      isolation: executed.isolation,
      agent: agentDetail(executed),
      stat: attempt.stat,
      leftOut: leftOutOf(attempt.leftOut),
      noted: attempt.noted.slice(0, 200),
      files: attempt.files.slice(0, 200),
    },
    at,
  });
  if (cost !== null) {
    const day = localDate(at, deps.config.timezone);
    const call = {
      callId: callIdOf(run.runId, lease),
      goalId: goal.goalId,
      runId: run.runId,
      sessionId: goal.sessionId,
      day,
    };
    await appendSpend(tx, call, { kind: "settled", ...cost, at });
    await learnOf(tx, deps, call, executed);
  }
}

/** Releases money that was reserved for a call that was never made. If the goal ends here, no later turn would do it. */
async function giveBack(tx: Db, { run, lease }: Pick<Attempt, "run" | "lease">, at: Date): Promise<void> {
  const callId = callIdOf(run.runId, lease);
  for (const call of await openCalls(tx, run.runId))
    if (call.callId === callId)
      await appendSpend(tx, call, { kind: "settled", amountMicroUsd: 0, isEstimated: false, at });
}
