import { confirmationCard } from "../core/cards/lists.ts";
import { statusWords } from "../core/cards/status-words.ts";
import { earlierWorkCard } from "../core/cards/worklog-cards.ts";
import { startCommand } from "../core/cards/session-words.ts";
import { endedStatuses, type Goal } from "../core/goals/goal.ts";
import { firstLine } from "../core/text.ts";
import { earlierWork, itHasEnded } from "../core/worklog/earlier.ts";
import { countTodos, todoWords, untold } from "../core/worklog/todos.ts";
import { markNotice } from "../db/connection/marks.ts";
import { cutGoals } from "../db/goal-lists.ts";
import { getGoal } from "../db/goals.ts";
import { todosOf } from "../db/worklog-contents.ts";
import { offeredIn, offerOf, releaseWorklog, updateWorklog, type Worklog } from "../db/worklogs.ts";
import type { Deps } from "../deps.ts";
import { settleOffer } from "../turns/shared/worklog/settle-offer.ts";
import { orNothing, unlessLocked } from "../turns/shared/worklog/within.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { anyId } from "./fields.ts";
import { changeGoal, goalNotFound, resumeGoal } from "./goal-change.ts";
import { repositoryNames } from "./open-sessions.ts";
import { findWorklog, locked } from "./worklog.ts";

/** What a person can do with unfinished earlier work. */

export const worklogResume = command({
  name: "worklog resume",
  summary: "Take unfinished earlier work up again: its goal goes on where it was, in its worktree, on its branch.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => resumeWork(deps, caller, id),
});

export const worklogDismiss = command({
  name: "worklog dismiss",
  summary: "Unfinished earlier work is not offered any more; its goal stays as it is.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => dismiss(deps, caller, id),
});

/** Returns a worklog that can be settled: it is unfinished, and nobody else has settled it. */
async function unfinished(deps: Deps, id: string): Promise<Worklog | RefusedCall> {
  const worklog = (await unlessLocked(deps, (limited) => findWorklog(limited, id))) ?? locked(deps);
  if ("type" in worklog) return worklog;
  const { sessionId, outcome, releasedAt, releasedBy } = worklog;
  const next = `cos worklog show ${sessionId}`;
  if (outcome !== "abandoned" && outcome !== "in_progress")
    return refused(`${sessionId} is finished: ${outcome}`, next);
  if (releasedAt !== null) return refused(`${releasedBy ?? "somebody"} has settled ${sessionId} already`, next);
  return worklog;
}

/** Returns what a goal does that need not be resumed. */
async function standingOf({ database }: Pick<Deps, "database">, goal: Goal): Promise<string> {
  const { leasedBy, sessionId, repositoryId } = goal;
  const isCut = (await cutGoals(database.db, [goal])).has(goal.goalId);
  if (leasedBy !== null) return isCut ? "was interrupted and waits for a worker" : "is being worked already";
  if (sessionId !== null) return "is in the open session already";
  const nameOf = await repositoryNames(database.db);
  return `waits for the next session: cos ${startCommand(nameOf(repositoryId))}`;
}

type Unfinished = Worklog & { readonly goalId: string };

async function resumeWork(deps: Deps, caller: Caller, id: string): Promise<CommandResult> {
  const found = await unfinished(deps, id);
  if ("type" in found) return found;
  const { sessionId, goalId } = found;
  if (goalId === null) {
    const reason = `${sessionId} is about no goal of cos: go on in the agent's own session`;
    return refused(reason, `cos worklog dismiss ${sessionId}`);
  }
  const worklog: Unfinished = { ...found, goalId };
  const goal = await getGoal(deps.database.db, goalId);
  if (goal === null) return goalNotFound(goalId);
  // To work an ended goal again, a person must resume the goal itself.
  if (endedStatuses.includes(goal.status)) {
    const settled = await settleEarlier(deps, caller, worklog, itHasEnded);
    return settled ?? hasEnded(goal);
  }
  // A goal that is ready or being worked goes on by itself.
  if (goal.status === "pending" || goal.status === "in_progress") {
    const became = await standingOf(deps, goal);
    // If the worker leaves the goal again, its work must be offered again, so it is not settled now.
    const settled =
      goal.leasedBy === null
        ? await settleEarlier(deps, caller, worklog, `It goes on by itself, said ${caller.actor}.`)
        : null;
    if (settled !== null) return settled;
    const value = { goalId: goal.goalId, sessionId: goal.sessionId };
    return await takenUp(deps, worklog, { goal, became, value, title: `See: cos why ${goal.goalId}` });
  }
  const settled = await settleEarlier(deps, caller, worklog, `Taken up again by ${caller.actor}.`);
  if (settled !== null) return settled;
  const resumed = await changeGoal(deps, caller, { id: goal.goalId }, async (changing) =>
    endedStatuses.includes(changing.goal.status) ? hasEnded(changing.goal) : await resumeGoal(changing),
  );
  if (resumed.type === "done") {
    const value = typeof resumed.value === "object" ? resumed.value : {};
    return await takenUp(deps, worklog, { goal, became: "is taken up again", value, title: resumed.card.title });
  }
  await offerAgain(deps, worklog);
  return resumed;
}

function hasEnded({ goalId, status }: Goal): RefusedCall {
  return refused(`${goalId} has ended: ${statusWords(status)}`, `cos goal show ${goalId}`);
}

interface TakenUp {
  readonly goal: Goal;
  readonly became: string;
  /** The value of the command that changed its goal. */
  readonly value: object | null;
  readonly title: string;
}

async function takenUp(
  deps: Deps,
  { sessionId }: Unfinished,
  { goal, became, value, title }: TakenUp,
): Promise<CommandResult> {
  const todos = (await orNothing(deps, (tx) => todosOf(tx, sessionId))) ?? [];
  const left = todos.filter(({ status }) => status !== "completed" && status !== untold).map((todo) => todo.content);
  const counts = countTodos(new Map(todos.map((todo) => [todo.id, todo.status])));
  return done(
    { ...value, worklog: sessionId, todosLeft: left },
    confirmationCard(`${sessionId}: ${goal.goalId} ${became}`, [
      title,
      ...(left.length === 0
        ? []
        : [
            `Still to do: ${left
              .slice(0, 10)
              .map((each) => firstLine(each, 80))
              .join("; ")}`,
          ]),
      ...(counts.todos_untold === undefined ? [] : [todoWords(counts)]),
    ]),
  );
}

async function dismiss(deps: Deps, caller: Caller, id: string): Promise<CommandResult> {
  const worklog = await unfinished(deps, id);
  if ("type" in worklog) return worklog;
  const settled = await settleEarlier(deps, caller, worklog, `Dismissed by ${caller.actor}.`);
  if (settled !== null) return settled;
  const { sessionId, goalId } = worklog;
  return done({ worklog: sessionId, goalId }, confirmationCard(`${sessionId} is not offered any more`));
}

/**
 * Ends the offer of earlier work; its card says why. Returns null on success, or a refusal when somebody else settled it, or its table is
 * locked.
 */
async function settleEarlier(deps: Deps, caller: Caller, worklog: Worklog, words: string): Promise<RefusedCall | null> {
  const { sessionId } = worklog;
  const settled = await unlessLocked(deps, async ({ database }) =>
    database.transaction(async (tx) => {
      if (!(await releaseWorklog(tx, sessionId, { by: caller.actor, at: deps.now() }))) return "already";
      settleOffer(tx, { worklog, thread: await offeredIn(tx, sessionId) }, words);
      return "now";
    }),
  );
  if (settled === null) return locked(deps);
  return settled === "already"
    ? refused(`somebody has settled ${sessionId} already`, `cos worklog show ${sessionId}`)
    : null;
}

/** Offers the work again, because its goal could not be resumed. */
async function offerAgain(deps: Deps, worklog: Unfinished): Promise<void> {
  const { sessionId, goalId } = worklog;
  await orNothing(deps, async (tx) => {
    await updateWorklog(tx, sessionId, { releasedAt: null, releasedBy: null });
    const threadSubject = await offeredIn(tx, sessionId);
    const work = earlierWork([{ ...worklog, outcome: "abandoned" }], deps.now(), deps.policy.worklog.detection);
    if (work === null || threadSubject === null) return;
    markNotice(tx, offerOf(sessionId), { card: earlierWorkCard(work, goalId), threadSubject });
  });
}
