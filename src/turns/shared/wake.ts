import { endedStatuses, type Goal } from "../../core/goals/goal.ts";
import { nextInSession, type SessionKind } from "../../core/goals/next.ts";
import { sessionOverWords } from "../../core/cards/session-card.ts";
import type { Db } from "../../db/connection/client.ts";
import { openSubjects, pendingCheckpoint, settleCheckpoint } from "../../db/checkpoints.ts";
import { sessionGoals } from "../../db/goals.ts";
import { updateRun } from "../../db/runs.ts";
import { lockSession, type Session, updateSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { holdingWith } from "../../facts/held.ts";
import { applyTransition } from "../../db/transitions.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";

/**
 * Decides what a session does next and wakes exactly that, and says how it stands: called at the end of every transaction
 * that changed one of its goals. The caller holds the session's row lock. True when a goal became ready, so that the
 * caller rings.
 */
export async function wakeSession(tx: Db, deps: Doors, sessionId: string | null): Promise<boolean> {
  const session = sessionId === null ? null : await lockSession(tx, sessionId);
  if (session === null) return false;
  const isReady = session.status === "running" && (await wakeNext(tx, deps, session));
  mark(tx, "session", session.sessionId);
  return isReady;
}

async function wakeNext(tx: Db, deps: Doors, session: Session): Promise<boolean> {
  const { sessionId } = session;
  const goals = await sessionGoals(tx, sessionId);
  const open = await openSubjects(
    tx,
    goals.map((goal) => goal.goalId),
  );
  const holding = await holdingWith(tx, session, goals, open);
  const next = nextInSession(holding.goals, session.stopping);

  switch (next.type) {
    case "busy":
    case "waits":
      return false;
    case "done":
      await endSession(tx, deps, session, session.stopping ? "Stopped." : sessionOverWords(goals));
      return false;
    case "run": {
      const goal = goals.find((each) => each.goalId === next.goalId);
      if (goal === undefined) return false;
      if (goal.wakeAt !== null) return goal.wakeAt <= deps.now();
      await applyTransition(tx, goal, { type: "isQueued", at: deps.now() }, deps.now());
      await appendTimeline(tx, { event: "goal.queued", goalId: next.goalId, sessionId, at: deps.now() });
      return true;
    }
  }
}

/**
 * Ends a session: unfinished goals wait for another one, its open questions are withdrawn. `by`: the person who ended it.
 * The caller holds the session's lock.
 */
export async function endSession(
  tx: Db,
  deps: Doors,
  session: Session,
  reason: string,
  by: string | null = session.endedBy,
): Promise<void> {
  const now = deps.now();
  await updateSession(tx, session.sessionId, { status: "ended", endedAt: now, endReason: reason, endedBy: by });
  await withdrawQuestion(tx, deps, session.sessionId);
  for (const goal of await sessionGoals(tx, session.sessionId)) {
    if (endedStatuses.includes(goal.status)) continue;
    await leaveSession(tx, deps, goal, session.kind);
  }
  await appendTimeline(tx, { event: "session.ended", sessionId: session.sessionId, at: now, detail: { reason } });
  mark(tx, "session", session.sessionId);
}

/**
 * A goal that had not started is pending again, one with work of its own is parked with it, or waits for its campaign's
 * next session; a parked one stays so.
 */
async function leaveSession(tx: Db, deps: Doors, goal: Goal, kind: SessionKind): Promise<void> {
  const now = deps.now();
  const wasAsked = await withdrawQuestion(tx, deps, goal.goalId);
  if (goal.status === "blocked" && !wasAsked) return;
  if (goal.phase === "start") {
    if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: now });
    await applyTransition(tx, goal, { type: "isGivenBack" }, now);
  } else if (kind === "campaign") {
    await applyTransition(tx, goal, { type: "waitsForSession" }, now);
  } else {
    const outcome = `The session ended before this goal did. Go on with: cos goal resume ${goal.goalId}`;
    await applyTransition(tx, goal, { type: "isLeft", outcome }, now);
  }
  mark(tx, "goal", goal.goalId);
}

/** Withdraws the open question about a goal or session: nobody needs the answer any more. False when there was none. */
export async function withdrawQuestion(tx: Db, deps: Doors, subject: string): Promise<boolean> {
  const open = await pendingCheckpoint(tx, subject);
  if (open === null) return false;
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
