import { GitError } from "../../agent/git/git.ts";
import { outOfReachWords, saysOutOfReach } from "../../core/cards/merge-words.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import type { Db } from "../../db/connection/client.ts";
import { getGoal, lockGoal } from "../../db/goals.ts";
import { dueMerges, lastMerge, type Merge, moveMerge, oldDiscards } from "../../db/merges.ts";
import { openQueues, waitAgain } from "../../db/merge-queues.ts";
import { findRepository, type Repository } from "../../db/repositories.ts";
import { getRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { reopenBuilders, markBuilders } from "../shared/builders.ts";
import { forgeOf } from "../../facts/forge.ts";
import { machineWith } from "../../facts/machine-with.ts";
import { isWithin, originOf } from "../../facts/origin.ts";
import { type MergeOrder, mergeOrderOf } from "../../facts/merge-order.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { type Ended, refusedMerge, type Waits } from "./ended.ts";
import { lockSessionsOf } from "../shared/sessions.ts";
import { askAboutConflict } from "./conflict.ts";
import { inRepository } from "./in-repository.ts";
import { tryToMerge } from "./try-merge.ts";

type MergeDeps = Pick<Deps, "database" | "git" | "log" | "openForge"> & AskDeps;

/** Returns the ref that keeps the commit of a discarded goal. */
export function discardedRef(goalId: string): string {
  return `refs/cos/discarded/${goalId}`;
}

/**
 * Performs the merges whose undo time is over, and deletes the refs of discarded branches that were kept long enough. Safe to
 * repeat after a crash at any point, and safe to run twice: a base branch that contains the commit counts as merged, whoever merged
 * it. `signal` aborts when this process ends.
 */
export async function finishDueBranches(deps: MergeDeps, signal?: AbortSignal): Promise<void> {
  await performDueMerges(deps, "here", signal);
  const now = deps.now();
  const before = new Date(now.getTime() - deps.policy.merging.keepDiscardedMs);
  for (const merge of await oldDiscards(deps.database.db, before)) {
    if (signal?.aborted === true) return;
    const repository = await repositoryOf(deps.database.db, merge.goalId);
    if (repository === null || !isWithin(deps.config, repository)) continue;
    await inRepository(deps, repository, signal, async () => {
      await deps.git.dropRef(originOf(deps.config, repository), discardedRef(merge.goalId));
      await moveMerge(deps.database.db, merge.mergeId, "discarded", { purgedAt: now });
    });
  }
}

/**
 * Performs the merges whose undo time is over. `there`: those of repositories at a forge with a configured token. `here`: all others.
 * A forge that does not answer is asked only once; its other merges wait for the next call. A repository in which another
 * process merges is skipped. `signal` aborts when another process may have taken over the `there` merges, or this process ends.
 */
export async function performDueMerges(deps: MergeDeps, where: "here" | "there", signal?: AbortSignal): Promise<void> {
  const away = new Set<string>();
  for (const merge of await dueMerges(deps.database.db, deps.now())) {
    if (signal?.aborted === true) return;
    const repository = await repositoryOf(deps.database.db, merge.goalId);
    if (repository === null) continue;
    // It may be on another machine, whose process does this.
    if (!isWithin(deps.config, repository)) {
      await sayOutOfReach(deps, { merge, repository });
      continue;
    }
    const host = forgeOf(deps.config, repository)?.host ?? null;
    if ((host === null) !== (where === "here") || (host !== null && away.has(host))) continue;
    await inRepository(deps, repository, signal, async (held) => {
      // Another process may have done it since this call began.
      const now = await lastMerge(deps.database.db, merge.goalId);
      if (now?.mergeId !== merge.mergeId || !isDue(now, deps.now())) return;
      if ((await mergeOrWait(deps, { merge: now, repository }, held)) === "waits" && host !== null) away.add(host);
    });
  }
}

function isDue({ status, dueAt }: Merge, now: Date): boolean {
  return (status === "due" || status === "merging") && dueAt <= now;
}

async function repositoryOf(db: Db, goalId: string) {
  const goal = await getGoal(db, goalId);
  return goal === null ? null : await findRepository(db, goal.repositoryId);
}

interface Due {
  readonly merge: Merge;
  readonly repository: Repository;
}

/** How long an overdue merge is left to another machine before the goal's card says that the repository is out of reach. */
const leftToOthersMs = 30_000;

/**
 * Reports once, from whichever machine is first, that no machine has begun this merge and that its repository is not on this one. The
 * merge goes on as soon as a machine reaches the repository. Nothing is reported while a worker on another machine has it.
 */
async function sayOutOfReach(deps: MergeDeps, { merge, repository }: Due): Promise<void> {
  if (merge.status !== "due" || deps.now().getTime() - merge.dueAt.getTime() < leftToOthersMs) return;
  if (saysOutOfReach(merge.outcome, repository)) return;
  if ((await machineWith(deps.database.db, deps.config, repository)) !== null) return;
  const outcome = outOfReachWords(repository, deps.config.machine);
  deps.log.warn("merge.out-of-reach", { goalId: merge.goalId, repository: repository.name });
  await deps.database.transaction(async (tx) => {
    if (await moveMerge(tx, merge.mergeId, "due", { outcome })) mark(tx, "goal", merge.goalId);
  });
}

/** Performs a merge. Without disk space it is tried again by the next call, and the goal's card says what it waits for. */
async function mergeOrWait(deps: MergeDeps, due: Due, signal: AbortSignal): Promise<"waits" | "done"> {
  const { merge } = due;
  try {
    return await performMerge(deps, due, signal);
  } catch (error) {
    const reason = spaceWordsOf(error);
    if (reason === null) throw error;
    deps.log.warn("merge.no-space", { goalId: merge.goalId, reason });
    const outcome = `Waits for space: ${reason}. Goes on by itself.`;
    if (merge.outcome === outcome) return "done";
    await deps.database.transaction(async (tx) => {
      await moveMerge(tx, merge.mergeId, "merging", { outcome });
      mark(tx, "goal", merge.goalId);
    });
    return "done";
  }
}

/** Performs one merge. `waits`: it is tried again later, because its forge does not answer or the repository cannot be used now. */
async function performMerge(
  deps: MergeDeps,
  { merge, repository }: Due,
  signal: AbortSignal,
): Promise<"waits" | "done"> {
  const below = await mergeBelow(deps, merge);
  // The goals below it are merged by this call or the next one.
  if (below.underWay.length > 0 && below.open.length === 0) return "done";
  // From here on it cannot be undone. Whoever undoes it at this moment either was first or gets an answer that it is too late.
  if (merge.status === "due" && !(await beginMerge(deps, merge))) return "done";
  const ended = await tryToMerge(deps, merge, repository, below.open).catch((error: unknown): Ended | Waits => {
    if (error instanceof GitError) return refusedMerge(error.message);
    throw error;
  });
  // The process that has taken over stores the result.
  if (signal.aborted) return "done";
  if ("dueAt" in ended) {
    const { status, outcome, dueAt } = ended;
    await deps.database.transaction(async (tx) => {
      await moveMerge(tx, merge.mergeId, "merging", { status, outcome, dueAt });
      mark(tx, "goal", merge.goalId);
      const queue = (await openQueues(tx)).find((each) => each.repositoryId === repository.repositoryId);
      if (queue !== undefined) mark(tx, "queue", queue.queueId);
    });
    return "waits";
  }
  await deps.database.transaction(async (tx) => {
    const goal = await getGoal(tx, merge.goalId);
    const open = goal === null ? null : await lockSessionsOf(tx, goal);
    const locked = await lockGoal(tx, merge.goalId);
    const { conflict, ...changes } = ended;
    const settled = await moveMerge(tx, merge.mergeId, "merging", { ...changes, settledAt: deps.now() });
    if (!settled) return;
    if (ended.status === "undone") await waitAgain(tx, merge.goalId);
    if (conflict !== null && locked?.status === "complete") {
      await askAboutConflict(tx, deps, locked, { ...conflict, into: merge.into });
      await reopenBuilders(tx, deps, merge.goalId, open?.sessionId ?? null);
    }
    await appendTimeline(tx, {
      event: `goal.${ended.status === "merged" ? "merged" : "merge-refused"}`,
      goalId: merge.goalId,
      at: deps.now(),
      detail: { into: ended.into ?? merge.into, commit: ended.resultCommit, outcome: ended.outcome },
    });
    mark(tx, "goal", merge.goalId);
    await markBuilders(tx, merge.goalId);
  });
  return "done";
}

/**
 * Moves a merge from `due` to `merging` if its goal is still complete at the requested commit. Otherwise the merge is refused.
 * Returns false when it must not be performed.
 */
async function beginMerge(deps: MergeDeps, { mergeId, goalId, headCommit, into }: Merge): Promise<boolean> {
  return await deps.database.transaction(async (tx) => {
    const goal = await lockGoal(tx, goalId);
    const run = goal?.runId == null ? null : await getRun(tx, goal.runId);
    if (goal?.status === "complete" && run?.headCommit === headCommit)
      return await moveMerge(tx, mergeId, "due", { status: "merging" });
    const outcome = `${goalId} was worked again after its merge was asked for. Nothing was touched. When it is complete: cos goal merge ${goalId}`;
    const at = deps.now();
    if (!(await moveMerge(tx, mergeId, "due", { status: "refused", settledAt: at, outcome }))) return false;
    await appendTimeline(tx, { event: "goal.merge-refused", goalId, at, detail: { into, commit: null, outcome } });
    mark(tx, "goal", goalId);
    return false;
  });
}

async function mergeBelow(deps: MergeDeps, { goalId }: Merge): Promise<MergeOrder> {
  const goal = await getGoal(deps.database.db, goalId);
  return goal === null ? { open: [], underWay: [] } : await mergeOrderOf(deps, goal);
}
