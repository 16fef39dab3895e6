import { takeOurs } from "../agent/command.ts";
import { commitWork } from "../agent/commit.ts";
import { changedFiles, diffstat } from "../agent/diff.ts";
import { GitError } from "../agent/git.ts";
import { killRun } from "../agent/orphans.ts";
import { restoreRefs } from "../agent/refs.ts";
import type { RunResult } from "../agent/runner.ts";
import { contractOf } from "../core/acceptance/goal-contract.ts";
import { commitSubject, idsInFeedback } from "../core/acceptance/plan.ts";
import type { CutReason, ExecutionEnd } from "../core/goals/after.ts";
import type { Goal } from "../core/goals/goal.ts";
import { localDate } from "../core/time.ts";
import { firstLine } from "../core/text.ts";
import { getGoal } from "../db/goals.ts";
import type { Lease } from "../db/leases.ts";
import { openRunOf, type Run } from "../db/runs.ts";
import { appendSpend, lockDay, openCalls, reservedFor } from "../db/spend.ts";
import type { Deps } from "../deps.ts";
import { decideStart } from "../core/goals/start.ts";
import { execute } from "./execution.ts";
import { keepLease, type LeaseKeeper } from "./lease-keeper.ts";
import { type Attempt, recordAttempt } from "./record.ts";
import { callIdOf, gatherStart, lockWithSession, type StepResult } from "./start.ts";
import { prepareWorkplace, type Workplace } from "./workplace.ts";

/**
 * The phase in which the work is done: a clean worktree, one execution, a commit, one record. A crash anywhere before
 * the record leaves nothing but a kept attempt, and the phase begins again at the last recorded commit (D8, D23).
 */
export async function implementTurn(deps: Deps, lease: Lease, shutdown: AbortSignal): Promise<StepResult> {
  const goal = await getGoal(deps.database.db, lease.goalId);
  const run = await openRunOf(deps.database.db, lease.goalId);
  if (goal === null || run === null) throw new Error(`goal ${lease.goalId} is worked without an open run`);

  const keeper = keepLease(deps, lease, shutdown);
  try {
    const attempt = await attemptOf(deps, { goal, run, lease, keeper });
    return await recordAttempt(deps, attempt);
  } finally {
    keeper.stop();
  }
}

interface Attempting {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
}

async function attemptOf(deps: Deps, attempting: Attempting): Promise<Attempt> {
  const { goal, run, lease, keeper } = attempting;
  const nothing = {
    goal,
    run,
    lease,
    executed: null,
    setup: null,
    headCommit: null,
    files: [],
    stat: null,
    tampered: [],
    workplace: null,
    givesUp: null,
  };

  const reserved =
    goal.runCommand === null
      ? await reserve(deps, attempting, callIdOf(run.runId, lease))
      : ({ type: "reserved", capMicroUsd: 0 } as const);
  if (reserved.type === "refused") {
    return { ...nothing, end: { type: "cut", why: "ceiling" } };
  }
  const prepared = await prepareWorkplace(deps, goal, run, lease, keeper.signal);
  const cutEarly = keeper.cutReason();
  if (cutEarly !== null) return { ...nothing, end: { type: "cut", why: cutEarly } };
  if (prepared.type === "failed") {
    return { ...nothing, setup: prepared.setup, end: { type: "setup-failure", reason: prepared.reason } };
  }

  const { workplace } = prepared;
  deps.log.info("agent.started", { goalId: goal.goalId, runId: run.runId, turn: lease.turn });
  const executed = await execute(deps, { ...attempting, workplace, capMicroUsd: reserved.capMicroUsd });
  // What escaped its process group would write on while we commit (D5).
  await killRun(run.runId);
  deps.log.info("agent.ended", { goalId: goal.goalId, runId: run.runId, result: executed.result.type });
  const end = endOf(executed.result, keeper.cutReason());
  const givesUp = goal.runCommand === null ? await takeOurs(workplace.worktreeDir, "give-up.md") : null;
  const kept = await keepWork(deps, attempting, workplace, end);
  return { goal, run, lease, executed, setup: workplace.setup, workplace, givesUp, ...kept };
}

export type Reserved = { readonly type: "reserved"; readonly capMicroUsd: number } | { readonly type: "refused" };

/**
 * The money this execution may cost, reserved under the ceilings' row locks before the agent is called (D22). The turn
 * that started the run has done so already; one that goes on after an interruption settles what the cut call left
 * behind and reserves anew.
 */
export async function reserve(
  deps: Deps,
  { goal, run, lease }: Pick<Attempting, "goal" | "run" | "lease">,
  callId: string,
  // Of several that are to begin side by side: each gets its share of what is left.
  share: { readonly of: number; readonly isFirst: boolean } = { of: 1, isFirst: true },
): Promise<Reserved> {
  const already = await reservedFor(deps.database.db, callId);
  if (already !== null) return { type: "reserved", capMicroUsd: already.amountMicroUsd };

  return await deps.database.transaction(async (tx): Promise<Reserved> => {
    const day = localDate(deps.now(), deps.config.timezone);
    await lockDay(tx, day);
    const locked = await lockWithSession(tx, lease);
    if (locked === null) return { type: "refused" };
    if (share.isFirst) await settleCutCalls(tx, deps, run.runId);
    const facts = await gatherStart(tx, deps, locked);
    const decision = decideStart({ ...facts, openCheckpointId: null, fired: [], estimateMicroUsd: null }, deps.policy);
    if (decision.type !== "run") return { type: "refused" };
    const call = { callId, goalId: goal.goalId, runId: run.runId, sessionId: goal.sessionId, day };
    const capMicroUsd = Math.floor(decision.capMicroUsd / share.of);
    const entry = {
      kind: "reserved",
      amountMicroUsd: capMicroUsd,
      isEstimated: true,
      at: deps.now(),
    } as const;
    await appendSpend(tx, call, entry);
    return { type: "reserved", capMicroUsd };
  });
}

/** Calls of a run that were cut short: what was reported, else an assumed rate for the time, at most what was reserved. */
async function settleCutCalls(
  tx: Parameters<Parameters<Deps["database"]["transaction"]>[0]>[0],
  deps: Deps,
  runId: string,
): Promise<void> {
  for (const call of await openCalls(tx, runId)) {
    const reserved = await reservedFor(tx, call.callId);
    const minutes = reserved === null ? 0 : (deps.now().getTime() - reserved.at.getTime()) / 60_000;
    const assumed = Math.round(Math.max(0, minutes) * deps.policy.goals.assumedMicroUsdPerMinute);
    const amountMicroUsd =
      call.spentMicroUsd > 0 ? call.spentMicroUsd : Math.min(assumed, reserved?.amountMicroUsd ?? 0);
    const { callId, goalId, sessionId, day } = call;
    await appendSpend(
      tx,
      { callId, goalId, runId, sessionId, day },
      { kind: "settled", amountMicroUsd, isEstimated: true, at: deps.now() },
    );
  }
}

function endOf(result: RunResult, cutReason: CutReason | null): ExecutionEnd {
  if (cutReason !== null && result.type !== "finished") return { type: "cut", why: cutReason };
  switch (result.type) {
    case "finished":
      return { type: "finished", summary: result.summary };
    case "failed":
    case "timeout":
    case "unavailable":
    case "needs-login":
      return { type: result.type, reason: result.reason };
    case "permission":
      return { type: "permission" };
    case "cut":
      return { type: "cut", why: cutReason ?? "shutdown" };
  }
}

/** What this execution was to make hold: what failed last, or everything (AC-28). */
function criteriaOf(goal: Goal, run: Run): string[] {
  const failing = idsInFeedback(run.feedback ?? "");
  return failing.length > 0 ? failing : contractOf(goal.criteria, [], 1).criteria.map((criterion) => criterion.id);
}

/** Commits finished work on the goal's branch in the mirror, and puts back every ref that is not the goal's (D23). */
async function keepWork(
  deps: Pick<Deps, "log">,
  { goal, run }: Attempting,
  workplace: Workplace,
  end: ExecutionEnd,
): Promise<Pick<Attempt, "end" | "headCommit" | "files" | "stat" | "tampered">> {
  const { mirror, worktreeDir, branch, baseCommit, startCommit, refsBefore } = workplace;
  const nothing = { headCommit: null, files: [], stat: null };
  let tampered: readonly string[] = [];
  try {
    tampered = await restoreRefs({ mirror, before: refsBefore, branch });
    if (tampered.length > 0) deps.log.warn("agent.changed-refs", { goalId: goal.goalId, refs: tampered });
    // An agent that stopped at a permission goes on later with what it has: that is recorded too.
    if (end.type !== "finished" && end.type !== "permission") return { end, tampered, ...nothing };
    const committed = await commitWork({
      mirror,
      worktree: worktreeDir,
      branch,
      parent: startCommit,
      message: commitSubject(criteriaOf(goal, run), firstLine(goal.content, 100)),
      trailers: {
        goal: goal.goalId,
        run: run.runId,
        ...(run.approvedBy === null ? {} : { approvedBy: run.approvedBy }),
      },
      author: { name: "Chief of Staff", email: "chief-of-staff@localhost" },
    });
    const headCommit = committed.type === "committed" ? committed.commit : startCommit;
    deps.log.info("goal.committed", { goalId: goal.goalId, commit: headCommit });
    const files = headCommit === baseCommit ? [] : await changedFiles(mirror, baseCommit, headCommit);
    const stat = headCommit === baseCommit ? null : await diffstat(mirror, baseCommit, headCommit);
    return { end, headCommit, tampered, files: files.map((file) => file.path), stat };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return {
      end: { type: "setup-failure", reason: `the work could not be committed: ${error.message}` },
      tampered,
      ...nothing,
    };
  }
}
