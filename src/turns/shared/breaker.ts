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

/** Sessions that pause themselves: several goals in a row have failed (D20), or the work cannot continue before a person has done something. */

/**
 * Counts a failed goal of a session. The third in a row pauses the session. A goal that failed again is counted once. The caller holds
 * the session's lock.
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

/** Resets the count of failed goals after a goal was completed. The caller holds the session's lock. */
export async function countSuccess(tx: Db, session: Session | null): Promise<void> {
  if (session !== null && session.failedInRow.length > 0)
    await updateSession(tx, session.sessionId, { failedInRow: [] });
}

/** Pauses a goal's session because a login is missing or a limit does not end. The goal keeps its place. */
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

/** The goal at which a session paused itself, and why. */
interface Tripped {
  readonly goal: Goal;
  readonly runId: string;
  readonly context: string;
  readonly details: readonly string[];
}

async function pause(tx: Db, deps: AskDeps, { sessionId, stopping }: Session, why: Tripped): Promise<void> {
  // A person asked the session to end with this goal. There is nothing to pause and nothing to ask.
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
 * Resumes a paused session for a person, also one that was about to stop. Failures are counted from zero. Goals that could not continue are
 * worked again: `about`, or else the goal of the session's open question, and the goals at which the session paused itself.
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

/** Lets a goal continue that was waiting for an action of a person outside the bot. */
async function takeUp(tx: Db, deps: Doors, goalId: string): Promise<void> {
  const held = await lockGoal(tx, goalId);
  if (held === null || !waitsForPerson(held)) return;
  // After a resume, waits for a limit are counted from zero.
  if (held.runId !== null) await updateRun(tx, held.runId, { limitWaits: 0 });
  await applyTransition(tx, held, { type: "goesOnAgain" }, { updatedAt: deps.now() });
  mark(tx, "goal", goalId);
}

function waitsForPerson(goal: Goal): boolean {
  return machineState(goal) === "parked" && goal.blockedOn === "person" && goal.recoveryLevel !== 4;
}

/** Returns the goals that are parked because the session paused itself at them, even if its open question is about another goal or there is none. */
async function goalsStoppedAt(tx: Db, sessionId: string): Promise<string[]> {
  const found: string[] = [];
  for (const goal of (await sessionGoals(tx, sessionId)).filter(waitsForPerson)) {
    const { goalId } = goal;
    const stopped = (await readGoalEvents(tx, goalId, "session.tripped")).at(-1);
    if (stopped === undefined || stopped.sessionId !== sessionId) continue;
    // A goal that a person parked since then, or about which another question was asked, has to be resumed by itself.
    const parked = (await readGoalEvents(tx, goalId, "goal.paused")).map((each) => each.at);
    const asked = (await listForGoal(tx, goalId)).filter((each) => each.kind !== "breaker");
    const since = [...parked, ...asked.map((each) => each.createdAt)];
    if (since.every((at) => at < stopped.at)) found.push(goalId);
  }
  return found;
}
