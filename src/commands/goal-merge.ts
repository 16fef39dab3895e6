import { changedGoalsLines } from "../core/cards/changed-output.ts";
import { mergeFirstWords } from "../core/cards/ground-words.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { mergedElsewhereWords, notYetWithinWords } from "../core/cards/merge-words.ts";
import { formatDuration } from "../core/text.ts";
import type { Goal } from "../core/goals/goal.ts";
import type { Told } from "../core/events/write.ts";
import type { Db } from "../db/connection/client.ts";
import { getGoal, lockGoal } from "../db/goals.ts";
import { isSettledAt, lastMerge } from "../db/merges.ts";
import { findRepository, type Repository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { askForMerge, withdrawMerge } from "../turns/merging/wanted-merge.ts";
import { goalsWithChanged } from "../facts/kept-output.ts";
import { machineWith } from "../facts/machine-with.ts";
import { isWithin } from "../facts/origin.ts";
import { mergeOrderOf } from "../facts/merge-order.ts";
import { type GoalChangeEvent, goalNotFound, refuseRemoved, tellOfGoal } from "./goal-change.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { idOf } from "./fields.ts";

export const goalMerge = command({
  name: "goal merge",
  summary:
    "Merge a complete goal's branch into the branch it started from, after half a minute in which it can be undone.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => requestMerge(deps, caller, id),
});

export const goalUndo = command({
  name: "goal undo",
  summary: "Undo a merge that has not happened yet.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => undo(deps, caller, id),
});

/** A finished goal with the commit of its branch. */
export interface FinishedGoal {
  readonly goal: Goal;
  readonly headCommit: string;
  readonly repository: Repository;
}

/**
 * Returns a goal whose branch can still be merged or discarded, or why it cannot. Before anything is written, this must be checked again
 * under the goal's lock.
 */
export async function finishedGoal(db: Db, goalId: string): Promise<FinishedGoal | RefusedCall> {
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const repository = await findRepository(db, goal.repositoryId);
  const removed = refuseRemoved(repository);
  if (removed !== null) return removed;
  if (goal.status !== "complete" || goal.branch === null || run?.headCommit == null || repository === null) {
    const isOpen = goal.status === "in_progress";
    const reason = isOpen ? `${goalId} is not finished yet` : `${goalId} has no finished branch`;
    return refused(reason, `cos why ${goalId}`);
  }
  const last = await lastMerge(db, goalId);
  if (last !== null && isSettledAt(last, run.headCommit))
    return {
      type: "refused",
      reason: `${goalId} was ${last.status} by ${last.requestedBy}`,
      next: `cos why ${goalId}`,
    };
  return { goal, headCommit: run.headCommit, repository };
}

async function requestMerge(deps: Deps, caller: Caller, id: string): Promise<CommandResult> {
  const found = await finishedGoal(deps.database.db, id);
  if ("type" in found) return found;
  const { goal } = found;
  const { goalId } = goal;
  const order = await mergeOrderOf(deps, goal);
  const changed = await goalsWithChanged({ db: deps.database.db, dataDir: deps.config.dataDir }, [goalId]);
  if (order.open.length > 0) {
    const { reason, next } = mergeFirstWords(goalId, order.open);
    return refused(reason, next);
  }
  return await deps.database.transaction(async (tx) => {
    await lockGoal(tx, goalId);
    // The goal may have been worked again, finished, merged or discarded in the meantime.
    const now = await finishedGoal(tx, goalId);
    if ("type" in now) return now;
    const { headCommit, repository } = now;
    const into = repository.baseBranch;
    const { actor, via } = caller;
    const dueAt = await askForMerge(tx, deps, now.goal, { into, headCommit, verifiedOn: null, actor, via });
    if (dueAt === null) {
      const by = (await lastMerge(tx, goalId))?.requestedBy ?? "somebody";
      return refused(`${goalId} is being merged already: ${by} asked for it`, `cos goal undo ${goalId}`);
    }
    const isHere = isWithin(deps.config, repository);
    const other = isHere ? null : await machineWith(tx, deps.config, repository);
    const when =
      isHere || other !== null
        ? `in ${formatDuration(deps.policy.merging.undoMs)}`
        : "as soon as its repository is reached";
    const line = `Merging ${now.goal.branch ?? ""} into ${into} ${when}`;
    const away = isHere ? [] : [awayWords(repository, deps.config.machine, other)];
    return done(
      { goalId, into, dueAt },
      confirmationCard(line, [...away, ...changedGoalsLines(changed), `Undo with: cos goal undo ${goalId}`]),
    );
  });
}

/** `other`: a machine that has the repository's folder. */
function awayWords(repository: Repository, machine: string, other: string | null): string {
  return other === null ? notYetWithinWords(repository, machine) : mergedElsewhereWords(repository, machine, other);
}

async function undo(deps: Deps, caller: Caller, goalId: string): Promise<CommandResult> {
  const goal = await getGoal(deps.database.db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const undone = await deps.database.transaction(async (tx) => {
    await lockGoal(tx, goalId);
    if ((await withdrawMerge(tx, goalId, `undone by ${caller.actor}`, deps.now())) !== "withdrawn") return false;
    await tellOfBranch({ tx, deps, caller, goal }, { event: "goal.merge-undone" });
    return true;
  });
  if (!undone) return refused(`nothing to undo: ${goalId} waits for no merge`, `cos why ${goalId}`);
  return done({ goalId }, confirmationCard(`Undone; ${goal.branch ?? goalId} stays as it is.`));
}

/** Records a change of a branch in the goal's timeline, and marks its card. */
export async function tellOfBranch(
  changing: Parameters<typeof tellOfGoal>[0],
  told: Told<GoalChangeEvent>,
): Promise<void> {
  await tellOfGoal(changing, told);
  mark(changing.tx, "goal", changing.goal.goalId);
}
