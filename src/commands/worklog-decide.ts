import { confirmationCard } from "../core/cards/lists.ts";
import { mismatchCard } from "../core/cards/worklog-cards.ts";
import { endedStatuses } from "../core/goals/goal.ts";
import { breakerOf, openMismatch, verifyEntry } from "../core/worklog/checks.ts";
import { entryBytes, type EntryOf } from "../core/worklog/entry.ts";
import {
  compareTodos,
  mayAttempt,
  optionsFor,
  type Resolution,
  resolutionLabels,
  type TodoState,
} from "../core/worklog/verification.ts";
import { fitting } from "../core/worklog/room.ts";
import type { Db } from "../db/connection/client.ts";
import { markNotice } from "../db/connection/marks.ts";
import { getGoal } from "../db/goals.ts";
import { entriesOf, insertEntries, todosOf } from "../db/worklog-contents.ts";
import { lockWorklog, updateWorklog, type Worklog } from "../db/worklogs.ts";
import type { Deps } from "../deps.ts";
import { changeGoal, skip } from "./goal-change.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { anyId } from "./fields.ts";
import { unlessLocked } from "../turns/shared/worklog/within.ts";
import { answerInTime, findWorklog, locked } from "./worklog.ts";

export const worklogRetry = command({
  name: "worklog retry",
  summary: "Read todos again that were not as the agent wrote them.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => answerInTime(deps, (limited) => settle(limited, caller, id, "retry")),
});

export const worklogAccept = command({
  name: "worklog accept",
  summary: "Todos that differ are right as they were found.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => answerInTime(deps, (limited) => settle(limited, caller, id, "accept")),
});

export const worklogContinue = command({
  name: "worklog continue",
  summary: "Go on without knowing whether todos are as they were written; the risk is noted.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => answerInTime(deps, (limited) => settle(limited, caller, id, "continue")),
});

export const worklogAbort = command({
  name: "worklog abort",
  summary: "Skip the goal whose todos differ; its worklog ends as aborted.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => abort(deps, caller, id),
});

/** A check that waits for a person, with its worklog, whose row is locked. */
interface CheckToDecide {
  readonly tx: Db;
  readonly worklog: Worklog;
  readonly check: EntryOf<"Verify">;
  readonly entries: number;
}

async function withCheck(
  deps: Deps,
  id: string,
  work: (check: CheckToDecide) => Promise<CommandResult>,
): Promise<CommandResult> {
  const found = await findWorklog(deps, id);
  if ("type" in found) return found;
  return await deps.database.transaction(async (tx) => {
    const worklog = await lockWorklog(tx, found.sessionId);
    const stored = worklog === null ? null : await entriesOf(tx, found.sessionId);
    const check = stored?.type === "read" ? openMismatch(stored.entries) : null;
    const hasEnded = worklog !== null && worklog.completedAt !== null;
    if (worklog === null || stored?.type !== "read" || check === null || hasEnded)
      return refused(`nothing waits for an answer in ${found.sessionId}`, `cos worklog show ${found.sessionId}`);
    return await work({ tx, worklog, check, entries: stored.entries.length });
  });
}

async function settle(
  deps: Deps,
  caller: Caller,
  id: string,
  how: Exclude<Resolution, "abort"> | "retry",
): Promise<CommandResult> {
  return await withCheck(deps, id, async (waiting) => {
    const { tx, worklog, check } = waiting;
    const { expected_state: expected, actual_state: actual } = check.details;
    if (how === "retry") return await readAgain(deps, caller, waiting);
    const by = caller.actor;
    const result = how === "accept" ? "user_accepted" : "bypassed";
    const details = check.details.mismatch_details;
    await addCheck(
      deps,
      waiting,
      verifyEntry({ status: "completed", result, expected, actual, details, at: deps.now(), by }),
    );
    const words = `${resolutionLabels[how]}: ${by}.`;
    redraw(tx, worklog, words, { details: details ?? "" });
    return done({ worklog: worklog.sessionId, verification_result: result, by }, confirmationCard(words));
  });
}

async function readAgain(deps: Deps, caller: Caller, toDecide: CheckToDecide): Promise<CommandResult> {
  const { tx, worklog, check } = toDecide;
  const { sessionId } = worklog;
  const { verification } = deps.policy.worklog;
  const stored = await entriesOf(tx, sessionId);
  const entries = stored.type === "read" ? stored.entries : [];
  const now = deps.now();
  if (!mayAttempt(breakerOf(entries, verification), now.getTime(), verification))
    return refused(
      `${verification.attempts} checks have failed: choose accept, abort or continue`,
      `cos worklog accept ${sessionId}`,
    );
  const { expected_state: expected, expected_count: total } = check.details;
  const actual: TodoState = ((await todosOf(tx, sessionId)) ?? []).map((todo) => ({
    id: todo.id,
    status: todo.status,
  }));
  const compared = compareTodos(expected, actual, total);
  const details = compared.type === "match" ? null : `${compared.mismatch}: ${compared.details}`;
  const result = compared.type === "match" ? "pass" : "fail";
  const status = compared.type === "match" ? "completed" : "failed";
  const entry = verifyEntry({ status, result, expected, total, actual, details, at: now, readFor: caller.actor });
  const { items } = fitting([{ entry }], worklog.bytes, deps.policy.worklog.retention.sessionBytes);
  if (items.length === 0)
    return refused(
      "its worklog has no room for another check: choose accept, abort or continue",
      `cos worklog accept ${sessionId}`,
    );
  await addCheck(deps, toDecide, entry);
  const options = optionsFor(breakerOf([...entries, entry], verification));
  if (details === null) redraw(tx, worklog, `Read again by ${caller.actor}: as it was written.`, { details: "" });
  else redraw(tx, worklog, null, { details, options });
  const words = details === null ? "The todos are as they were written" : `Still different: ${details}`;
  return done({ worklog: sessionId, verification_result: result, options }, confirmationCard(words));
}

async function abort(deps: Deps, caller: Caller, id: string): Promise<CommandResult> {
  const found = (await unlessLocked(deps, (limited) => findWorklog(limited, id))) ?? locked(deps);
  if ("type" in found) return found;
  const { goalId, sessionId } = found;
  const goal = goalId === null ? null : await getGoal(deps.database.db, goalId);
  if (goal === null || endedStatuses.includes(goal.status))
    return refused(`${sessionId} is about no goal that goes on`, `cos worklog show ${sessionId}`);
  const noted = await answerInTime(deps, (limited) =>
    withCheck(limited, id, async (waiting) => {
      const { expected_state: expected, actual_state: actual, mismatch_details: details } = waiting.check.details;
      const by = caller.actor;
      await addCheck(
        deps,
        waiting,
        verifyEntry({ status: "completed", result: "fail", expected, actual, details, at: deps.now(), by }),
      );
      redraw(waiting.tx, waiting.worklog, `${resolutionLabels.abort}: ${by}.`, { details: details ?? "" });
      return done({ worklog: sessionId }, confirmationCard("Noted"));
    }),
  );
  if (noted.type === "refused") return noted;
  return await changeGoal(deps, caller, { id: goal.goalId }, skip);
}

async function addCheck(deps: Deps, { tx, worklog, entries }: CheckToDecide, entry: EntryOf<"Verify">): Promise<void> {
  await insertEntries(tx, worklog.sessionId, [{ key: `person.${entries}`, entry }]);
  const bytes = worklog.bytes + entryBytes(entry);
  await updateWorklog(tx, worklog.sessionId, { lastModified: deps.now(), bytes });
}

function redraw(
  tx: Db,
  worklog: Worklog,
  settled: string | null,
  { details, options = [] }: { readonly details: string; readonly options?: readonly (Resolution | "retry")[] },
): void {
  const { sessionId, goalId, taskDescription: content } = worklog;
  if (goalId === null) return;
  const card = mismatchCard({ sessionId, goalId, content, details, options }, settled);
  markNotice(tx, `worklog.${sessionId}.todos`, { card, threadSubject: goalId });
}
