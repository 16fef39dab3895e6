import { confirmationCard } from "../core/cards/lists.ts";
import type { Goal } from "../core/goals/goal.ts";
import { dollars } from "../core/money.ts";
import { count } from "../core/text.ts";
import type { Db } from "../db/client.ts";
import { getGoal, updateGoal, waitingGoals } from "../db/goals.ts";
import { listRepositories, lockRepository, type Repository } from "../db/repositories.ts";
import { findOpenSession, getSession, listOpenSessions, lockSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/base.ts";
import { openSession, questionsWords, takeGoals } from "../turns/sessions.ts";
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
  const planned = await planSessions(deps, given);
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

/** The goals of one repository that a session would take, in their order. */
export interface SessionPlan {
  readonly repository: Repository;
  readonly goals: readonly Goal[];
}

type Plans =
  | { readonly type: "planned"; readonly plans: readonly SessionPlan[] }
  | Extract<CommandResult, { type: "refused" }>;

/** What a session would work: the named goals, else all that are pending, repository by repository. */
export async function planSessions(deps: Deps, given: Given): Promise<Plans> {
  const { db } = deps.database;
  const ids = options(given, "goal");
  const named: Goal[] = [];
  for (const id of ids) {
    const goal = await getGoal(db, id);
    if (goal === null) return { type: "refused", reason: `Goal not found: ${id}`, next: "cos goals" };
    if (goal.status !== "pending" && !(await waitsForSession(db, goal)))
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

  const plans: SessionPlan[] = [];
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

/** Whether it was begun and is left to the next session: resumed while none was open. */
async function waitsForSession(db: Db, { status, leasedBy, sessionId }: Goal): Promise<boolean> {
  if (status !== "in_progress" || leasedBy !== null) return false;
  const session = sessionId === null ? null : await getSession(db, sessionId);
  return session === null || session.status === "ended";
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
    await lockRepository(tx, repository.repositoryId);
    const open = await findOpenSession(tx, repository.repositoryId);
    if (open !== null && !opening.named) {
      return {
        type: "refused",
        reason: `a session is already open on ${repository.name} (${open.sessionId})`,
        next: "cos autopilot status",
      };
    }
    if (open === null) {
      const opened = await openSession(tx, deps, {
        repositoryId: repository.repositoryId,
        kind: "plain",
        goalIds,
        budgetMicroUsd,
        onLimit: opening.onLimit,
        baseCommit,
        startedBy: caller.actor,
        via: caller.via,
      });
      return { type: "opened", session: { ...opened, repository: repository.name, goals: goals.length } };
    }
    const { sessionId } = open;
    await lockSession(tx, sessionId);
    for (const goalId of goalIds) await updateGoal(tx, goalId, { isUnplanned: true, updatedAt: now });
    const { actor, via } = caller;
    const detail = { goals: goalIds, budgetMicroUsd };
    await appendTimeline(tx, { event: "session.joined", sessionId, actor, via, at: now, detail });
    const questions = await takeGoals(tx, deps, sessionId, goalIds, baseCommit);
    return { type: "opened", session: { sessionId, repository: repository.name, goals: goals.length, questions } };
  });
}
