import { confirmationCard } from "../core/cards/lists.ts";
import { notJoinedWords } from "../core/cards/session-words.ts";
import { remarkFeedback } from "../core/forges/remarks.ts";
import { count } from "../core/text.ts";
import { getGoal, lockGoal } from "../db/goals.ts";
import { giveRemarks, waitingRemarks } from "../db/pull-remarks.ts";
import { findRepository, lockRepository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import { findOpenSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import { ofGoal } from "../core/events/write.ts";
import type { Deps } from "../deps.ts";
import { workAgain } from "../turns/goal/again.ts";
import { isBeingMerged } from "../turns/merging/wanted-merge.ts";
import { lockSessionsOf } from "../turns/shared/sessions.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { idOf } from "./fields.ts";
import { goalNotFound, refuseRemoved } from "./goal-change.ts";

export const goalRework = command({
  name: "goal rework",
  summary: "Have a complete goal's agent work on what people said about its pull request.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => rework(deps, caller, id),
});

/** Passes the remarks on the pull request to the agent, each with its author: an approver has allowed it. Each remark is passed once. */
async function rework(deps: Deps, caller: Caller, id: string): Promise<CommandResult> {
  const seen = await getGoal(deps.database.db, id);
  if (seen === null) return goalNotFound(id);
  const repository = await findRepository(deps.database.db, seen.repositoryId);
  if (seen.runCommand !== null)
    return refused(`${id} runs a command, which cannot be told anything`, `cos goal edit ${id} --run COMMAND`);
  if ((repository?.agent ?? deps.config.agent) === null)
    return refused("no agent is set: nobody can work on it", "cos agent test");
  const { actor, via } = caller;
  return await deps.database.transaction(async (tx) => {
    await lockRepository(tx, seen.repositoryId);
    const there = await findRepository(tx, seen.repositoryId);
    const removed = refuseRemoved(there);
    if (removed !== null) return removed;
    const open = await lockSessionsOf(tx, seen);
    const held = open ?? (await findOpenSession(tx, seen.repositoryId));
    const why =
      held === null ? null : notJoinedWords(held, { repositoryName: there?.name ?? seen.repositoryId, until: null });
    if (why !== null) return refused(why, `once it is over: cos goal rework ${id}`);
    const goal = await lockGoal(tx, id);
    const remarks = await waitingRemarks(tx, id);
    if (goal?.status !== "complete") return refused(`${id} is not complete`, `cos why ${id}`);
    if (remarks.length === 0)
      return refused(`nobody said anything new about the pull request of ${id}`, `cos goal show ${id}`);
    if (await isBeingMerged(tx, id)) return refused(`${id} is being merged`, `cos goal undo ${id}`);
    const run = goal.runId === null ? null : await getRun(tx, goal.runId);
    if (run === null) return refused(`nothing was worked for ${id}`, `cos why ${id}`);
    const { feedback, told } = remarkFeedback(remarks, actor);
    const more = remarks.length - told.length;
    const said = count(told.length, "remark");
    const outcome = `Worked again by ${actor}: ${said} on its pull request.`;
    const runId = await workAgain(tx, deps, { goal, run, open, phase: "implement", feedback, outcome, by: caller });
    await giveRemarks(tx, id, { runId, keys: told.map(({ key }) => key), waiting: more });
    await appendTimeline(tx, {
      event: "goal.reworked",
      ...ofGoal({ ...goal, runId }, deps.now(), { actor, via }),
      detail: { why: "remarks", count: told.length },
    });
    const still = more === 0 ? "" : `; ${more} more did not fit and still ${more === 1 ? "waits" : "wait"}`;
    return done({ goalId: id, remarks: told.length }, confirmationCard(`${id} is worked again: ${said}${still}`));
  });
}
