import { GitError } from "../../agent/git/git.ts";
import type { PushTrouble } from "../../agent/git/publish.ts";
import { decideCut } from "../../core/goals/after.ts";
import { ofGoal } from "../../core/events/write.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { standingOn, standsAlike } from "../../core/goals/ground.ts";
import { outcomeOfWork } from "../../core/recovery/push-wait.ts";
import { loopAtWhole } from "../../core/task-loop/state.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Earlier } from "../../agent/git/earlier-work.ts";
import { groundsOf } from "../../db/grounds.ts";
import type { Run } from "../../db/runs.ts";
import { sessionRows } from "../../db/session-rows.ts";
import type { Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { noteRows } from "../../facts/held.ts";
import { readRecorded, readWorked, type Recorded, type Worked } from "../../facts/worked.ts";
import { notPushed } from "../recovery/fix-push.ts";
import { keepSuccess, readBefore } from "../recovery/attempts.ts";
import { type Base, pinBase } from "../shared/base.ts";
import { countSuccess } from "../shared/breaker.ts";
import { inTurnSeeing, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { moveLoop } from "../shared/loop-move.ts";
import { endKnown, readAround } from "../shared/end-goal.ts";
import { actOnCut, asAsked } from "./cut.ts";
import { withoutWork } from "./recorded-work.ts";

/**
 * The last phase: pushes the recorded commit to the person's repository as `cos/<goal>`, and completes the goal. Safe to repeat: pushing a
 * recorded commit twice changes nothing (D23). `known`: the goal's rows from the begin of the phase; `recorded`: from the begin of the turn.
 */
export async function finishTurn(
  deps: Deps,
  keeper: LeaseKeeper,
  known: Worked | null,
  recorded: Recorded | null,
): Promise<StepResult> {
  const { lease } = keeper;
  const { goal, run, repository } = known ?? (await readWorked(deps.database.db, lease.goalId));
  const base = goal.branch === null ? null : await pinBase(deps, goal.repositoryId, repository);
  // A person's hooks must run for one worker only: the one that has the goal.
  if ((await keeper.confirm()) === "lost") return lost;
  const { trouble, earlier } =
    base === null ? { trouble: null, earlier: [] } : await publish(deps, base, { goal, run, recorded });
  const without = trouble === null ? null : await withoutWork(deps, keeper, { goal, run });
  if (without !== null) return without;
  deps.log.info("goal.published", { goalId: goal.goalId, trouble: trouble?.reason ?? null });

  const files = trouble === null || base === null ? [] : await filesOf(deps, base, run);
  const work = async (tx: Db, locked: Goal, session: Session | null, seen: Seen): Promise<StepResult> => {
    noteRows(tx, seen.rows);
    await noteEarlier(tx, deps, { goal: locked, run }, earlier);
    const write = turnWrite(tx, { lease, goal: locked }, deps.now);
    const stands = standingOn(locked.after, await groundsOf(tx, locked.after));
    if (stands === null || (locked.after.length > 0 && !standsAlike(stands, run.standsOn))) {
      // A goal that it builds on was reopened at this moment. It waits for that goal and is verified again.
      const outcome = outcomeOfWork(locked.outcome);
      await write({ type: "entersPhase", phase: "verify", ...(outcome === null ? {} : { outcome }) });
      const asked = await asAsked(tx, deps, keeper, { goal: locked, run });
      if (asked !== null) return asked;
      await write({ type: "waitsForGround" });
      lookAt(tx, locked.sessionId);
      return { type: "over" };
    }
    if (trouble === null) {
      const outcome = outcomeOfWork(locked.outcome) ?? `The work is on ${branchOf(locked.goalId)}.`;
      await keepSuccess(tx, deps, { goal: locked, run, turn: lease.turn, before: seen.before });
      await countSuccess(tx, session);
      if (locked.taskParallel !== null) {
        const move = {
          status: { implementationComplete: true },
          state: {},
          summary: "verified, and the branch is there",
        };
        await moveLoop(tx, deps, { goal: locked, run, state: loopAtWhole(run) }, move);
      }
      const ending = { status: "complete", outcome, errorCount: 0, recoveryLevel: 0 } as const;
      await endKnown(tx, deps, { goal: locked, ...seen.around, write }, ending);
      lookAt(tx, locked.sessionId);
      return { type: "over", isDone: true };
    } else if (locked.stopRequested !== null) {
      // A person's request comes before another try.
      await actOnCut(tx, deps, { goal: locked, run, decision: decideCut(locked.stopRequested), write });
      mark(tx, "goal", locked.goalId);
    } else {
      const ringAfterMs = await notPushed(tx, deps, { goal: locked, run, turn: lease.turn, trouble, files }, write);
      lookAt(tx, locked.sessionId);
      return { type: "over", ringAfterMs };
    }
    lookAt(tx, locked.sessionId);
    return { type: "over" };
  };
  const result = await inTurnSeeing(deps, keeper, work, { sees: (reads) => readEnd(reads, goal, run) });
  return result ?? lost;
}

/** The changed files. Empty when they cannot be read. */
async function filesOf({ git }: Pick<Deps, "git">, base: Base, { baseCommit, headCommit }: Run): Promise<string[]> {
  if (base.type === "failed" || headCommit === null) return [];
  try {
    return (await git.changedFiles(base.mirror, baseCommit ?? base.commit, headCommit)).map(({ path }) => path);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return [];
  }
}

type Seen = Awaited<ReturnType<typeof readEnd>>;

/** Facts for recording a goal's end, and the rows of its session. */
async function readEnd(reads: Db, { goalId, sessionId }: Goal, { runId }: Run) {
  const [before, around, rows] = await Promise.all([
    readBefore(reads, runId),
    readAround(reads, goalId),
    sessionId === null ? null : sessionRows(reads, sessionId),
  ]);
  return { before, around, rows };
}

/** How publishing ended. */
interface Ended {
  /** Null when the branch was pushed. */
  readonly trouble: PushTrouble | null;
  /** Refs that keep replaced commits which are not known here. */
  readonly earlier: readonly string[];
}

/** Records once that its branch had commits which are not known here. */
async function noteEarlier(
  tx: Db,
  deps: Pick<Deps, "now">,
  { goal, run: { runId } }: { readonly goal: Goal; readonly run: Run },
  earlier: readonly string[],
): Promise<void> {
  for (const ref of earlier)
    await appendTimeline(tx, {
      event: "goal.branch-replaced",
      ...ofGoal({ ...goal, runId }, deps.now()),
      detail: { ref },
    });
}

/**
 * Earlier pushed commits of the goal that the new commit does not contain, because the goal was put on another ground, or on another tip by
 * a merge queue. Each is kept as a ref of its own. Only a branch that is still where we left it is changed (D23, D37).
 */
async function replacedOf(
  deps: Deps,
  { mirror, origin }: Extract<Base, { type: "pinned" }>,
  { goal: { goalId, after }, run, recorded: { works, wasPutOnTip } }: WorkToPublish & { readonly recorded: Recorded },
  commit: string,
): Promise<Earlier[]> {
  const replaced: Earlier[] = [];
  for (const { runId, headCommit, standsOn } of works) {
    if (runId === run.runId || headCommit === null) continue;
    if (!wasPutOnTip && after.length === 0 && standsOn.length === 0) continue;
    if (!(await deps.git.hasCommit(mirror, headCommit)) || (await deps.git.contains(mirror, commit, headCommit)))
      continue;
    const ref = `refs/cos/replaced/${goalId}/${runId}`;
    replaced.push({ commit: headCommit, ref });
    // At a remote, the push itself replaces the commit.
    if (origin.remote === null) await deps.git.setAside(origin, { branch: branchOf(goalId), commit: headCommit, ref });
  }
  return replaced;
}

interface WorkToPublish {
  readonly goal: Goal;
  readonly run: Run;
  /** What its runs recorded before this turn. Null when that is not known. */
  readonly recorded: Recorded | null;
}

async function publish(deps: Deps, base: Base, work: WorkToPublish): Promise<Ended> {
  const { goal, run } = work;
  const failed = (reason: string): Ended => ({ trouble: { reason, isRefused: false, isAway: false }, earlier: [] });
  if (base.type === "failed") return failed(base.reason);
  const { headCommit: commit } = run;
  if (commit === null) return failed("no commit was recorded");
  const { repository, mirror, origin } = base;
  const { pushRemote: remote, baseBranch } = repository;
  const branch = branchOf(goal.goalId);
  const recorded = work.recorded ?? (await readRecorded(deps.database.db, goal.goalId));
  const replaced = await replacedOf(deps, base, { ...work, recorded }, commit);
  const known = recorded.works.flatMap((each) => each.headCommit ?? []);
  const pushing = { goalId: goal.goalId, baseBranch, recorded: known, replaced };
  const published = await deps.git.publishBranch({ mirror, origin, branch, commit, pushing });
  if (published.type === "rejected") return { trouble: published, earlier: [] };
  const here = published.earlier === null ? [] : [published.earlier];
  if (remote === null || origin.remote !== null) return { trouble: null, earlier: here };
  const agentSocket = deps.config.sshAgent;
  const pushed = await deps.git.pushToRemote({ repositoryPath: origin.dir, remote, agentSocket, branch, pushing });
  if (pushed.type === "rejected") return { trouble: pushed, earlier: here };
  return { trouble: null, earlier: [...new Set(pushed.earlier === null ? here : [...here, pushed.earlier])] };
}
