import { contractOf, hasContract } from "../../core/acceptance/goal-contract.ts";
import { landingOrder } from "../../core/merging/queue.ts";
import type { Db } from "../../db/connection/client.ts";
import { goalsById, lockGoal, placeLast } from "../../db/goals.ts";
import { lockQueued, updateQueued, type MergeQueue, type QueuedBranch } from "../../db/merge-queues.ts";
import { lockRepository } from "../../db/repositories.ts";
import { updateRun, type Run } from "../../db/runs.ts";
import { findOpenSession, type Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { reopenBuilders } from "../shared/builders.ts";
import { isBeingMerged } from "./wanted-merge.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { beginRun } from "../shared/begin-run.ts";
import { keepPeoplesWords } from "../shared/peoples-words.ts";
import { joinSession, openSession } from "../goal/sessions.ts";
import { lockSessionsOf } from "../shared/sessions.ts";
import { applyTransition } from "../../db/transitions.ts";
import { isJoined, notJoinedWords } from "../../core/cards/session-words.ts";
import { pausedSession } from "../../facts/paused-session.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { localTime } from "../../core/time.ts";
import { getNight } from "../../db/nights.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";

type Again =
  /** The goal's commits, rebased on the tip, are verified. */
  | { readonly type: "verify"; readonly headCommit: string }
  /** The goal's agent resolves the conflict. */
  | { readonly type: "resolve"; readonly feedback: string };

/**
 * Begins another run of a finished goal at the tip, with everything that was settled: nothing that a person approved has changed
 * (D14). The run belongs to the open session of its repository, or to a new one. It waits while a session is open that it cannot join.
 */
export async function workQueuedAgain(deps: MergeQueueDeps, look: QueueLook, again: Again): Promise<QueueLookResult> {
  const { queue, goal, run, base, branch } = look;
  const { goalId } = goal;
  const now = deps.now();
  const tip = base.commit;
  return await deps.database.transaction(async (tx) => {
    await lockRepository(tx, queue.repositoryId);
    const open = await lockSessionsOf(tx, goal);
    const waitsFor = await whyNotAgain(tx, deps, open ?? (await findOpenSession(tx, queue.repositoryId)));
    if (waitsFor !== null || !(await lockQueued(tx, queue.queueId, goalId, branch.state))) return { waitsFor };
    const locked = await lockGoal(tx, goalId);
    if (locked?.status !== "complete" || locked.runId !== run.runId) return "done";
    if (await isBeingMerged(tx, goalId)) return "done";

    const headCommit = again.type === "verify" ? again.headCommit : run.headCommit;
    const { settled, approvedBy, standsOn } = run;
    const runId = await beginRun(tx, deps, locked, { baseCommit: tip, headCommit, settled, approvedBy, standsOn });
    const isProvable = hasContract(contractOf(goal.criteria, base.repository.checks, 1));
    const phase = again.type === "resolve" ? "implement" : isProvable ? "verify" : "finish";
    const outcome = `${queue.into} has moved: ${again.type === "verify" ? "verified" : "worked"} again on ${tip.slice(0, 12)}.`;
    if (again.type === "resolve") await updateRun(tx, runId, { feedback: again.feedback });
    else await keepPeoplesWords(tx, locked, { runId, commit: headCommit });
    await applyTransition(tx, locked, { type: "isReopened", phase, runId, outcome }, { updatedAt: now });
    await updateQueued(tx, queue.queueId, goalId, {
      state: again.type === "verify" ? "verifies" : "returned",
      reason: again.type === "verify" ? null : `it conflicts with ${queue.into}: its agent works on it`,
      tip,
      rounds: branch.rounds + 1,
    });
    const detail = { into: queue.into, tip, commit: headCommit, why: again.type };
    await appendTimeline(tx, { event: "goal.rebased", goalId, runId, at: now, actor: queue.requestedBy, detail });
    const sessionId = await sessionFor(tx, deps, { looking: look, open });
    // Goals on top of it are verified again after it, in the same session.
    const builders = await goalsById(tx, await reopenBuilders(tx, deps, goalId, sessionId));
    const here = landingOrder(builders.filter((builder) => builder.sessionId === sessionId));
    await placeLast(
      tx,
      here.map((builder) => builder.goalId),
    );
    lookAt(tx, sessionId);
    mark(tx, "goal", goalId);
    mark(tx, "queue", queue.queueId);
    return "done";
  });
}

/** Returns the id of the session in which the goal is worked again: the open one, whose lock the caller holds, or a new one. */
async function sessionFor(
  tx: Db,
  deps: MergeQueueDeps,
  { looking, open }: { readonly looking: QueueLook; readonly open: Session | null },
): Promise<string> {
  const { queue, goal, base } = looking;
  const goalIds = [goal.goalId];
  const baseCommit = base.commit;
  if (open === null) {
    const opened = await openSession(tx, deps, {
      repositoryId: queue.repositoryId,
      kind: "plain",
      goalIds,
      budgetMicroUsd: deps.policy.ceilings.sessionMicroUsd,
      onLimit: deps.policy.recovery.onLimit,
      inOrder: false,
      baseCommit,
      startedBy: queue.requestedBy,
      via: "merge queue",
    });
    return opened.sessionId;
  }
  if (open.sessionId !== goal.sessionId)
    await joinSession(tx, deps, open, { goalIds, baseCommit, by: { actor: queue.requestedBy, via: "merge queue" } });
  return open.sessionId;
}

export type MergeQueueDeps = Pick<Deps, "config" | "database" | "git" | "log" | "openForge" | "store"> & AskDeps;

export interface QueueLook {
  readonly queue: MergeQueue;
  readonly goal: Goal;
  readonly run: Run;
  readonly base: Extract<Base, { type: "pinned" }>;
  readonly branch: QueuedBranch;
}

/** `waitsFor`: the reason why it cannot be worked now. Null when another process changed the branch first. */
export type QueueLookResult = "done" | { readonly waitsFor: string | null };

/** Returns why a goal can neither join the open session of a repository nor get a session beside it. Null when it can. */
export async function whyNotAgain(tx: Db, deps: MergeQueueDeps, session: Session | null): Promise<string | null> {
  if (session === null || isJoined(session)) return null;
  const night = session.nightId === null ? null : await getNight(tx, session.nightId);
  const { repositoryName } = await pausedSession(tx, session);
  const until = night === null ? null : localTime(night.untilAt, deps.config.timezone);
  return notJoinedWords(session, { repositoryName, until });
}
