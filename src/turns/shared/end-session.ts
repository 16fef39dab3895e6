import { endedStatuses, type Goal } from "../../core/goals/goal.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import type { SessionKind } from "../../core/goals/next.ts";
import type { Db } from "../../db/connection/client.ts";
import { pendingCheckpoint, settleCheckpoint } from "../../db/checkpoints.ts";
import { updateRun } from "../../db/runs.ts";
import { type Session, updateSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { applyTransition } from "../../db/transitions.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";
import { type WholeSession, wholeSession } from "../../facts/held.ts";

/** Why a session ends. */
export interface SessionEnd {
  readonly reason: string;
  /** The person who ended it. Absent: the one who is already recorded. */
  readonly by?: string | null;
}

/**
 * Ends a session: unfinished goals leave it and its open questions are withdrawn. The caller holds the session's lock.
 */
export async function endSession(
  tx: Db,
  deps: Doors,
  session: Session,
  { reason, by = session.endedBy }: SessionEnd,
): Promise<void> {
  const whole = await wholeSession(tx, session.sessionId);
  if (whole !== null) await endWhole(tx, deps, whole, { reason, by });
}

/** The same when the session was already read. The caller's locks keep others from changing it. */
export async function endWhole(
  tx: Db,
  deps: Doors,
  { session, goals, questions }: Omit<WholeSession, "holding">,
  { reason, by = session.endedBy }: SessionEnd,
): Promise<void> {
  const now = deps.now();
  const { sessionId, kind } = session;
  await updateSession(tx, sessionId, { status: "ended", endedAt: now, endReason: reason, endedBy: by });
  const open = new Map(questions.map((each) => [each.subject, each]));
  await withdraw(tx, deps, open.get(sessionId));
  for (const goal of goals) {
    if (endedStatuses.includes(goal.status)) continue;
    await leaveSession(tx, deps, { goal, kind, question: open.get(goal.goalId) });
  }
  await appendTimeline(tx, { event: "session.ended", sessionId, at: now, detail: { reason } });
  mark(tx, "session", sessionId);
}

interface GoalToLeave {
  readonly goal: Goal;
  readonly kind: SessionKind;
  /** The open question about it. */
  readonly question: Checkpoint | undefined;
}

/**
 * Takes a goal out of its session. A goal that has not started is pending again. Otherwise it is parked with its work, or waits for its
 * campaign's next session. A parked goal stays parked.
 */
async function leaveSession(tx: Db, deps: Doors, { goal, kind, question }: GoalToLeave): Promise<void> {
  const now = deps.now();
  const wasAsked = await withdraw(tx, deps, question);
  if (goal.status === "blocked" && !wasAsked) return;
  if (goal.phase === "start") {
    if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: now });
    await applyTransition(tx, goal, { type: "isGivenBack" }, { updatedAt: now });
  } else if (kind === "campaign") {
    await applyTransition(tx, goal, { type: "waitsForSession" }, { updatedAt: now });
  } else {
    const outcome = `The session ended before this goal did. Go on with: cos goal resume ${goal.goalId}`;
    await applyTransition(tx, goal, { type: "isLeft", outcome }, { updatedAt: now });
  }
  mark(tx, "goal", goal.goalId);
}

/** Withdraws the open question about a goal or session, whose answer is not needed any more. False when there is none. */
export async function withdrawQuestion(tx: Db, deps: Doors, subject: string): Promise<boolean> {
  return await withdraw(tx, deps, (await pendingCheckpoint(tx, subject)) ?? undefined);
}

/** Withdraws this question. False when there is none or it was settled meanwhile. */
export async function withdraw(tx: Db, deps: Doors, open: Checkpoint | undefined): Promise<boolean> {
  if (open === undefined) return false;
  const settled = await settleCheckpoint(tx, open.checkpointId, open.version, {
    status: "superseded",
    chosenOption: null,
    humanNotes: null,
    resolvedBy: null,
    resolvedVia: null,
    resolvedAt: deps.now(),
  });
  if (!settled) return false;
  const { goalId, checkpointId, campaignId } = open;
  await appendTimeline(tx, { event: "checkpoint.withdrawn", goalId, campaignId, checkpointId, at: deps.now() });
  mark(tx, "checkpoint", checkpointId);
  return true;
}
