import { endedStatuses } from "../../core/goals/goal.ts";
import { type DoneNight, doneNightWords } from "../../core/cards/night-words.ts";
import { heldInSession } from "../../core/goals/held.ts";
import { decideNight, type NightSession } from "../../core/nights/night.ts";
import { openSubjects, pendingAbout, pendingCheckpoint } from "../../db/checkpoints.ts";
import { remindedByMorning } from "../../db/night-questions.ts";
import type { Db } from "../../db/connection/client.ts";
import { sessionGoals } from "../../db/goals.ts";
import { lockNight, type Night, openNight, sessionsOfNight, updateNight } from "../../db/nights.ts";
import { lockSession, type Session, updateSession } from "../../db/sessions.ts";
import { nightTotal, sessionTotal } from "../../db/totals.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { updateRun } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { localTime } from "../../core/time.ts";
import { type AskDeps, askAbout } from "../shared/ask-about.ts";
import { holdingWith } from "../../facts/held.ts";
import { pauseSession } from "../shared/sessions.ts";
import { endSession } from "../shared/end-session.ts";
import { applyTransition } from "../../db/transitions.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";

/** Ends the open night when its time, its money or its work is over. Called by every tick. */
export async function endDueNight(deps: Pick<Deps, "database"> & AskDeps): Promise<void> {
  const night = await openNight(deps.database.db);
  if (night === null) return;
  await deps.database.transaction(async (tx) => {
    const locked = await lockNight(tx, night.nightId);
    if (locked === null || locked.endedAt !== null) return;
    const decision = decideNight(
      {
        isOpen: true,
        untilAt: locked.untilAt,
        now: deps.now(),
        leftMicroUsd: locked.budgetMicroUsd - (await nightTotal(tx, locked.nightId)).committedMicroUsd,
        sessions: await sessionFacts(tx, locked),
      },
      deps.policy.goals.minimumTurnMicroUsd,
    );
    if (decision.type === "goes-on") return;
    await endNight(tx, deps, locked, await endWords(tx, deps, locked, decision.why));
  });
}

async function sessionFacts(tx: Db, night: Night): Promise<NightSession[]> {
  const facts: NightSession[] = [];
  for (const session of await sessionsOfNight(tx, night.nightId)) {
    const { sessionId, status } = session;
    const goals = (await sessionGoals(tx, sessionId)).filter((goal) => !endedStatuses.includes(goal.status));
    const open = await openSubjects(tx, [sessionId, ...goals.map((goal) => goal.goalId)]);
    const holding = await holdingWith(tx, session, goals, open);
    facts.push({
      status,
      // A session that paused itself has an open checkpoint about that.
      isHeld: status === "paused" && !open.has(sessionId) && goals.length > 0,
      isWorking: goals.some((goal) => goal.leasedBy !== null),
      isWaiting: heldInSession({ ...holding, isPaused: false, stopping: false }).goesOn.length === 0,
    });
  }
  return facts;
}

async function endWords(tx: Db, deps: AskDeps, night: Night, why: "time" | "money" | "done"): Promise<string> {
  switch (why) {
    case "time":
      return `It is ${localTime(night.untilAt, deps.config.timezone)}: the night is over.`;
    case "money":
      return "The night's money is used up.";
    case "done":
      return doneNightWords(await doneFacts(tx, night));
  }
}

/** Why sessions of a night did not finish their goals: people ended them, or they paused themselves and have an open checkpoint. */
async function doneFacts(tx: Db, night: Night): Promise<DoneNight> {
  const sessions = await sessionsOfNight(tx, night.nightId);
  const ended = sessions.filter((session) => session.status === "ended" && session.endedBy !== null);
  const paused = sessions.filter((session) => session.status === "paused").map((session) => session.sessionId);
  const asked = await pendingAbout(tx, paused);
  const stopped = [...ended.map((session) => session.sessionId), ...asked.map((question) => question.subject)];
  let notBegun = 0;
  for (const sessionId of stopped)
    notBegun += (await sessionGoals(tx, sessionId)).filter((goal) => goal.status === "pending").length;
  return {
    stoppedBy: [...new Set(ended.flatMap((session) => session.endedBy ?? []))],
    areAllStopped: ended.length === sessions.length,
    stops: asked.map((question) => question.context),
    notBegun,
  };
}

/**
 * Ends a night. No goal starts any more, running goals are interrupted and wait for an answer, and checkpoints stay open with their goals.
 * The morning card reports all of that. Answers given by day are worked under the sessions' usual ceilings. The caller holds the night's
 * lock.
 */
export async function endNight(tx: Db, deps: AskDeps, night: Night, reason: string): Promise<void> {
  const { nightId } = night;
  const now = deps.now();
  await updateNight(tx, nightId, { endedAt: now, endReason: reason });
  await appendTimeline(tx, { event: "night.ended", at: now, detail: { nightId, reason } });
  for (const { sessionId } of await sessionsOfNight(tx, nightId)) {
    const session = await lockSession(tx, sessionId);
    if (session !== null && session.status !== "ended") await leaveForMorning(tx, deps, session, reason);
  }
  await remindedByMorning(tx, nightId, now);
  mark(tx, "evening", nightId);
  mark(tx, "morning", nightId);
}

async function leaveForMorning(tx: Db, deps: AskDeps, session: Session, reason: string): Promise<void> {
  const { sessionId } = session;
  const now = deps.now();
  const goals = (await sessionGoals(tx, sessionId)).filter((goal) => !endedStatuses.includes(goal.status));
  const open = await openSubjects(
    tx,
    goals.map((goal) => goal.goalId),
  );
  const begun = goals.flatMap((goal) => {
    const isWorked = goal.leasedBy !== null && goal.phase !== "start";
    const isBegun = isWorked || (goal.status === "in_progress" && !open.has(goal.goalId));
    return isBegun && goal.runId !== null ? [{ goal, runId: goal.runId }] : [];
  });
  for (const goal of goals) {
    const isKept = begun.some((each) => each.goal === goal) || open.has(goal.goalId) || goal.status === "blocked";
    if (isKept) continue;
    // The goal has not begun, or a worker has only just claimed it: another session can take it.
    if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: now });
    await applyTransition(tx, goal, { type: "isGivenBack" }, { sessionId: null, updatedAt: now });
    mark(tx, "goal", goal.goalId);
  }
  const { committedMicroUsd } = await sessionTotal(tx, sessionId);
  await updateSession(tx, sessionId, { budgetMicroUsd: committedMicroUsd + deps.policy.ceilings.sessionMicroUsd });
  const [first] = begun;
  if (first !== undefined) {
    await pauseSession(tx, deps, session, "the night contract");
    await askAbout(tx, deps, {
      ...first,
      kind: "breaker",
      subject: sessionId,
      reasons: [
        {
          trigger: "hiccup",
          context: `${reason} ${begun.length} unfinished: ${begun.map(({ goal }) => goal.goalId).join(", ")}`,
        },
      ],
      details: [],
      fingerprint: null,
      changed: null,
    });
  } else if (open.size === 0 && (await pendingCheckpoint(tx, sessionId)) === null) {
    await endSession(tx, deps, session, { reason });
    return;
  } else {
    lookAt(tx, sessionId);
    return;
  }
  mark(tx, "session", sessionId);
}
