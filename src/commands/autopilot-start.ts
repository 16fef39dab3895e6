import { confirmationCard } from "../core/cards/lists.ts";
import type { Goal } from "../core/goals/goal.ts";
import { dollars } from "../core/money.ts";
import { count } from "../core/text.ts";
import { withFreshId } from "../db/client.ts";
import { assignToSession, getGoal, sessionGoals, updateGoal, waitingGoals } from "../db/goals.ts";
import { listRepositories, type Repository } from "../db/repositories.ts";
import { findOpenSession, insertSession, listOpenSessions, lockSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/base.ts";
import { askAhead } from "../turns/start.ts";
import { saySession } from "../turns/say.ts";
import { wakeSession } from "../turns/wake.ts";
import {
  type Caller,
  choiceOption,
  type Command,
  type CommandResult,
  done,
  type Given,
  numberOption,
  option,
  options,
  refused,
} from "./command.ts";
import { repoOption } from "./open-sessions.ts";

export const autopilotStart: Command = {
  name: "autopilot start",
  summary: "Work the pending goals: one session a repository, questions that can be foreseen first.",
  access: "change",
  positionals: [],
  options: {
    budget: { value: "USD", description: "the session's ceiling (default 15)" },
    goal: { value: "ID", multiple: true, description: "these goals, in this order (default: all pending)" },
    "on-limit": { value: "X", description: "at a provider's limit: wait for its reset (default), or pause" },
    repo: repoOption,
  },
  run: start,
};

async function start(deps: Deps, caller: Caller, given: Given): Promise<CommandResult> {
  const budget = numberOption(given, "budget", 0.01, 1_000_000);
  const budgetMicroUsd = budget === null ? deps.policy.ceilings.sessionMicroUsd : dollars(budget);
  const onLimit = choiceOption(given, "on-limit", ["wait", "pause"]) ?? deps.policy.recovery.onLimit;
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
      onLimit,
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
  readonly onLimit: "wait" | "pause";
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
            onLimit: opening.onLimit,
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
