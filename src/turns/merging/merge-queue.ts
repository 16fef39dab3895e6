import { GitError } from "../../agent/git/git.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { contractOf, hasContract } from "../../core/acceptance/goal-contract.ts";
import { notJoinedWords } from "../../core/cards/session-words.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { landingOrder, nextInQueue, type QueuedState } from "../../core/merging/queue.ts";
import { localTime } from "../../core/time.ts";
import type { Db } from "../../db/connection/client.ts";
import { getGoal, goalsById, lockGoal, placeGoals } from "../../db/goals.ts";
import {
  endQueue,
  lockQueued,
  type MergeQueue,
  openQueues,
  type QueuedBranch,
  queuedOf,
  updateQueued,
} from "../../db/merge-queues.ts";
import { getNight } from "../../db/nights.ts";
import { findRepository, lockRepository, type Repository } from "../../db/repositories.ts";
import { getRun, type Run, updateRun } from "../../db/runs.ts";
import { findOpenSession, type Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { type Base, pinBase } from "../shared/base.ts";
import { reopenBuilders } from "../shared/builders.ts";
import { bring } from "../goal/ground.ts";
import { askAboutConflict, askForMerge, conflictFeedback, isBeingMerged } from "./merge.ts";
import { isWithin } from "../../facts/origin.ts";
import { mergeOrderOf } from "../../facts/merge-order.ts";
import { type Asking, beginRun } from "../shared/park.ts";
import { joinSession, openSession } from "../goal/sessions.ts";
import { lockSessionsOf } from "../shared/sessions.ts";
import { shareWork } from "../shared/shared-work.ts";
import { applyTransition } from "../../db/transitions.ts";

type Merging = Pick<Deps, "config" | "database" | "git" | "log" | "openForge" | "store"> & Asking;

/**
 * Brings every open queue as far as it goes now; each step is one transaction that looks again, so that it may be called at any
 * time and by anybody. What is rules is in core/merging/queue.ts.
 */
export async function advanceMergeQueues(deps: Merging): Promise<void> {
  for (const queue of await openQueues(deps.database.db)) {
    try {
      const repository = await findRepository(deps.database.db, queue.repositoryId);
      // The repository lies on another machine, whose process does it.
      if (repository === null || !isWithin(deps.config, repository)) continue;
      await advance(deps, queue, repository);
    } catch (error) {
      // The others go on, and the next look tries this one again.
      deps.log.error("merge-queue.failed", { queueId: queue.queueId, error });
    }
  }
}

/** More steps than a queue can have; a limit against a step that changes nothing. */
const mostSteps = 10_000;

async function advance(deps: Merging, queue: MergeQueue, repository: Repository): Promise<void> {
  const { db } = deps.database;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const branches = await queuedOf(db, queue.queueId);
    const step = nextInQueue(branches);
    switch (step.type) {
      case "rest":
        return;
      case "end":
        await deps.database.transaction(async (tx) => {
          if (await endQueue(tx, queue.queueId, "everything has landed or was left out.", deps.now()))
            mark(tx, "queue", queue.queueId);
        });
        return;
      case "note":
      case "look": {
        const branch = branches.find((each) => each.goalId === step.goalId);
        if (branch === undefined) return;
        if (step.type === "note") {
          await note(deps, queue, branch, step);
          break;
        }
        if ((await look(deps, queue, repository, branch)) === "rest") return;
      }
    }
  }
  throw new Error(`the merge queue ${queue.queueId} does not come to rest`);
}

/** Writes down what has become of a branch that is still as it was seen. */
async function note(
  deps: Merging,
  { queueId }: MergeQueue,
  { goalId, state: from }: Pick<QueuedBranch, "goalId" | "state">,
  to: { readonly state: QueuedState; readonly reason: string | null },
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    if (!(await lockQueued(tx, queueId, goalId, from))) return;
    await updateQueued(tx, queueId, goalId, to);
    mark(tx, "queue", queueId);
  });
}

interface Looking {
  readonly queue: MergeQueue;
  readonly goal: Goal;
  readonly run: Run;
  readonly base: Extract<Base, { type: "pinned" }>;
  readonly branch: QueuedBranch;
}

/** Holds the next branch against the tip: it may merge, is verified on it first, or conflicts. `rest`: later. */
async function look(
  deps: Merging,
  queue: MergeQueue,
  repository: Repository,
  branch: QueuedBranch,
): Promise<"rest" | "done"> {
  const { db } = deps.database;
  const leave = async (reason: string): Promise<"done"> => {
    await note(deps, queue, branch, { state: "left-out", reason });
    return "done";
  };
  const goal = await getGoal(db, branch.goalId);
  const run = goal?.runId == null ? null : await getRun(db, goal.runId);
  if (goal === null || run?.headCommit == null) return await leave("it has no recorded commit");
  // A failure of git may pass: nothing is left out for it, and the card says it until then.
  const wait = async (reason: string | null): Promise<"rest"> => {
    if (branch.reason !== reason) await note(deps, queue, branch, { state: branch.state, reason });
    return "rest";
  };
  try {
    const base = await pinBase(deps, repository.repositoryId);
    if (base.type === "failed") return await wait(triedAgain(base.reason));
    const { mirror, commit: tip } = base;
    const looking = { queue, goal, run, base, branch };
    if (!(await bring({ git: deps.git, mirror }, goal.goalId, run.headCommit)))
      return await leave("its commit is not there any more");
    const order = await mergeOrderOf(deps, goal);
    if (order.open.length > 0) return await leave(`it is on top of ${order.open.join(", ")}, which is not merged`);
    if (await deps.git.contains(mirror, tip, run.headCommit)) return await letMerge(deps, looking);
    const runBase = run.baseCommit ?? tip;
    if (runBase === tip && (await deps.git.contains(mirror, run.headCommit, tip))) return await letMerge(deps, looking);
    if (branch.rounds >= deps.policy.merging.rounds)
      return await leave(`${queue.into} has moved ${branch.rounds} times meanwhile: cos goal merge ${goal.goalId}`);
    const rebased = await deps.git.rebaseCommits({ mirror, base: runBase, head: run.headCommit, tip });
    if (rebased.type !== "conflict") {
      const work = { goalId: goal.goalId, runId: run.runId, commit: rebased.commit, mirror };
      await shareWork(deps, { ...work, repository: base.repository });
    }
    const looked =
      rebased.type === "conflict"
        ? await onConflict(deps, looking, rebased.files)
        : await workAgain(deps, looking, { type: "verify", headCommit: rebased.commit });
    return typeof looked === "string" ? looked : await wait(looked.waitsFor);
  } catch (error) {
    // Nothing is left out for want of space: the next look tries again.
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return await wait(triedAgain(noSpace));
    if (error instanceof GitError) return await wait(triedAgain(error.message));
    throw error;
  }
}

function triedAgain(reason: string): string {
  return `goes on by itself when this is over: ${reason}`;
}

/** It was verified on this very tip: it merges after the half minute in which that can be undone. */
async function letMerge(deps: Merging, { queue, goal, run, base, branch }: Looking): Promise<"done"> {
  const { goalId } = goal;
  await deps.database.transaction(async (tx) => {
    await lockSessionsOf(tx, goal);
    if (!(await lockQueued(tx, queue.queueId, goalId, branch.state))) return;
    const locked = await lockGoal(tx, goalId);
    if (locked?.status !== "complete" || locked.runId !== run.runId || run.headCommit === null) return;
    const { into, requestedBy: actor } = queue;
    const wanted = { into, headCommit: run.headCommit, verifiedOn: base.commit, actor, via: null };
    await askForMerge(tx, deps, locked, wanted);
    await updateQueued(tx, queue.queueId, goalId, { state: "merges", reason: null });
    mark(tx, "queue", queue.queueId);
  });
  return "done";
}

/** A conflict is a round for the goal's agent; one that comes back with another, or has no agent, is a question. */
async function onConflict(deps: Merging, looking: Looking, files: readonly string[]): Promise<Looked> {
  const { queue, goal, run, base, branch } = looking;
  const { into } = queue;
  const hasAgent = goal.runCommand === null && (base.repository.agent ?? deps.config.agent) !== null;
  if (hasAgent && branch.rounds === 0) {
    return await workAgain(deps, looking, { type: "resolve", feedback: conflictFeedback(into, files) });
  }
  await deps.database.transaction(async (tx) => {
    const open = await lockSessionsOf(tx, goal);
    if (!(await lockQueued(tx, queue.queueId, goal.goalId, branch.state))) return;
    const locked = await lockGoal(tx, goal.goalId);
    if (locked?.status !== "complete" || locked.runId !== run.runId) return;
    // A person has asked for its merge in this moment.
    if (await isBeingMerged(tx, goal.goalId)) return;
    await askAboutConflict(tx, deps, locked, into, { tip: base.commit, files });
    await reopenBuilders(tx, deps, goal.goalId, open?.sessionId ?? null);
    const reason = `it conflicts with ${into}: a person is asked`;
    await updateQueued(tx, queue.queueId, goal.goalId, { state: "returned", reason, rounds: branch.rounds + 1 });
    mark(tx, "goal", goal.goalId);
    mark(tx, "queue", queue.queueId);
  });
  return "done";
}

/** `waitsFor`: it cannot be worked now, with the reason; null: somebody else was at it. */
type Looked = "done" | { readonly waitsFor: string | null };

type Again =
  /** Its commits on the tip are verified. */
  | { readonly type: "verify"; readonly headCommit: string }
  /** Its agent brings both together. */
  | { readonly type: "resolve"; readonly feedback: string };

/**
 * Another run of a finished goal, at the tip, with what was settled: nothing of what a person approved has changed (D14). It is worked
 * in the open session of its repository, or in one of its own. It waits while a session is open that it cannot join.
 */
async function workAgain(deps: Merging, looking: Looking, again: Again): Promise<Looked> {
  const { queue, goal, run, base, branch } = looking;
  const { goalId } = goal;
  const now = deps.now();
  const tip = base.commit;
  return await deps.database.transaction(async (tx) => {
    await lockRepository(tx, queue.repositoryId);
    const open = await lockSessionsOf(tx, goal);
    const waitsFor = await heldBy(tx, deps, open ?? (await findOpenSession(tx, queue.repositoryId)));
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
    await applyTransition(tx, locked, { type: "isReopened", phase, runId, outcome }, now);
    await updateQueued(tx, queue.queueId, goalId, {
      state: again.type === "verify" ? "verifies" : "returned",
      reason: again.type === "verify" ? null : `it conflicts with ${queue.into}: its agent works on it`,
      tip,
      rounds: branch.rounds + 1,
    });
    const detail = { into: queue.into, tip, commit: headCommit, why: again.type };
    await appendTimeline(tx, { event: "goal.rebased", goalId, runId, at: now, actor: queue.requestedBy, detail });
    const sessionId = await sessionFor(tx, deps, { looking, open });
    // What is on top of it is verified anew after it, in the same session.
    const builders = await goalsById(tx, await reopenBuilders(tx, deps, goalId, sessionId));
    const here = landingOrder(builders.filter((builder) => builder.sessionId === sessionId));
    await placeGoals(
      tx,
      here.map((builder) => builder.goalId),
    );
    lookAt(tx, sessionId);
    mark(tx, "goal", goalId);
    mark(tx, "queue", queue.queueId);
    return "done";
  });
}

/** Why nothing is worked again in the open session of a repository, and none can be opened beside it; null: it can. */
async function heldBy(tx: Db, deps: Merging, session: Session | null): Promise<string | null> {
  if (session === null) return null;
  const night = session.nightId === null ? null : await getNight(tx, session.nightId);
  return notJoinedWords(session, night === null ? null : localTime(night.untilAt, deps.config.timezone));
}

/** The session in which it is worked again: the open one, which the caller holds, or one of its own. */
async function sessionFor(
  tx: Db,
  deps: Merging,
  { looking, open }: { readonly looking: Looking; readonly open: Session | null },
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
