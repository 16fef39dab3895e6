import { confirmationCard } from "../core/cards/lists.ts";
import { stoppedCard } from "../core/cards/notices.ts";
import type { Db } from "../db/client.ts";
import { sessionGoals, updateGoal } from "../db/goals.ts";
import { lockSession, type Session, updateSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { resumeSession } from "../turns/breaker.ts";
import { pauseSession } from "../turns/sessions.ts";
import { sayNotice, saySession } from "../turns/say.ts";
import { endSession, wakeSession, withdrawQuestion } from "../turns/wake.ts";
import { type Caller, type Command, type CommandResult, done, type Given, option, refused } from "./command.ts";
import { openSessions, repoOption } from "./open-sessions.ts";

export const autopilotStop: Command = {
  name: "autopilot stop",
  summary: "End the session after its current goal; with --now at once, killing what runs.",
  access: "change",
  positionals: [],
  options: { now: { description: "kill what runs, within seconds" }, repo: repoOption },
  run: stop,
};

export const autopilotPause: Command = {
  name: "autopilot pause",
  summary: "Pause the session; what runs is cut and goes on later.",
  access: "change",
  positionals: [],
  options: { repo: repoOption },
  run: (deps, caller, given) => eachSession(deps, caller, given, pause),
};

export const autopilotResume: Command = {
  name: "autopilot resume",
  summary: "Go on with a paused session.",
  access: "change",
  positionals: [],
  options: { repo: repoOption },
  run: (deps, caller, given) => eachSession(deps, caller, given, resume),
};

/** A change of one open session; the caller holds its lock. */
interface Changing {
  readonly tx: Db;
  readonly deps: Deps;
  readonly caller: Caller;
  readonly session: Session;
}

/** Runs one change for every open session that is meant, each in a transaction that holds its lock. */
async function eachSession(
  deps: Deps,
  caller: Caller,
  given: Given,
  change: (changing: Changing) => Promise<string | null>,
): Promise<CommandResult> {
  const sessions = await openSessions(deps, option(given, "repo"));
  if (sessions.length === 0) return refused("no session is open", "cos autopilot start");
  const lines: string[] = [];
  for (const { sessionId } of sessions) {
    const line = await deps.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null || session.status === "ended") return null;
      const said = await change({ tx, deps, caller, session });
      if (said !== null)
        await appendTimeline(tx, {
          event: `session.${said}`,
          sessionId,
          actor: caller.actor,
          via: caller.via,
          at: deps.now(),
        });
      await saySession(tx, deps, sessionId);
      return said === null ? null : `${sessionId} is ${said}`;
    });
    if (line !== null) lines.push(line);
  }
  await deps.ring("run-goal");
  if (lines.length === 0) return refused("nothing to change", "cos autopilot status");
  return done({ sessions: sessions.map((each) => each.sessionId) }, confirmationCard(lines.join(", ")));
}

async function pause({ tx, deps, caller, session }: Changing): Promise<string | null> {
  return (await pauseSession(tx, deps, session, caller.actor)) ? "paused" : null;
}

async function resume({ tx, deps, session }: Changing): Promise<string | null> {
  if (session.status !== "paused") return null;
  await resumeSession(tx, deps, session);
  await withdrawQuestion(tx, deps, session.sessionId);
  await wakeSession(tx, deps, session.sessionId);
  return "running";
}

async function stop(deps: Deps, caller: Caller, given: Given): Promise<CommandResult> {
  if (!given.switches.has("now")) return await eachSession(deps, caller, given, stopAfterGoal);
  const cut: { goalId: string; content: string }[] = [];
  const result = await eachSession(deps, caller, given, async ({ tx, deps: doors, session }) => {
    const running = (await sessionGoals(tx, session.sessionId)).filter((goal) => goal.leasedBy !== null);
    for (const goal of running) {
      await updateGoal(tx, goal.goalId, { stopRequested: "stop", updatedAt: doors.now() });
      cut.push({ goalId: goal.goalId, content: goal.content });
    }
    await endSession(tx, doors, session, `Stopped now by ${caller.actor}.`, caller.actor);
    const card = stoppedCard(caller.actor, running);
    await sayNotice(tx, doors, { subject: `${session.sessionId}.stopped`, threadSubject: null, card });
    return "ended";
  });
  if (result.type === "refused") return result;
  return done({ stopped: true, cut: cut.map((goal) => goal.goalId) }, stoppedCard(caller.actor, cut));
}

async function stopAfterGoal({ tx, deps, caller, session }: Changing): Promise<string | null> {
  if (session.stopping) return null;
  await updateSession(tx, session.sessionId, { stopping: true, endedBy: caller.actor });
  await wakeSession(tx, deps, session.sessionId);
  return "stopping";
}
