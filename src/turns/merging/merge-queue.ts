import { GitError } from "../../agent/git/git.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { nextInQueue, type QueuedState } from "../../core/merging/queue.ts";
import { otherBaseWords } from "../../core/cards/merge-words.ts";
import { evidenceOf } from "../../db/evidence.ts";
import { getGoal, lockGoal } from "../../db/goals.ts";
import {
  endQueue,
  lockQueued,
  type MergeQueue,
  openQueues,
  type QueuedBranch,
  queuedOf,
  updateQueued,
} from "../../db/merge-queues.ts";
import { findRepository, type Repository } from "../../db/repositories.ts";
import { getRun } from "../../db/runs.ts";
import { mark } from "../../db/connection/marks.ts";
import { pinBase } from "../shared/base.ts";
import { reopenBuilders } from "../shared/builders.ts";
import { ensureCommit } from "../goal/ground.ts";
import { askAboutConflict, conflictFeedback } from "./conflict.ts";
import { inRepository } from "./in-repository.ts";
import { askForMerge, isBeingMerged } from "./wanted-merge.ts";
import { isWithin } from "../../facts/origin.ts";
import { refusedByPerson } from "../../facts/criteria-status.ts";
import { mergeOrderOf } from "../../facts/merge-order.ts";
import { lockSessionsOf } from "../shared/sessions.ts";
import { shareWork } from "../shared/shared-work.ts";
import { workQueuedAgain, type MergeQueueDeps, type QueueLook, type QueueLookResult } from "./work-again.ts";

/**
 * Advances every open merge queue as far as possible now. Each step is one transaction that reads the state again, so this may be
 * called at any time and by any process. `signal` aborts when this process ends. The rules are in core/merging/queue.ts.
 */
export async function advanceMergeQueues(deps: MergeQueueDeps, signal?: AbortSignal): Promise<void> {
  for (const queue of await openQueues(deps.database.db)) {
    if (signal?.aborted === true) return;
    try {
      const repository = await findRepository(deps.database.db, queue.repositoryId);
      // The repository is on another machine, whose process does this.
      if (repository === null || !isWithin(deps.config, repository)) continue;
      await inRepository(deps, repository, signal, (held) => advance(deps, queue, repository, held));
    } catch (error) {
      // The other queues go on, and the next call tries this one again.
      deps.log.error("merge-queue.failed", { queueId: queue.queueId, error });
    }
  }
}

/** More steps than a queue can have: a limit in case a step changes nothing. */
const mostSteps = 10_000;

async function advance(
  deps: MergeQueueDeps,
  queue: MergeQueue,
  repository: Repository,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps.database;
  // The queue was requested for a named base branch. Merging into another one needs a new request.
  const isOther = repository.baseBranch !== queue.into;
  const over = isOther ? otherBaseWords(queue.into, repository, `cos merge all --repo ${repository.name}`) : null;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    if (signal.aborted) return;
    const branches = await queuedOf(db, queue.queueId);
    const step = nextInQueue(branches, over);
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

/** Stores the new state of a branch in the queue, if its state is still the one that was read. */
async function note(
  deps: MergeQueueDeps,
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

/** Compares the next branch with the tip: it is merged, first verified on the tip, or conflicts. `rest`: it is tried again later. */
async function look(
  deps: MergeQueueDeps,
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
  const refused = refusedByPerson(goal, await evidenceOf(db, [goal.goalId]));
  if (refused !== null) return await leave(refused);
  // A failure of git may be temporary: the branch stays in the queue, and the card shows the failure until then.
  const wait = async (reason: string | null): Promise<"rest"> => {
    if (branch.reason !== reason) await note(deps, queue, branch, { state: branch.state, reason });
    return "rest";
  };
  try {
    const base = await pinBase(deps, repository.repositoryId);
    if (base.type === "failed") return await wait(triedAgain(base.reason));
    const { mirror, commit: tip } = base;
    const looking = { queue, goal, run, base, branch };
    if (!(await ensureCommit({ git: deps.git, mirror }, goal.goalId, run.headCommit)))
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
        : await workQueuedAgain(deps, looking, { type: "verify", headCommit: rebased.commit });
    return typeof looked === "string" ? looked : await wait(looked.waitsFor);
  } catch (error) {
    // A full disk leaves no branch out: the next call tries again.
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return await wait(triedAgain(noSpace));
    if (error instanceof GitError) return await wait(triedAgain(error.message));
    throw error;
  }
}

function triedAgain(reason: string): string {
  return `goes on by itself when this is over: ${reason}`;
}

/** Requests the merge of a branch that was verified on this tip. It happens after the half minute in which it can be undone. */
async function letMerge(deps: MergeQueueDeps, { queue, goal, run, base, branch }: QueueLook): Promise<"done"> {
  const { goalId } = goal;
  await deps.database.transaction(async (tx) => {
    await lockSessionsOf(tx, goal);
    if (!(await lockQueued(tx, queue.queueId, goalId, branch.state))) return;
    const locked = await lockGoal(tx, goalId);
    if (locked?.status !== "complete" || locked.runId !== run.runId || run.headCommit === null) return;
    // A person may have refused it while it waited. Whoever refuses it from now on finds a requested merge.
    const refused = refusedByPerson(locked, await evidenceOf(tx, [goalId]));
    if (refused !== null) {
      await updateQueued(tx, queue.queueId, goalId, { state: "left-out", reason: refused });
      mark(tx, "queue", queue.queueId);
      return;
    }
    const { into, requestedBy: actor } = queue;
    const wanted = { into, headCommit: run.headCommit, verifiedOn: base.commit, actor, via: null };
    await askForMerge(tx, deps, locked, wanted);
    await updateQueued(tx, queue.queueId, goalId, { state: "merges", reason: null });
    mark(tx, "queue", queue.queueId);
  });
  return "done";
}

/** The goal's agent resolves a first conflict. For a further conflict, or without an agent, a person is asked. */
async function onConflict(deps: MergeQueueDeps, at: QueueLook, files: readonly string[]): Promise<QueueLookResult> {
  const { queue, goal, run, base, branch } = at;
  const { into } = queue;
  const hasAgent = goal.runCommand === null && (base.repository.agent ?? deps.config.agent) !== null;
  if (hasAgent && branch.rounds === 0) {
    return await workQueuedAgain(deps, at, { type: "resolve", feedback: conflictFeedback(into, files) });
  }
  await deps.database.transaction(async (tx) => {
    const open = await lockSessionsOf(tx, goal);
    if (!(await lockQueued(tx, queue.queueId, goal.goalId, branch.state))) return;
    const locked = await lockGoal(tx, goal.goalId);
    if (locked?.status !== "complete" || locked.runId !== run.runId) return;
    // A person requested its merge at the same moment.
    if (await isBeingMerged(tx, goal.goalId)) return;
    await askAboutConflict(tx, deps, locked, { into, tip: base.commit, files });
    await reopenBuilders(tx, deps, goal.goalId, open?.sessionId ?? null);
    const reason = `it conflicts with ${into}: a person is asked`;
    await updateQueued(tx, queue.queueId, goal.goalId, { state: "returned", reason, rounds: branch.rounds + 1 });
    mark(tx, "goal", goal.goalId);
    mark(tx, "queue", queue.queueId);
  });
  return "done";
}
