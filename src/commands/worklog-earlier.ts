import { confirmationCard } from "../core/cards/lists.ts";
import { earlierWorkCard } from "../core/cards/worklog-cards.ts";
import type { Goal } from "../core/goals/goal.ts";
import { firstLine } from "../core/text.ts";
import { earlierWork } from "../core/worklog/earlier.ts";
import { countTodos, todoWords, untold } from "../core/worklog/todos.ts";
import { markNotice } from "../db/connection/marks.ts";
import { cutGoals } from "../db/goal-lists.ts";
import { getGoal } from "../db/goals.ts";
import { todosOf } from "../db/worklog-contents.ts";
import { releaseWorklog, updateWorklog, type Worklog } from "../db/worklogs.ts";
import type { Deps } from "../deps.ts";
import { orNothing, unlessLocked } from "../turns/shared/worklog/within.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { name } from "./fields.ts";
import { changeGoal, goalNotFound, resume } from "./goal-change.ts";
import { findWorklog, locked } from "./worklog.ts";

/** What a person does with unfinished earlier work. */

export const worklogResume = command({
  name: "worklog resume",
  summary: "Take unfinished earlier work up again: its goal goes on where it was, in its worktree, on its branch.",
  access: "change",
  positionals: { id: name() },
  run: (deps, caller, { id }) => resumeWork(deps, caller, id),
});

export const worklogDismiss = command({
  name: "worklog dismiss",
  summary: "Unfinished earlier work is not offered any more; its goal stays as it is.",
  access: "change",
  positionals: { id: name() },
  run: (deps, caller, { id }) => dismiss(deps, caller, id),
});

/** Whose work can be taken up: unfinished, of a goal, and offered to nobody else any more. */
async function unfinished(deps: Deps, id: string): Promise<(Worklog & { readonly goalId: string }) | RefusedCall> {
  const worklog = (await unlessLocked(deps, (limited) => findWorklog(limited, id))) ?? locked(deps);
  if ("type" in worklog) return worklog;
  const { sessionId, outcome, goalId, releasedAt, releasedBy } = worklog;
  const next = `cos worklog show ${sessionId}`;
  if (outcome !== "abandoned" && outcome !== "in_progress")
    return refused(`${sessionId} is finished: ${outcome}`, next);
  if (releasedAt !== null) return refused(`${releasedBy ?? "somebody"} has settled ${sessionId} already`, next);
  if (goalId === null) return refused(`${sessionId} is about no goal of cos: go on in the agent's own session`, next);
  return { ...worklog, goalId };
}

/** What a goal does that nobody has to take up. */
function standingOf({ leasedBy, sessionId }: Pick<Goal, "leasedBy" | "sessionId">, isCut: boolean): string {
  if (leasedBy !== null) return isCut ? "was cut and waits for a worker" : "is being worked already";
  return sessionId === null ? "waits for the next session: cos autopilot start" : "is in the open session already";
}

type Unfinished = Worklog & { readonly goalId: string };

async function resumeWork(deps: Deps, caller: Caller, id: string): Promise<CommandResult> {
  const worklog = await unfinished(deps, id);
  if ("type" in worklog) return worklog;
  const goal = await getGoal(deps.database.db, worklog.goalId);
  if (goal === null) return goalNotFound(worklog.goalId);
  // What is ready, or worked, goes on by itself.
  if (goal.status === "pending" || goal.status === "in_progress") {
    const became = standingOf(goal, (await cutGoals(deps.database.db, [goal])).has(goal.goalId));
    // Whoever works it now may leave it again: that is offered again then.
    const settled =
      goal.leasedBy === null ? await settleEarlier(deps, caller, worklog, "It goes on by itself, said") : null;
    if (settled !== null) return settled;
    const value = { goalId: goal.goalId, sessionId: goal.sessionId };
    return await takenUp(deps, worklog, { goal, became, value, title: `See: cos why ${goal.goalId}` });
  }
  const settled = await settleEarlier(deps, caller, worklog, "Taken up again by");
  if (settled !== null) return settled;
  const resumed = await changeGoal(deps, caller, { id: goal.goalId }, resume);
  if (resumed.type === "done") {
    const value = typeof resumed.value === "object" ? resumed.value : {};
    return await takenUp(deps, worklog, { goal, became: "is taken up again", value, title: resumed.card.title });
  }
  await offerAgain(deps, worklog);
  return resumed;
}

interface TakenUp {
  readonly goal: Goal;
  readonly became: string;
  /** Of what was done to its goal. */
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
  const settled = await settleEarlier(deps, caller, worklog, "Dismissed by");
  if (settled !== null) return settled;
  const { sessionId, goalId } = worklog;
  return done({ worklog: sessionId, goalId }, confirmationCard(`${sessionId} is not offered any more`));
}

/** Earlier work is offered no more, and its card says why. Not null: somebody else has settled it, or its table is locked. */
async function settleEarlier(
  deps: Deps,
  caller: Caller,
  worklog: Unfinished,
  words: string,
): Promise<RefusedCall | null> {
  const { sessionId, goalId } = worklog;
  const now = deps.now();
  const by = caller.actor;
  const settled = await unlessLocked(deps, async ({ database }) =>
    database.transaction(async (tx) => {
      if (!(await releaseWorklog(tx, sessionId, { by, at: now }))) return "already";
      const work = earlierWork([{ ...worklog, outcome: "abandoned" }], now, deps.policy.worklog.detection);
      if (work !== null) {
        const card = earlierWorkCard(work, goalId, `${words} ${by}.`);
        markNotice(tx, `worklog.${sessionId}.earlier`, { card, threadSubject: goalId });
      }
      return "now";
    }),
  );
  if (settled === null) return locked(deps);
  return settled === "already"
    ? refused(`somebody has settled ${sessionId} already`, `cos worklog show ${sessionId}`)
    : null;
}

/** Its goal could not be resumed: whoever was offered it may choose again. */
async function offerAgain(deps: Deps, worklog: Unfinished): Promise<void> {
  const { sessionId, goalId } = worklog;
  await orNothing(deps, async (tx) => {
    await updateWorklog(tx, sessionId, { releasedAt: null, releasedBy: null });
    const work = earlierWork([{ ...worklog, outcome: "abandoned" }], deps.now(), deps.policy.worklog.detection);
    if (work === null) return;
    markNotice(tx, `worklog.${sessionId}.earlier`, { card: earlierWorkCard(work, goalId), threadSubject: goalId });
  });
}
