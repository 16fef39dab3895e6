import { changedGoalsLines } from "../core/cards/changed-output.ts";
import { tagText } from "../core/cards/tag-words.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import type { Goal } from "../core/goals/goal.ts";
import { landingOrder } from "../core/merging/queue.ts";
import { count } from "../core/text.ts";
import { withFreshId } from "../db/connection/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { goalsWithBranch } from "../db/goal-lists.ts";
import { lockGoal } from "../db/goals.ts";
import { endQueue, insertQueue, lockQueue, openQueues, queuedOf, updateQueued } from "../db/merge-queues.ts";
import { isSettledAt, lastMerge } from "../db/merges.ts";
import { lockRepository, type Repository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import { appendTimeline } from "../db/timeline.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { withdrawMerge } from "../turns/merging/wanted-merge.ts";
import { advanceMergeQueues } from "../turns/merging/merge-queue.ts";
import { shellWord } from "../core/text/shell-word.ts";
import { backingOf, refusedByPerson } from "../facts/criteria-status.ts";
import { goalsWithChanged } from "../facts/kept-output.ts";
import { chooseRepository } from "./choose-repository.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { name } from "./fields.ts";

const options = { repo: name("N", "the repository (default: COS_REPO, or the only one)").optional() };

export const mergeAll = command({
  name: "merge all",
  summary: "Merge every verified branch in order, each verified again on what was merged before it.",
  access: "change",
  options,
  run: (deps, caller, { repo }) => all(deps, caller, repo),
});

export const mergeStop = command({
  name: "merge stop",
  summary: "Stop merging: what has not been merged stays a branch.",
  access: "change",
  options,
  run: (deps, caller, { repo }) => stop(deps, caller, repo),
});

async function all(deps: Deps, caller: Caller, wanted: string | undefined): Promise<CommandResult> {
  const chosen = await chooseRepository(deps, wanted);
  if (chosen.type === "refused") return chosen;
  const { repository } = chosen;
  const { take, leave } = await sort(deps, repository);
  if (take.length === 0) {
    const why = leave.length === 0 ? "" : `: ${leave.map((each) => `${each.goalId} ${each.reason}`).join("; ")}`;
    return refused(
      `nothing of ${repository.name} is verified and waits to be merged${why}`,
      "cos goals --status complete",
    );
  }
  const now = deps.now();
  const queueId = await deps.database.transaction(async (tx) => {
    await lockRepository(tx, repository.repositoryId);
    if ((await openQueues(tx)).some((queue) => queue.repositoryId === repository.repositoryId)) return null;
    const queue = {
      repositoryId: repository.repositoryId,
      into: repository.baseBranch,
      requestedBy: caller.actor,
      startedAt: now,
    };
    const id = await withFreshId(
      () => deps.newId("mq"),
      (fresh) =>
        insertQueue(
          tx,
          { ...queue, queueId: fresh },
          take.map((goal) => goal.goalId),
        ),
    );
    mark(tx, "queue", id);
    return id;
  });
  if (queueId === null)
    return refused(
      `branches of ${repository.name} are being merged already`,
      `cos merge stop --repo ${repository.name}`,
    );
  // The queue is recorded, so the next tick continues it even if this fails.
  await advanceMergeQueues(deps).catch((error: unknown) =>
    deps.log.warn("merge-queue.not-advanced", { queueId, error }),
  );
  const left = leave.map((each) => `Left out: ${each.goalId} ${each.reason}`);
  const waits = (await queuedOf(deps.database.db, queueId)).filter(
    (each) => each.state === "waits" && each.reason !== null,
  );
  const changed = await goalsWithChanged(
    { db: deps.database.db, dataDir: deps.config.dataDir },
    take.map(({ goalId }) => goalId),
  );
  const order = take.map((goal, index) => `${index + 1}. ${goal.goalId}`);
  return done(
    { queueId, into: repository.baseBranch, order: take.map((goal) => goal.goalId), leftOut: leave },
    confirmationCard(`Merging ${count(take.length, "goal")} into ${repository.baseBranch}, one after the other`, [
      ...changedGoalsLines(changed),
      ...order,
      ...waits.map((each) => `Waits: ${each.goalId} ${each.reason ?? ""}`),
      ...left,
      `Leave one out in the half minute before it is merged: cos goal undo ID. Stop the rest: cos merge stop --repo ${repository.name}`,
    ]),
  );
}

interface Sorted {
  /** In the order in which they are merged. */
  readonly take: readonly Goal[];
  readonly leave: readonly { readonly goalId: string; readonly reason: string }[];
}

/**
 * Returns the finished branches of a repository that can be merged: verified, and neither merged nor discarded. The others are returned
 * with the reason.
 */
async function sort(deps: Pick<Deps, "database">, { repositoryId }: Repository): Promise<Sorted> {
  const { db } = deps.database;
  const finished = await goalsWithBranch(db, repositoryId);
  const kept = await evidenceOf(
    db,
    finished.map((goal) => goal.goalId),
  );
  const take: Goal[] = [];
  const leave: { goalId: string; reason: string }[] = [];
  for (const goal of finished) {
    const { goalId } = goal;
    const run = goal.runId === null ? null : await getRun(db, goal.runId);
    const merge = await lastMerge(db, goalId);
    if (run?.headCommit == null || isSettledAt(merge, run.headCommit)) continue;
    const backing = backingOf(goal, kept);
    if (merge?.status === "due" || merge?.status === "merging") leave.push({ goalId, reason: "is being merged" });
    else if (backing.tag !== "verified")
      leave.push({ goalId, reason: `is ${tagText(backing)}, not verified: cos goal merge ${goalId}` });
    else {
      const reason = refusedByPerson(goal, kept);
      if (reason === null) take.push(goal);
      else leave.push({ goalId, reason });
    }
  }
  return { take: landingOrder(take), leave };
}

async function stop(deps: Deps, caller: Caller, wanted: string | undefined): Promise<CommandResult> {
  const open = await openQueues(deps.database.db);
  const isNone = refused(
    "no branches are being merged",
    `cos merge all${wanted === undefined ? "" : ` --repo ${shellWord(wanted)}`}`,
  );
  if (open.length === 0) return isNone;
  const chosen = wanted === undefined && open.length === 1 ? null : await chooseRepository(deps, wanted);
  if (chosen?.type === "refused") return chosen;
  const queue = open.find((each) => chosen === null || each.repositoryId === chosen.repository.repositoryId);
  if (queue === undefined) return isNone;
  const { queueId } = queue;
  const left: string[] = [];
  const late: string[] = [];
  for (const { goalId } of await queuedOf(deps.database.db, queueId)) {
    const became = await leaveOut(deps, caller, queueId, goalId);
    if (became === "left") left.push(goalId);
    if (became === "late") late.push(goalId);
  }
  const isEnded = await deps.database.transaction(async (tx) => {
    if (!(await endQueue(tx, queueId, `stopped by ${caller.actor}.`, deps.now()))) return false;
    mark(tx, "queue", queueId);
    return true;
  });
  if (!isEnded) return refused("it is over already", "cos goals --status complete");
  const words = [
    ...(left.length === 0 ? [] : [`Still branches: ${left.join(", ")}`]),
    ...(late.length === 0 ? [] : [`Being merged right now: ${late.join(", ")}`]),
  ];
  return done({ queueId, leftOut: left, beingMerged: late }, confirmationCard("Stopped merging", words));
}

/** Leaves a branch out when its queue is stopped. `late`: it is being merged at this moment; `over`: it was merged or left out before. */
async function leaveOut(
  deps: Deps,
  caller: Caller,
  queueId: string,
  goalId: string,
): Promise<"left" | "late" | "over"> {
  const reason = `stopped by ${caller.actor}`;
  return await deps.database.transaction(async (tx) => {
    if ((await lockQueue(tx, queueId)) === null) return "over";
    const goal = await lockGoal(tx, goalId);
    const branch = (await queuedOf(tx, queueId)).find((each) => each.goalId === goalId);
    if (goal === null || branch === undefined || branch.state === "merged" || branch.state === "left-out")
      return "over";
    if (branch.merge?.status === "merged") {
      // The queue has not recorded the merge yet.
      await updateQueued(tx, queueId, goalId, { state: "merged", reason: null });
      return "over";
    }
    const merge = await withdrawMerge(tx, goalId, reason, deps.now());
    if (merge === "late") {
      await updateQueued(tx, queueId, goalId, { state: "merges", reason: null });
      return "late";
    }
    await updateQueued(tx, queueId, goalId, { state: "left-out", reason });
    if (merge === "none") return "left";
    const { actor, via } = caller;
    await appendTimeline(tx, {
      event: "goal.merge-undone",
      goalId,
      runId: goal.runId,
      actor,
      via,
      at: deps.now(),
    });
    mark(tx, "goal", goalId);
    return "left";
  });
}
