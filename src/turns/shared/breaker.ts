import type { Goal } from "../../core/goals/goal.ts";
import { machineState } from "../../core/goals/machine.ts";
import { breakerName, tripsBreaker } from "../../core/recovery/ladder.ts";
import { count } from "../../core/text.ts";
import type { Db } from "../../db/connection/client.ts";
import { listForGoal, pendingCheckpoint } from "../../db/checkpoints.ts";
import { lockGoal, sessionGoals } from "../../db/goals.ts";
import { updateRun } from "../../db/runs.ts";
import { getSession, type Session, updateSession } from "../../db/sessions.ts";
import { appendTimeline, readGoalEvents } from "../../db/timeline.ts";
import { type AskDeps, askAbout, type GoalAsked } from "./ask-about.ts";
import { forgetPauses, questionsIn } from "./sessions.ts";
import { applyTransition } from "../../db/transitions.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";

/** Sessions that stop themselves: goal after goal failed (D20), or nobody can go on before a person has done something. */

/**
 * A goal of its session ended failed: the third in a row pauses it. One that was tried again is still one goal. The caller holds the
 * session's lock.
 */
export async function countFailure(tx: Db, deps: AskDeps, goal: Goal, runId: string | null): Promise<void> {
  if (goal.sessionId === null) return;
  const session = await getSession(tx, goal.sessionId);
  if (session === null || session.status === "ended" || session.failedInRow.includes(goal.goalId)) return;
  const failedInRow = [...session.failedInRow, goal.goalId];
  await updateSession(tx, session.sessionId, { failedInRow });
  if (runId === null || session.status !== "running" || !tripsBreaker(failedInRow.length, deps.policy)) return;
  const goals = new Map((await sessionGoals(tx, session.sessionId)).map((each) => [each.goalId, each]));
  await pause(tx, deps, session, {
    goal,
    runId,
    context: `${count(failedInRow.length, "goal")} in a row ended failed`,
    details: failedInRow.map((goalId) => {
      const failed = goals.get(goalId);
      return failed === undefined ? goalId : `${goalId}: ${failed.outcome ?? failed.content}`;
    }),
  });
}

/** A goal of its session, which the caller holds, was completed: the streak is over. */
export async function countSuccess(tx: Db, session: Session | null): Promise<void> {
  if (session !== null && session.failedInRow.length > 0)
    await updateSession(tx, session.sessionId, { failedInRow: [] });
}

/** Nobody can go on: a login is missing, a limit does not end. The goal keeps its place. */
export async function pauseForPerson(
  tx: Db,
  deps: AskDeps,
  { goal, runId }: Pick<GoalAsked, "goal" | "runId">,
  reason: string,
): Promise<void> {
  const session = goal.sessionId === null ? null : await getSession(tx, goal.sessionId);
  if (session === null || session.status === "ended") return;
  await pause(tx, deps, session, { goal, runId, context: reason, details: [] });
}

/** What tripped it: the goal at which it stopped, and why. */
interface Tripped {
  readonly goal: Goal;
  readonly runId: string;
  readonly context: string;
  readonly details: readonly string[];
}

async function pause(tx: Db, deps: AskDeps, { sessionId, stopping }: Session, why: Tripped): Promise<void> {
  // It ends with this goal anyhow, as somebody wanted: there is nothing to hold, and nothing to ask.
  if (stopping) return;
  const { goal, runId } = why;
  await forgetPauses(tx, await questionsIn(tx, sessionId));
  await updateSession(tx, sessionId, { status: "paused", pausedBy: breakerName });
  await appendTimeline(tx, {
    event: "session.tripped",
    sessionId,
    goalId: goal.goalId,
    runId,
    at: deps.now(),
    detail: { reason: why.context },
  });
  await askAbout(tx, deps, {
    goal,
    runId,
    kind: "breaker",
    subject: sessionId,
    reasons: [{ trigger: "hiccup", context: why.context }],
    details: why.details,
    fingerprint: null,
    changed: null,
  });
  mark(tx, "session", sessionId);
}

/**
 * A person lets a paused session go on, also one that was to stop: failures count anew, and the goals that could not go on
 * (`about`, the one that the open question is about, and those at which it stopped) are worked again.
 */
export async function resumeSession(tx: Db, deps: Doors, session: Session, about: Goal | null = null): Promise<void> {
  const { sessionId } = session;
  const asked = about?.goalId ?? (await pendingCheckpoint(tx, sessionId))?.goalId ?? null;
  const stoppedAt = session.pausedBy === breakerName ? await goalsStoppedAt(tx, sessionId) : [];
  await forgetPauses(tx, await questionsIn(tx, sessionId));
  await updateSession(tx, sessionId, {
    status: "running",
    pausedBy: null,
    failedInRow: [],
    stopping: false,
    endedBy: null,
  });
  for (const goalId of new Set([...(asked === null ? [] : [asked]), ...stoppedAt])) await takeUp(tx, deps, goalId);
}

/** A goal that waits for what a person has done outside goes on where it was. */
async function takeUp(tx: Db, deps: Doors, goalId: string): Promise<void> {
  const held = await lockGoal(tx, goalId);
  if (held === null || !waitsForPerson(held)) return;
  // Who resumes after a limit waits for it anew.
  if (held.runId !== null) await updateRun(tx, held.runId, { limitWaits: 0 });
  await applyTransition(tx, held, { type: "goesOnAgain" }, { updatedAt: deps.now() });
  mark(tx, "goal", goalId);
}

function waitsForPerson(goal: Goal): boolean {
  return machineState(goal) === "parked" && goal.blockedOn === "person" && goal.recoveryLevel !== 4;
}

/** Goals of a session that are parked because it stopped itself at them: also where its question is none of theirs, or none any more. */
async function goalsStoppedAt(tx: Db, sessionId: string): Promise<string[]> {
  const found: string[] = [];
  for (const goal of (await sessionGoals(tx, sessionId)).filter(waitsForPerson)) {
    const { goalId } = goal;
    const stopped = (await readGoalEvents(tx, goalId, "session.tripped")).at(-1);
    if (stopped === undefined || stopped.sessionId !== sessionId) continue;
    // What a person parked since, or did not answer in time, waits for a word of its own.
    const parked = (await readGoalEvents(tx, goalId, "goal.paused")).map((each) => each.at);
    const asked = (await listForGoal(tx, goalId)).filter((each) => each.kind !== "breaker");
    const since = [...parked, ...asked.map((each) => each.createdAt)];
    if (since.every((at) => at < stopped.at)) found.push(goalId);
  }
  return found;
}
