import { takeAgentOutput } from "../../agent/acp/command.ts";
import type { Commit } from "../../agent/git/commit.ts";
import type { ChangedFile, Diffstat } from "../../agent/git/diff.ts";
import { GitError } from "../../agent/git/git.ts";
import type { RunResult } from "../../agent/process/runner.ts";
import { contractOf } from "../../core/acceptance/goal-contract.ts";
import { commitSubject, idsInFeedback } from "../../core/acceptance/plan.ts";
import type { CutReason, ExecutionEnd } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { goesOnWithIt } from "../../core/recovery/half-done.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { firstLine } from "../../core/text.ts";
import { readTogether } from "../../db/connection/client.ts";
import type { Lease } from "../../db/leases.ts";
import { type Repository, repositoryOfGoal } from "../../db/repositories.ts";
import type { Run } from "../../db/runs.ts";
import { readLease } from "../../db/turn-locks.ts";
import type { Deps } from "../../deps.ts";
import { readWorked, type Worked } from "../../facts/worked.ts";
import { executeGoal } from "../shared/execution.ts";
import type { StepResult } from "../shared/in-turn.ts";
import { keepPhase, type LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf, reserve } from "../shared/money.ts";
import { shareWork } from "../shared/shared-work.ts";
import { spaceLackedBy } from "../shared/space-claims.ts";
import { prepareWorkplace, type Workplace } from "../shared/workplace.ts";
import type { Attempt } from "./attempt.ts";
import { goOn } from "./go-on.ts";
import { isFolderGone, leftBy } from "./left-work.ts";
import { notedOf } from "./noted.ts";
import { recordAttempt } from "./record.ts";

/**
 * The phase that does the work: a clean worktree, one execution, a commit, one record. A crash before the record leaves only a kept attempt,
 * and the phase begins again at the last recorded commit (D8, D23).
 * `isDecided`: this turn has already decided that it may spend. `known`: the goal's rows from the begin of the phase.
 */
export async function implementTurn(
  deps: Deps,
  turn: LeaseKeeper,
  isDecided: boolean,
  known: Worked | null,
): Promise<StepResult> {
  const { lease } = turn;
  const worked = known ?? (await readWorked(deps.database.db, lease.goalId));
  const over = isDecided ? null : await goOn(deps, turn, { reserves: worked.goal.runCommand === null });
  if (over !== null) return over;
  const keeper = keepPhase(turn);
  return await recordAttempt(deps, await attemptOf(deps, { ...worked, lease, keeper }));
}

interface AttemptContext extends Worked {
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
}

async function attemptOf(deps: Deps, context: AttemptContext): Promise<Attempt> {
  const { goal, run, repository, lease, keeper } = context;
  const nothing = {
    goal,
    run,
    repository,
    lease,
    keeper,
    executed: null,
    setup: null,
    headCommit: null,
    left: null,
    files: [],
    noted: [],
    stat: null,
    tampered: [],
    unnamed: [],
    leftOut: [],
    workplace: null,
    givesUp: null,
  };

  const reserved =
    goal.runCommand === null
      ? await reserve(deps, keeper, { callId: callIdOf(run.runId, lease), run, known: context.reserved })
      : ({ type: "reserved", capMicroUsd: 0 } as const);
  if (reserved.type === "refused") {
    return { ...nothing, end: { type: "cut", why: "ceiling" } };
  }
  // Nothing is started when the lease may belong to another worker, which works in the same place.
  const cutBefore = await keeper.confirm();
  if (cutBefore !== null) return { ...nothing, end: { type: "cut", why: cutBefore } };
  const prepared = await prepareWorkplace(deps, { ...context, signal: keeper.signal });
  const cutEarly = await keeper.confirm();
  if (cutEarly !== null) return { ...nothing, end: { type: "cut", why: cutEarly } };
  if (prepared.type === "failed") {
    return { ...nothing, setup: prepared.setup, end: { type: "setup-failure", reason: prepared.reason } };
  }

  const { workplace } = prepared;
  deps.log.info("agent.started", { goalId: goal.goalId, runId: run.runId, turn: lease.turn });
  const executed = await executeGoal(deps, { ...context, workplace, capMicroUsd: reserved.capMicroUsd });
  deps.log.info("agent.ended", { goalId: goal.goalId, runId: run.runId, result: executed.result.type });
  // Another worker that has the goal now has processes of the same run, and works on the same branch.
  const now = await lookAfter(deps, context);
  if (now.cut === "lost") {
    return { ...nothing, executed, setup: workplace.setup, workplace, end: { type: "cut", why: "lost" } };
  }
  // Processes that escaped their group could write while we commit (D5).
  await deps.executor.endOwn(run.runId);
  const end = endOf(executed.result, keeper.cutReason(), await spaceLackedBy(deps, run, executed.result));
  const givesUp = goal.runCommand === null ? await takeAgentOutput(workplace.worktreeDir, "give-up.md") : null;
  const kept = await keepWork(deps, context, workplace, { end, isRecorded: isRecorded(goal, executed.result, end) });
  const made = { executed, setup: workplace.setup, workplace, givesUp, ...kept };
  return { goal, run, repository: now.repository, lease, keeper, ...made };
}

/** After an execution: whether the turn must end, always asked of the database, and the repository's current row. One statement. */
async function lookAfter(
  { database, log }: Pick<Deps, "database" | "log">,
  { goal: { goalId }, repository, lease, keeper }: AttemptContext,
): Promise<{ readonly cut: CutReason | null; readonly repository: Repository | null }> {
  try {
    const [seen, found] = await readTogether(database.db, (reads) =>
      Promise.all([readLease(reads, lease), repositoryOfGoal(reads, goalId)]),
    );
    return { cut: await keeper.confirmAs(seen), repository: found };
  } catch (error) {
    // Like a renewal without an answer: recording is conditional on the lease anyway.
    log.warn("lease.not-renewed", { goalId, error });
    return { cut: keeper.cutReason(), repository };
  }
}

function endOf(result: RunResult, cutReason: CutReason | null, noSpace: string | null): ExecutionEnd {
  if (cutReason !== null && result.type !== "finished") return { type: "cut", why: cutReason };
  if (noSpace !== null && result.type !== "permission") return { type: "no-space", reason: noSpace };
  switch (result.type) {
    case "finished":
      return { type: "finished", summary: result.summary };
    case "failed":
    case "timeout":
    case "unavailable":
    case "needs-login":
    case "not-started":
      return { type: result.type, reason: result.reason };
    case "permission":
      return { type: "permission" };
    case "cut":
      return { type: "cut", why: cutReason ?? "shutdown" };
  }
}

/** True when the work is recorded: finished work, and failed work on which the next attempt continues. A failed own command begins again. */
function isRecorded({ runCommand }: Goal, result: RunResult, end: ExecutionEnd): boolean {
  if (runCommand !== null) return result.type === "finished" && end.type === "finished";
  const own = result.type === "failed" || result.type === "unavailable" ? result.own : null;
  return result.type === "finished" || goesOnWithIt(end, own);
}

/** The criteria that this execution had to satisfy: those that failed last, or all (AC-28). */
function criteriaOf(goal: Goal, run: Run): string[] {
  const failing = idsInFeedback(run.feedback ?? "");
  return failing.length > 0 ? failing : contractOf(goal.criteria, [], 1).criteria.map((criterion) => criterion.id);
}

/** Commits recorded work on the goal's branch in the mirror, and restores all refs that are not the goal's (D23). */
async function keepWork(
  deps: Pick<Deps, "config" | "database" | "git" | "log" | "now" | "policy" | "store">,
  { goal, run }: AttemptContext,
  workplace: Workplace,
  { end, isRecorded: records }: { readonly end: ExecutionEnd; readonly isRecorded: boolean },
): Promise<
  Pick<Attempt, "end" | "headCommit" | "left" | "files" | "noted" | "stat" | "tampered" | "unnamed" | "leftOut">
> {
  const { mirror, worktreeDir, branch, baseCommit, startCommit, refsBefore } = workplace;
  const nothing = { headCommit: null, left: null, files: [], noted: [], stat: null, unnamed: [], leftOut: [] };
  let tampered: readonly string[] = [];
  try {
    tampered = await deps.git.restoreRefs({ mirror, before: refsBefore, branch });
    if (tampered.length > 0) deps.log.warn("agent.changed-refs", { goalId: goal.goalId, refs: tampered });
    if (!records)
      return { end, tampered, ...nothing, left: end.type === "cut" ? null : await leftBy(deps, goal, workplace) };
    const committed = await deps.git.commitWork({
      mirror,
      worktree: worktreeDir,
      branch,
      parent: startCommit,
      ground: baseCommit,
      message: commitSubject(criteriaOf(goal, run), firstLine(goal.content, 100)),
      trailers: {
        goal: goal.goalId,
        run: run.runId,
        ...(run.approvedBy === null ? {} : { approvedBy: run.approvedBy }),
      },
      author: { name: "Chief of Staff", email: "chief-of-staff@localhost" },
    });
    const headCommit = committed.type === "committed" ? committed.commit : startCommit;
    const { goalId } = goal;
    if (headCommit !== startCommit)
      await shareWork(deps, { goalId, runId: run.runId, commit: headCommit, repository: workplace.repository, mirror });
    deps.log.info("goal.committed", { goalId: goal.goalId, commit: headCommit });
    const { files, diffstat } = await allWork(deps.git, workplace, committed);
    const noted = await notedOf(deps, { mirror, baseCommit, commit: headCommit, changed: files });
    const { unnamed = [], notAdded: leftOut = [] } = committed;
    return {
      end,
      headCommit,
      left: null,
      tampered,
      unnamed,
      leftOut,
      files: files.map((file) => file.path),
      noted,
      stat: diffstat,
    };
  } catch (error) {
    // It is recorded as an attempt nevertheless, because it has cost money.
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return { end: { type: "no-space", reason: noSpace }, tampered, ...nothing };
    if (!(error instanceof GitError)) throw error;
    // Its disk has disappeared: treated as if the machine had stopped.
    if (await isFolderGone(worktreeDir)) return { end: { type: "cut", why: "shutdown" }, tampered, ...nothing };
    // The reason that ended it early decides what follows, whatever happened to its work.
    const isHalfDone = end.type !== "finished" && end.type !== "permission";
    return { end: isHalfDone ? end : notCommitted(error), tampered, ...nothing };
  }
}

/** A failed commit. If the work is the cause, another attempt may do better; if the repository is, none can. */
function notCommitted(error: GitError): ExecutionEnd {
  return error.aboutWork === null
    ? { type: "setup-failure", of: "commit", reason: error.message }
    : { type: "failed", reason: `the work could not be committed: ${error.aboutWork}` };
}

/** All changes on the goal's branch, including those of earlier attempts. Without a diffstat when there are none. */
async function allWork(
  git: Deps["git"],
  { mirror, baseCommit, startCommit }: Workplace,
  committed: Commit,
): Promise<{ readonly files: readonly ChangedFile[]; readonly diffstat: Diffstat | null }> {
  if (committed.type === "committed")
    return startCommit === baseCommit ? committed : await git.differenceOf(mirror, baseCommit, committed.commit);
  if (startCommit === baseCommit) return { files: [], diffstat: null };
  return await git.differenceOf(mirror, baseCommit, startCommit);
}
