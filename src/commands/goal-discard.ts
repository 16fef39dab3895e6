import { type Aside, keepCommit, branchPlace, setBranchAside } from "../agent/git/aside.ts";
import { buildersWords } from "../core/cards/ground-words.ts";
import { discardedWords } from "../core/cards/merge-words.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { shellWord } from "../core/text/shell-word.ts";
import type { Db } from "../db/connection/client.ts";
import { getGoal, lockGoal } from "../db/goals.ts";
import { insertMerge, lastMerge } from "../db/merges.ts";
import { findRepository } from "../db/repositories.ts";
import { lookAt } from "../db/connection/looks.ts";
import type { Deps } from "../deps.ts";
import { parkBuilders, reopenBuilders } from "../turns/shared/builders.ts";
import { discardedRef } from "../turns/merging/merge.ts";
import { withdrawMerge } from "../turns/merging/wanted-merge.ts";
import { originOf } from "../facts/origin.ts";
import { lockSessionsOf } from "../turns/shared/sessions.ts";
import { ensureCommit } from "../turns/goal/ground.ts";
import { pinBase } from "../turns/shared/base.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { idOf } from "./fields.ts";
import { type FinishedGoal, finishedGoal, tellOfBranch } from "./goal-merge.ts";

export const goalDiscard = command({
  name: "goal discard",
  summary: "Remove a complete goal's branch; its commit is kept as a ref for 30 days.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => discard(deps, caller, id),
});

async function discard(deps: Deps, caller: Caller, goalId: string): Promise<CommandResult> {
  const seen = await finishedGoal(deps.database.db, goalId);
  if ("type" in seen) return (await endDiscard(deps, goalId)) ?? seen;
  const { repository } = seen;
  const origin = originOf(deps.config, repository);
  const refreshed = await deps.git.refresh(origin, repository.baseBranch);
  if (refreshed.type === "failed") return refused(refreshed.trouble.reason, refreshed.trouble.next);
  const aside = asideOf(seen);
  const place = await branchPlace(origin, aside);
  if (place === "unread")
    return refused(
      `the repository ${repository.name} cannot be read at ${origin.dir}`,
      `git -C ${shellWord(origin.dir)} status`,
    );
  if (place === "elsewhere")
    return refused(
      `${aside.branch} is not where it was left: somebody has moved it`,
      `git -C ${shellWord(origin.dir)} log ${aside.branch}`,
    );
  const kept = place === "gone" ? await keepGone(deps, seen) : aside.ref;
  if (kept !== null && typeof kept !== "string") return kept;
  const written = await deps.database.transaction((tx) => writeDiscard(tx, deps, caller, { ...seen, kept }));
  // The row is written first, so that a concurrent merge finds it. If this process is killed before the branch is removed, the same
  // command finishes it.
  if (written.type === "done" && place === "there" && !(await setBranchAside(origin, aside)))
    return notTakenAway(goalId, aside.branch);
  return written;
}

/**
 * Keeps the commit of a branch that somebody deleted. Returns the ref; null when this machine no longer has the commit; or why it cannot
 * be kept.
 */
async function keepGone(deps: Deps, seen: FinishedGoal): Promise<string | null | RefusedCall> {
  const { goal, headCommit, repository } = seen;
  const origin = originOf(deps.config, repository);
  const aside = asideOf(seen);
  if (await keepCommit(origin, aside, null)) return aside.ref;
  const base = await pinBase(deps, repository.repositoryId);
  const { goalId } = goal;
  if (base.type === "failed") return refused(base.reason, `cos goal discard ${goalId}`);
  const { mirror } = base;
  if (!(await ensureCommit({ git: deps.git, mirror }, goalId, headCommit))) return null;
  if (await keepCommit(origin, aside, mirror)) return aside.ref;
  return refused(`the commit of ${aside.branch} could not be kept in ${origin.dir}`, `cos goal discard ${goalId}`);
}

function asideOf({ goal, headCommit }: Pick<FinishedGoal, "goal" | "headCommit">): Aside {
  return { branch: goal.branch ?? "", commit: headCommit, ref: discardedRef(goal.goalId) };
}

function notTakenAway(goalId: string, branch: string): CommandResult {
  return refused(
    `${goalId} is discarded, but ${branch} could not be removed: it has moved, or somebody has it checked out`,
    `cos goal discard ${goalId}`,
  );
}

/** Records the discard. `kept`: the ref that keeps the commit; null when nothing does. */
async function writeDiscard(
  tx: Db,
  deps: Deps,
  caller: Caller,
  seen: FinishedGoal & { readonly kept: string | null },
): Promise<CommandResult> {
  const { goalId } = seen.goal;
  const open = await lockSessionsOf(tx, seen.goal);
  await lockGoal(tx, goalId);
  const found = await finishedGoal(tx, goalId);
  if ("type" in found) return found;
  const { goal, headCommit, repository } = found;
  if (headCommit !== seen.headCommit) return refused(`${goalId} was worked again meanwhile`, `cos why ${goalId}`);
  const now = deps.now();
  if ((await withdrawMerge(tx, goalId, `discarded by ${caller.actor}`, now)) === "late")
    return refused(`${goalId} is being merged right now`, `cos why ${goalId}`);
  const ref = seen.kept;
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
  await tellOfBranch({ tx, deps, caller, goal }, { event: "goal.discarded", detail: { ref } });
  await reopenBuilders(tx, deps, goalId, open?.sessionId ?? null);
  const parked = await parkBuilders(tx, deps, goalId);
  if (open !== null) lookAt(tx, open.sessionId);
  const also = parked.length === 0 ? [] : [buildersWords(parked, "parked")];
  return done({ goalId, ref, parked }, confirmationCard(discardedWords(ref), also));
}

/** Removes the branch of a discarded goal if it still exists; null when there is none. */
async function endDiscard(deps: Deps, goalId: string): Promise<CommandResult | null> {
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  const last = await lastMerge(db, goalId);
  const repository = goal === null ? null : await findRepository(db, goal.repositoryId);
  const isOurs = goal?.status === "complete" && last?.status === "discarded" && last.purgedAt === null;
  if (!isOurs || repository === null) return null;
  const aside = asideOf({ goal, headCommit: last.headCommit });
  const origin = originOf(deps.config, repository);
  if ((await branchPlace(origin, aside)) !== "there") return null;
  if (!(await setBranchAside(origin, aside))) return notTakenAway(goalId, aside.branch);
  return done({ goalId, ref: aside.ref, parked: [] }, confirmationCard(discardedWords(aside.ref)));
}
