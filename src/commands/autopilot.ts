import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import { stoppedCard } from "../core/cards/notices.ts";
import { statusWords, sessionState } from "../core/cards/session-card.ts";
import { formatUsd, dollars, toUsd } from "../core/money.ts";
import { count, firstLine } from "../core/text.ts";
import type { Goal } from "../core/goals/goal.ts";
import { openSubjects } from "../db/checkpoints.ts";
import { withFreshId } from "../db/client.ts";
import { assignToSession, getGoal, sessionGoals, updateGoal, waitingGoals } from "../db/goals.ts";
import { findRepository, listRepositories, type Repository } from "../db/repositories.ts";
import {
  findOpenSession,
  insertSession,
  listOpenSessions,
  listSessions,
  lockSession,
  type Session,
  updateSession,
} from "../db/sessions.ts";
import { goalTotal, sessionTotal } from "../db/spend.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/base.ts";
import { askAhead } from "../turns/start.ts";
import { saySession, sayNotice } from "../turns/say.ts";
import { endSession, wakeSession } from "../turns/wake.ts";
import {
  type Caller,
  type Command,
  type CommandResult,
  done,
  type Given,
  numberOption,
  option,
  options,
  refused,
} from "./command.ts";

const repo = { value: "N", description: "only this repository" };

export const autopilotStart: Command = {
  name: "autopilot start",
  summary: "Work the pending goals: one session a repository, questions that can be foreseen first.",
  access: "change",
  positionals: [],
  options: {
    budget: { value: "USD", description: "the session's ceiling (default 15)" },
    goal: { value: "ID", multiple: true, description: "these goals, in this order (default: all pending)" },
    repo,
  },
  run: start,
};

export const autopilotStop: Command = {
  name: "autopilot stop",
  summary: "End the session after its current goal; with --now at once, killing what runs.",
  access: "change",
  positionals: [],
  options: { now: { description: "kill what runs, within seconds" }, repo },
  run: stop,
};

export const autopilotPause: Command = {
  name: "autopilot pause",
  summary: "Pause the session; what runs is cut and goes on later.",
  access: "change",
  positionals: [],
  options: { repo },
  run: (deps, caller, given) => eachSession(deps, caller, given, pause),
};

export const autopilotResume: Command = {
  name: "autopilot resume",
  summary: "Go on with a paused session.",
  access: "change",
  positionals: [],
  options: { repo },
  run: (deps, caller, given) => eachSession(deps, caller, given, resume),
};

export const autopilotStatus: Command = {
  name: "autopilot status",
  summary: "The open sessions (or the last one) with the result of every goal.",
  access: "read",
  positionals: [],
  options: { repo },
  run: status,
};

async function start(deps: Deps, caller: Caller, given: Given): Promise<CommandResult> {
  const budget = numberOption(given, "budget", 0.01, 1_000_000);
  const budgetMicroUsd = budget === null ? deps.policy.ceilings.sessionMicroUsd : dollars(budget);
  const planned = await plan(deps, given);
  if (planned.type === "refused") return planned;

  const started: { sessionId: string; repository: string; goals: number; questions: number }[] = [];
  for (const { repository, goals } of planned.plans) {
    const base = await pinBase(deps, repository.repositoryId);
    if (base.type === "failed") return refused(base.reason, "cos doctor");
    const result = await openOrJoin(deps, caller, {
      repository,
      goals,
      budgetMicroUsd,
      baseCommit: base.commit,
      named: options(given, "goal").length > 0,
    });
    if (result.type === "refused") return result;
    started.push(result.session);
  }
  await deps.ring("run-goal");
  const lines = started.map(
    (each) =>
      `${each.sessionId} on ${each.repository}: ${count(each.goals, "goal")}, ${questionsWords(each.questions)}`,
  );
  const value = started.length === 1 ? started[0] : { sessions: started };
  return done(value, confirmationCard(`Started ${count(started.length, "session")}`, lines));
}

function questionsWords(questions: number): string {
  return questions === 0
    ? "no questions before you go"
    : `${count(questions, "question")} before you go: cos checkpoints`;
}

type Plans =
  | { readonly type: "planned"; readonly plans: { repository: Repository; goals: Goal[] }[] }
  | Extract<CommandResult, { type: "refused" }>;

async function plan(deps: Deps, given: Given): Promise<Plans> {
  const { db } = deps.database;
  const ids = options(given, "goal");
  const named: Goal[] = [];
  for (const id of ids) {
    const goal = await getGoal(db, id);
    if (goal === null) return { type: "refused", reason: `Goal not found: ${id}`, next: "cos goals" };
    if (goal.status !== "pending")
      return { type: "refused", reason: `${id} is ${goal.status}, not pending`, next: `cos goal resume ${id}` };
    named.push(goal);
  }
  const wanted = option(given, "repo");
  const all = await listRepositories(db);
  if (all.length === 0) return { type: "refused", reason: "no repository is known yet", next: "cos repo add PATH" };
  const repositories =
    wanted === null ? all : all.filter((each) => each.name === wanted || each.repositoryId === wanted);
  if (repositories.length === 0)
    return { type: "refused", reason: `no repository is called ${JSON.stringify(wanted)}`, next: "cos repo list" };

  const plans: { repository: Repository; goals: Goal[] }[] = [];
  for (const repository of repositories) {
    const goals =
      ids.length > 0
        ? named.filter((goal) => goal.repositoryId === repository.repositoryId)
        : await waitingGoals(db, repository.repositoryId);
    if (goals.length > 0) plans.push({ repository, goals });
  }
  if (plans.length === 0) {
    const open = await listOpenSessions(db);
    if (open.length > 0)
      return {
        type: "refused",
        reason: "a session is open and no other goal is pending",
        next: "cos autopilot status",
      };
    return { type: "refused", reason: "no goal is pending", next: "cos goal add TEXT" };
  }
  return { type: "planned", plans };
}

interface Opening {
  readonly repository: Repository;
  readonly goals: readonly Goal[];
  readonly budgetMicroUsd: number;
  readonly baseCommit: string;
  /** The goals were named one by one, so an open session may take them as unplanned ones. */
  readonly named: boolean;
}

type Opened =
  | {
      readonly type: "opened";
      readonly session: { sessionId: string; repository: string; goals: number; questions: number };
    }
  | Extract<CommandResult, { type: "refused" }>;

async function openOrJoin(deps: Deps, caller: Caller, opening: Opening): Promise<Opened> {
  const { repository, goals, budgetMicroUsd, baseCommit } = opening;
  const goalIds = goals.map((goal) => goal.goalId);
  return await deps.database.transaction(async (tx): Promise<Opened> => {
    const now = deps.now();
    const open = await findOpenSession(tx, repository.repositoryId);
    if (open !== null && !opening.named) {
      return {
        type: "refused",
        reason: `a session is already open on ${repository.name} (${open.sessionId})`,
        next: "cos autopilot status",
      };
    }
    const sessionId =
      open?.sessionId ??
      (await withFreshId(
        () => deps.newId("session"),
        (id) =>
          insertSession(tx, {
            sessionId: id,
            repositoryId: repository.repositoryId,
            status: "running",
            budgetMicroUsd,
            startedBy: caller.actor,
            startedAt: now,
          }),
      ));
    await lockSession(tx, sessionId);
    if (open !== null)
      for (const goalId of goalIds) await updateGoal(tx, goalId, { isUnplanned: true, updatedAt: now });
    await assignToSession(tx, sessionId, goalIds, now);
    const event = open === null ? "session.started" : "session.joined";
    await appendTimeline(tx, {
      event,
      sessionId,
      actor: caller.actor,
      via: caller.via,
      at: now,
      detail: { goals: goalIds, budgetMicroUsd },
    });
    const mine = (await sessionGoals(tx, sessionId)).filter((goal) => goalIds.includes(goal.goalId));
    const questions = await askAhead(tx, deps, mine, baseCommit);
    await wakeSession(tx, deps, sessionId);
    await saySession(tx, deps, sessionId);
    return { type: "opened", session: { sessionId, repository: repository.name, goals: goals.length, questions } };
  });
}

/** Runs one change for every open session that is meant, each in a transaction that holds its lock. */
async function eachSession(
  deps: Deps,
  caller: Caller,
  given: Given,
  change: (changing: {
    tx: Parameters<Parameters<Deps["database"]["transaction"]>[0]>[0];
    deps: Deps;
    caller: Caller;
    session: Session;
  }) => Promise<string | null>,
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

type Changing = Parameters<Parameters<typeof eachSession>[3]>[0];

async function pause({ tx, deps, caller, session }: Changing): Promise<string | null> {
  if (session.status === "paused") return null;
  await updateSession(tx, session.sessionId, { status: "paused", pausedBy: caller.actor });
  for (const goal of await sessionGoals(tx, session.sessionId)) {
    if (goal.leasedBy !== null) await updateGoal(tx, goal.goalId, { stopRequested: "pause", updatedAt: deps.now() });
  }
  return "paused";
}

async function resume({ tx, deps, session }: Changing): Promise<string | null> {
  if (session.status !== "paused") return null;
  await updateSession(tx, session.sessionId, { status: "running", pausedBy: null });
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
    await endSession(tx, doors, session, `Stopped now by ${caller.actor}.`);
    const card = stoppedCard(caller.actor, running);
    await sayNotice(tx, doors, { subject: `${session.sessionId}.stopped`, threadSubject: null, card });
    return "ended";
  });
  if (result.type === "refused") return result;
  return done({ stopped: true, cut: cut.map((goal) => goal.goalId) }, stoppedCard(caller.actor, cut));
}

async function stopAfterGoal({ tx, deps, session }: Changing): Promise<string | null> {
  if (session.stopping) return null;
  await updateSession(tx, session.sessionId, { stopping: true });
  await wakeSession(tx, deps, session.sessionId);
  return "stopping";
}

async function openSessions(deps: Deps, wanted: string | null): Promise<Session[]> {
  const open = await listOpenSessions(deps.database.db);
  if (wanted === null) return open;
  const repository = await findRepository(deps.database.db, wanted);
  return open.filter((session) => session.repositoryId === repository?.repositoryId);
}

async function status(deps: Deps, _caller: Caller, given: Given): Promise<CommandResult> {
  const { db } = deps.database;
  const open = await openSessions(deps, option(given, "repo"));
  const shown = open.length > 0 ? open : await listSessions(db, 1);
  const values = [];
  for (const session of shown) values.push(await resultsOf(deps, session));
  if (values.length === 0)
    return done({ sessions: [] }, linesCard("No session yet", [["cos autopilot start begins one."]]));
  const lines = values.flatMap((value) => [
    [
      { strong: value.sessionId },
      ` ${value.state}, ${formatUsd(dollars(value.totalCostUsd))} of ${formatUsd(dollars(value.budgetUsd))}`,
    ],
    ...value.results.map((each) => [
      `${statusWords(each.status)}: `,
      { link: each.goalId, to: `/goals/${each.goalId}` },
      ` ${firstLine(each.content, 80)}`,
    ]),
  ]);
  return done({ sessions: values }, linesCard(open.length > 0 ? "Open sessions" : "The last session", lines));
}

/** A session's result, goal by goal (S4-AP-06). Waiting is not success (S4-AP-10, C-60); manual work is not done (C-73). */
async function resultsOf(deps: Deps, session: Session) {
  const { db } = deps.database;
  const goals = await sessionGoals(db, session.sessionId);
  const open = await openSubjects(
    db,
    goals.map((goal) => goal.goalId),
  );
  const results = [];
  for (const goal of goals) {
    const cost = await goalTotal(db, goal.goalId);
    const waits = open.has(goal.goalId);
    results.push({
      goalId: goal.goalId,
      content: goal.content,
      status: goal.status,
      success: goal.status === "complete" || goal.status === "manual_followup",
      error: waits ? "Awaiting human approval" : goal.status === "failed" ? goal.outcome : null,
      output: goal.outcome,
      costUsd: toUsd(cost.spentMicroUsd),
      checkpointPending: waits,
    });
  }
  const total = await sessionTotal(db, session.sessionId);
  return {
    sessionId: session.sessionId,
    state: sessionState(session),
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    endReason: session.endReason,
    budgetUsd: toUsd(session.budgetMicroUsd),
    totalCostUsd: toUsd(total.spentMicroUsd),
    goalsCompleted: goals.filter((goal) => goal.status === "complete").length,
    results,
  };
}
