import { type Aside, placeOf, setAside } from "../agent/git/merge.ts";
import { buildersWords, mergeFirstWords } from "../core/cards/ground-words.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { formatDuration } from "../core/text.ts";
import type { Goal } from "../core/goals/goal.ts";
import type { Told } from "../core/events/write.ts";
import type { Db } from "../db/connection/client.ts";
import { getGoal, lockGoal } from "../db/goals.ts";
import { insertMerge, lastMerge } from "../db/merges.ts";
import { findRepository, type Repository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import { lookAt } from "../db/connection/looks.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { parkBuilders, reopenBuilders } from "../turns/shared/builders.ts";
import { discardedRef } from "../turns/merging/merge.ts";
import { askForMerge, withdrawMerge } from "../turns/merging/wanted-merge.ts";
import { mergeOrderOf } from "../facts/merge-order.ts";
import { originOf } from "../facts/origin.ts";
import { lockSessionsOf } from "../turns/shared/sessions.ts";
import { type GoalChange, goalNotFound, tellOfGoal } from "./goal-change.ts";
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

export const goalDiscard = command({
  name: "goal discard",
  summary: "Take a complete goal's branch away; its commit is kept as a ref for 30 days.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => discard(deps, caller, id),
});

interface Finished {
  readonly goal: Goal;
  readonly headCommit: string;
  readonly repository: Repository;
}

/** A goal whose branch can still be decided about; else why not. What is written afterwards is decided again under its lock. */
async function finishedGoal(db: Db, goalId: string): Promise<Finished | RefusedCall> {
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const repository = await findRepository(db, goal.repositoryId);
  if (goal.status !== "complete" || goal.branch === null || run?.headCommit == null || repository === null) {
    const isOpen = goal.status === "in_progress";
    const reason = isOpen ? `${goalId} is not finished yet` : `${goalId} has no finished branch`;
    return { type: "refused", reason, next: `cos why ${goalId}` };
  }
  const last = await lastMerge(db, goalId);
  const isSettled = last?.headCommit === run.headCommit && (last.status === "merged" || last.status === "discarded");
  if (isSettled)
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
  if (order.open.length > 0) {
    const { reason, next } = mergeFirstWords(goalId, order.open);
    return refused(reason, next);
  }
  return await deps.database.transaction(async (tx) => {
    await lockGoal(tx, goalId);
    // It may have been taken up, finished or decided about since.
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
    const line = `Merging ${now.goal.branch ?? ""} into ${into} in ${formatDuration(deps.policy.merging.undoMs)}`;
    return done({ goalId, into, dueAt }, confirmationCard(line, [`Undo with: cos goal undo ${goalId}`]));
  });
}

async function undo(deps: Deps, caller: Caller, goalId: string): Promise<CommandResult> {
  const goal = await getGoal(deps.database.db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const undone = await deps.database.transaction(async (tx) => {
    await lockGoal(tx, goalId);
    if ((await withdrawMerge(tx, goalId, `undone by ${caller.actor}`, deps.now())) !== "withdrawn") return false;
    await tell({ tx, deps, caller, goal }, { event: "goal.merge-undone" });
    return true;
  });
  if (!undone) return refused(`nothing to undo: ${goalId} waits for no merge`, `cos why ${goalId}`);
  return done({ goalId }, confirmationCard(`Undone; ${goal.branch ?? goalId} stays as it is.`));
}

async function discard(deps: Deps, caller: Caller, goalId: string): Promise<CommandResult> {
  const seen = await finishedGoal(deps.database.db, goalId);
  if ("type" in seen) return (await endDiscard(deps, goalId)) ?? seen;
  const origin = originOf(deps.config, seen.repository);
  const refreshed = await deps.git.refresh(origin, seen.repository.baseBranch);
  if (refreshed.type === "failed") return refused(refreshed.trouble.reason, refreshed.trouble.next);
  const { branch, commit, ref } = asideOf(seen);
  if ((await placeOf(origin, { branch, commit, ref })) === "elsewhere") {
    return refused(
      `${branch} is not where it was left: somebody has moved it or has it checked out`,
      `git -C ${origin.dir} log ${branch}`,
    );
  }
  const written = await deps.database.transaction((tx) => writeDiscard(tx, deps, caller, seen));
  // The row is there first: a merge that comes meanwhile finds it, and what is cut off here is ended by the same command.
  if (written.type === "done" && !(await setAside(origin, { branch, commit, ref })))
    return notTakenAway(goalId, branch);
  return written;
}

function asideOf({ goal, headCommit }: Pick<Finished, "goal" | "headCommit">): Aside {
  return { branch: goal.branch ?? "", commit: headCommit, ref: discardedRef(goal.goalId) };
}

function notTakenAway(goalId: string, branch: string): CommandResult {
  return refused(`${goalId} is discarded, but ${branch} could not be taken away`, `cos goal discard ${goalId}`);
}

async function writeDiscard(tx: Db, deps: Deps, caller: Caller, seen: Finished): Promise<CommandResult> {
  const { goalId } = seen.goal;
  const open = await lockSessionsOf(tx, seen.goal);
  await lockGoal(tx, goalId);
  const found = await finishedGoal(tx, goalId);
  if ("type" in found) return found;
  const { goal, headCommit, repository } = found;
  if (headCommit !== seen.headCommit) return refused(`${goalId} was worked again meanwhile`, `cos why ${goalId}`);
  const now = deps.now();
  if ((await withdrawMerge(tx, goalId, `discarded by ${caller.actor}`, now)) === "late")
    return refused(`${goalId} is being merged in this moment`, `cos why ${goalId}`);
  const ref = discardedRef(goalId);
  await insertMerge(tx, {
    goalId,
    into: repository.baseBranch,
    headCommit,
    requestedBy: caller.actor,
    requestedAt: now,
    dueAt: now,
    status: "discarded",
    settledAt: now,
    outcome: ref,
  });
  await tell({ tx, deps, caller, goal }, { event: "goal.discarded", detail: { ref } });
  await reopenBuilders(tx, deps, goalId, open?.sessionId ?? null);
  const parked = await parkBuilders(tx, deps, goalId);
  if (open !== null) lookAt(tx, open.sessionId);
  const also = parked.length === 0 ? [] : [buildersWords(parked, "parked")];
  return done({ goalId, ref, parked }, confirmationCard(`Discarded; kept as ${ref} for 30 days.`, also));
}

/** Takes a branch away that was discarded and is still there; null: there is none. */
async function endDiscard(deps: Deps, goalId: string): Promise<CommandResult | null> {
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  const last = await lastMerge(db, goalId);
  const repository = goal === null ? null : await findRepository(db, goal.repositoryId);
  const isOurs = goal?.status === "complete" && last?.status === "discarded" && last.purgedAt === null;
  if (!isOurs || repository === null) return null;
  const aside = asideOf({ goal, headCommit: last.headCommit });
  const origin = originOf(deps.config, repository);
  if ((await placeOf(origin, aside)) !== "there") return null;
  if (!(await setAside(origin, aside))) return notTakenAway(goalId, aside.branch);
  return done({ goalId, ref: aside.ref, parked: [] }, confirmationCard(`Discarded; kept as ${aside.ref} for 30 days.`));
}

/** In the goal's timeline and on its card. */
async function tell(changing: Parameters<typeof tellOfGoal>[0], told: Told<GoalChange>): Promise<void> {
  await tellOfGoal(changing, told);
  mark(changing.tx, "goal", changing.goal.goalId);
}
