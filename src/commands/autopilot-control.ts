import { endedWords, goesOnWords, pausedNowWords, stoppingWords } from "../core/cards/control-words.ts";
import { severalWords } from "../core/cards/tally.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { pausedByWords, resumeCommand } from "../core/cards/paused-words.ts";
import { stoppedCard } from "../core/cards/notices.ts";
import { sessionMessage, threadInChat } from "../core/delivery/places.ts";
import { startCommand } from "../core/cards/session-words.ts";
import type { Goal } from "../core/goals/goal.ts";
import { openSubjects, pendingCheckpoint } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { sessionGoals } from "../db/goals.ts";
import { findRepository, listRepositories } from "../db/repositories.ts";
import { lockSession, type Session, updateSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import { lookAt } from "../db/connection/looks.ts";
import { mark, markNotice } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { pausedSession } from "../facts/paused-session.ts";
import { ofSeveral } from "../facts/tally.ts";
import { resumeSession } from "../turns/shared/breaker.ts";
import { pauseSession } from "../turns/shared/sessions.ts";
import { endSession, withdrawQuestion } from "../turns/shared/end-session.ts";
import { openSessions, repoOption } from "./open-sessions.ts";
import { applyTransition } from "../db/transitions.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { flag } from "./fields.ts";
import { noRepository } from "./not-known.ts";

export const autopilotStop = command({
  name: "autopilot stop",
  summary: "End the session after its current goal; with --now at once, killing what runs.",
  access: "change",
  options: {
    now: flag("kill what runs, within seconds"),
    all: flag("every open session, where there are several"),
    repo: repoOption,
  },
  async run(deps, caller, { now, all, repo }) {
    const several = all || repo !== undefined ? null : await severalSessions(deps, now);
    if (several !== null) return several;
    return now ? await stopNow(deps, caller, repo) : await eachSession(deps, caller, repo, stopAfterGoal);
  },
});

/** A stopped session does not go on by itself, so with several open sessions the person must say which. Null when at most one is open. */
async function severalSessions(deps: Deps, now: boolean): Promise<CommandResult | null> {
  const open = await openSessions(deps, undefined);
  if (open.length < 2) return null;
  const names = (await listRepositories(deps.database.db))
    .filter(({ repositoryId }) => open.some((session) => session.repositoryId === repositoryId))
    .map(({ name }) => name);
  const one = `one of them with --repo ${names[0] ?? "NAME"}`;
  return refused(
    `${open.length} sessions are open, in ${names.join(", ")}: ${one}, all of them with --all`,
    `cos autopilot stop${now ? " --now" : ""} --all`,
  );
}

export const autopilotPause = command({
  name: "autopilot pause",
  summary: "Pause the session; what runs is interrupted and goes on later.",
  access: "change",
  options: { repo: repoOption },
  run: (deps, caller, { repo }) => eachSession(deps, caller, repo, pause),
});

export const autopilotResume = command({
  name: "autopilot resume",
  summary: "Go on with a paused session, or with one that was to stop.",
  access: "change",
  options: { repo: repoOption },
  run: (deps, caller, { repo }) => eachSession(deps, caller, repo, resume),
});

/** A change of one open session, whose lock the caller holds. */
interface SessionChange {
  readonly tx: Db;
  readonly deps: Deps;
  readonly caller: Caller;
  readonly session: Session;
  /** Its goals that are being worked. */
  readonly working: readonly Goal[];
}

/** The result for one session, in words; `unchanged`: it was already so, or it is not possible. */
type Change =
  | { readonly type: "changed"; readonly event: "paused" | "running" | "stopping" | "ended"; readonly line: string }
  | { readonly type: "unchanged"; readonly line: string; readonly next: string };

/** Changes every open session that is meant, each in a transaction that holds its lock. */
async function eachSession(
  deps: Deps,
  caller: Caller,
  wanted: string | undefined,
  change: (change: SessionChange) => Promise<Change>,
): Promise<CommandResult> {
  if (wanted !== undefined && (await findRepository(deps.database.db, wanted)) === null)
    return await noRepository(deps, wanted);
  const sessions = await openSessions(deps, wanted);
  const changes: { readonly sessionId: string; readonly change: Change }[] = [];
  for (const { sessionId } of sessions) {
    const made = await deps.database.transaction((tx) => changeOne({ tx, deps, caller }, sessionId, change));
    if (made !== null) changes.push({ sessionId, change: made });
  }
  const [first] = changes;
  if (first === undefined)
    return refused("no session is open", wanted === undefined ? "cos autopilot start" : `cos ${startCommand(wanted)}`);
  const line = changes.map((each) => each.change.line).join("; ");
  if (first.change.type === "unchanged" && changes.every((each) => each.change.type === "unchanged"))
    return refused(line, first.change.next);
  const results = changes.map(({ sessionId, change: { type, line: words, ...rest } }) => {
    return { sessionId, changed: type === "changed" ? rest : null, said: words };
  });
  return done({ sessions: sessions.map((each) => each.sessionId), results }, confirmationCard(line));
}

/** Changes one session. Null when it ended in the meantime. */
async function changeOne(
  { tx, deps, caller }: Pick<SessionChange, "tx" | "deps" | "caller">,
  sessionId: string,
  change: (change: SessionChange) => Promise<Change>,
): Promise<Change | null> {
  const session = await lockSession(tx, sessionId);
  if (session === null || session.status === "ended") return null;
  const working = (await sessionGoals(tx, sessionId)).filter((goal) => goal.leasedBy !== null);
  const made = await change({ tx, deps, caller, session, working });
  if (made.type === "unchanged") return made;
  const { actor, via } = caller;
  // The end of a session records its own event, with the reason.
  if (made.event !== "ended")
    await appendTimeline(tx, { event: `session.${made.event}`, sessionId, actor, via, at: deps.now() });
  mark(tx, "session", sessionId);
  return made;
}

async function pause({ tx, deps, caller, session, working }: SessionChange): Promise<Change> {
  const { sessionId, pausedBy } = session;
  if (!(await pauseSession(tx, deps, session, caller.actor)))
    return {
      type: "unchanged",
      line: `${sessionId} is paused already, ${pausedByWords(pausedBy)}`,
      next: `cos ${resumeCommand(await pausedSession(tx, session))}`,
    };
  return { type: "changed", event: "paused", line: pausedNowWords(sessionId, idsOf(working), session.stopping) };
}

/** Resumes a paused session, or one that was to stop after its current goal. */
async function resume({ tx, deps, session }: SessionChange): Promise<Change> {
  const { sessionId, stopping } = session;
  if (session.status !== "paused" && !stopping)
    return { type: "unchanged", line: `${sessionId} is not paused`, next: "cos autopilot status" };
  const several = session.status === "paused" ? ofSeveral(deps, [await pendingCheckpoint(tx, sessionId)]) : null;
  if (several !== null)
    return { type: "unchanged", line: severalWords(several), next: `cos approve ${several.checkpointId}` };
  if (stopping) await updateSession(tx, sessionId, { stopping: false, endedBy: null });
  if (session.status === "paused") {
    await resumeSession(tx, deps, session);
    await withdrawQuestion(tx, deps, sessionId);
  }
  lookAt(tx, sessionId);
  const goals = (await sessionGoals(tx, sessionId)).map((goal) => goal.goalId);
  const line = goesOnWords(sessionId, (await openSubjects(tx, goals)).size, stopping);
  return { type: "changed", event: "running", line };
}

async function stopNow(deps: Deps, caller: Caller, wanted: string | undefined): Promise<CommandResult> {
  const cut: { goalId: string; content: string }[] = [];
  const ended: string[] = [];
  const result = await eachSession(deps, caller, wanted, async (changing) => {
    const { tx, session, working } = changing;
    cut.push(...working.map(({ goalId, content }) => ({ goalId, content })));
    const card = stoppedCard(caller.actor, working);
    const { places } = deps.policy;
    const chatThread = threadInChat(places, "stopped", sessionMessage(places, session));
    markNotice(tx, `${session.sessionId}.stopped`, { card, threadSubject: null, chatThread });
    const change = await endNow(changing, `Stopped now by ${caller.actor}.`);
    ended.push(change.line);
    return change;
  });
  if (result.type === "refused") return result;
  const value = { stopped: true, cut: cut.map((goal) => goal.goalId), ended };
  return done(value, stoppedCard(caller.actor, cut, ended));
}

/**
 * Stops the session after the goal that is being worked. Stops at once when no goal is being worked, or when the session is paused,
 * because its work was cut already.
 */
async function stopAfterGoal(change: SessionChange): Promise<Change> {
  const { tx, caller, session, working } = change;
  const { sessionId } = session;
  if (session.status === "paused" || working.length === 0) return await endNow(change, `Stopped by ${caller.actor}.`);
  const line = stoppingWords(sessionId, idsOf(working));
  if (session.stopping) {
    const { repositoryName } = await pausedSession(tx, session);
    return { type: "unchanged", line: `${line} already`, next: `cos autopilot stop --now --repo ${repositoryName}` };
  }
  await updateSession(tx, sessionId, { stopping: true, endedBy: caller.actor });
  lookAt(tx, sessionId);
  return { type: "changed", event: "stopping", line };
}

/** Ends the session: running goals are cut and parked, its open questions are withdrawn. */
async function endNow({ tx, deps, caller, session, working }: SessionChange, reason: string): Promise<Change> {
  const { sessionId } = session;
  for (const goal of working)
    await applyTransition(tx, goal, { type: "isStopped", stop: "stop" }, { updatedAt: deps.now() });
  const before = await sessionGoals(tx, sessionId);
  const asked = await openSubjects(tx, [sessionId, ...idsOf(before)]);
  await endSession(tx, deps, session, { reason, by: caller.actor });
  const after = await sessionGoals(tx, sessionId);
  const left = {
    withdrawn: asked.size,
    waiting: after.filter((goal) => goal.status === "pending" || goal.status === "in_progress").length,
    parked: after.filter((goal) => goal.status === "blocked").length,
  };
  return { type: "changed", event: "ended", line: endedWords(session, left) };
}

function idsOf(goals: readonly Goal[]): string[] {
  return goals.map((goal) => goal.goalId);
}
