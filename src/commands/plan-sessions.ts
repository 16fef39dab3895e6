import { waitsForWords } from "../core/cards/ground-words.ts";
import { pausedByWords, resumeCommand } from "../core/cards/paused-words.ts";
import { statusWords } from "../core/cards/status-words.ts";
import type { Goal } from "../core/goals/goal.ts";
import { takeable, unmetOf } from "../core/goals/ground.ts";
import { pendingCheckpoint } from "../db/checkpoints.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { getGoal, sessionGoals } from "../db/goals.ts";
import { parkedGoals, waitingGoalsOf } from "../db/waiting-goals.ts";
import { groundsOf } from "../db/grounds.ts";
import { findRepository, listRepositories, type Repository } from "../db/repositories.ts";
import { findOpenSession, getSession, listOpenSessions, type Session } from "../db/sessions.ts";
import type { Deps } from "../deps.ts";
import { refused, type RefusedCall, unknownId } from "./command.ts";
import { whereWorkersRun } from "./find-workers.ts";
import { noRepository } from "./not-known.ts";

/** The goals of one repository that a session would take, in order. */
export interface SessionPlan {
  readonly repository: Repository;
  readonly goals: readonly Goal[];
}

interface OpenSession {
  readonly session: Session;
  readonly repositoryName: string;
}

type Plans =
  | {
      readonly type: "planned";
      readonly plans: readonly SessionPlan[];
      readonly parked: readonly string[];
      /** True when any worker runs. */
      readonly hasWorker: boolean;
    }
  /** No goal is left to take: the open sessions have them all, or there is none. */
  | { readonly type: "nothing"; readonly open: readonly OpenSession[]; readonly parked: readonly string[] }
  | RefusedCall;

/**
 * Plans what a session would work: the named goals, else all pending ones, for each repository. A named goal may already be in an open
 * session.
 */
export async function planSessions(
  deps: Deps,
  { goal: wantedGoals, repo: wanted }: { readonly goal: readonly string[]; readonly repo?: string | undefined },
): Promise<Plans> {
  const { db } = deps.database;
  const ids = [...new Set(wantedGoals)];
  const [machines, repositories, parked, waiting] = await readTogether(db, (reads) =>
    Promise.all([
      whereWorkersRun(reads),
      wanted === undefined ? listRepositories(reads) : named(reads, wanted),
      parkedGoals(reads, wanted ?? null),
      ids.length > 0 ? [] : waitingGoalsOf(reads, wanted ?? null),
    ]),
  );
  if (repositories.length === 0) {
    const isOther = wanted !== undefined && (await listRepositories(db)).length > 0;
    if (isOther) return await noRepository(deps, wanted);
    return refused("no repository is known yet", "cos repo add PATH");
  }

  const [only] = wanted === undefined ? [] : repositories;
  const chosen: Goal[] = [];
  for (const id of ids) {
    const goal = await getGoal(db, id);
    if (goal === null) return unknownId("Goal", id);
    if (!repositories.some((each) => each.repositoryId === goal.repositoryId))
      return refused(`${id} is no goal of ${only?.name ?? "a known repository"}`, `cos goal show ${id}`);
    const problem = await whyNotTaken(db, goal);
    if (problem !== null) return problem;
    chosen.push(goal);
  }

  const plans: SessionPlan[] = [];
  const held: Goal[] = [];
  for (const repository of repositories) {
    const { repositoryId } = repository;
    if (ids.length > 0) {
      const goals = chosen.filter((goal) => goal.repositoryId === repositoryId);
      const taken = await takeableNow(db, repositoryId, goals);
      const left = goals.find((goal) => !taken.includes(goal));
      if (left !== undefined) return await whyNotYet(db, left, ids);
      if (goals.length > 0) plans.push({ repository, goals });
      continue;
    }
    const here = waiting.filter((goal) => goal.repositoryId === repositoryId);
    const goals = await takeableNow(db, repositoryId, here);
    held.push(...here.filter((goal) => !goals.includes(goal)));
    if (goals.length > 0) plans.push({ repository, goals });
  }
  if (plans.length > 0) return { type: "planned", plans, parked, hasWorker: machines.length > 0 };
  const [first] = held;
  if (first !== undefined) return await whyNotYet(db, first, []);
  const open = (await listOpenSessions(db)).flatMap((session) => {
    const at = repositories.find((each) => each.repositoryId === session.repositoryId);
    return at === undefined ? [] : [{ session, repositoryName: at.name }];
  });
  return { type: "nothing", open, parked };
}

async function named(db: Db, wanted: string): Promise<readonly Repository[]> {
  const repository = await findRepository(db, wanted);
  return repository === null ? [] : [repository];
}

/** Refuses to start when there is nothing to begin, and says what can be done instead. */
export function nothingToTake({ open, parked }: Extract<Plans, { type: "nothing" }>): RefusedCall {
  const [first] = open;
  const [left] = parked;
  if (first === undefined && left !== undefined)
    return refused(
      `no goal is pending; ${parked.join(", ")} ${parked.length === 1 ? "is" : "are"} parked`,
      `cos goal resume ${left}`,
    );
  if (first === undefined) return refused("no goal is pending", "cos goal add TEXT");
  const ids = open.map(({ session }) => session.sessionId).join(", ");
  const { session, repositoryName } = first;
  const paused = open.length === 1 && session.status === "paused";
  return refused(
    `${ids} ${open.length === 1 ? "is" : "are"} open already${paused ? ` and paused ${pausedByWords(session.pausedBy)}` : ""}, and no other goal is pending`,
    paused ? `cos ${resumeCommand({ ...session, repositoryName })}` : "cos autopilot status",
  );
}

/**
 * Returns the goals of a repository that a session can work: the goals that they build on are among them, in the open session, or
 * complete.
 */
export async function takeableNow(db: Db, repositoryId: string, goals: readonly Goal[]): Promise<Goal[]> {
  const grounds = await groundsOf(
    db,
    goals.flatMap((goal) => goal.after),
  );
  if (grounds.size === 0) return [...goals];
  const open = await findOpenSession(db, repositoryId);
  const present = open === null ? [] : await sessionGoals(db, open.sessionId);
  const waiting = goals.map((goal) => ({ goalId: goal.goalId, unmet: unmetOf(goal.after, grounds), goal }));
  return takeable(waiting, new Set(present.map((goal) => goal.goalId))).map((each) => each.goal);
}

/**
 * Refuses a goal that must wait for the goals that it builds on, with the command that starts those. `named`: the other goals that were
 * named.
 */
async function whyNotYet(db: Db, { goalId, after }: Goal, named: readonly string[]): Promise<RefusedCall> {
  const grounds = await groundsOf(db, after);
  const unmet = unmetOf(after, grounds).flatMap((id) => grounds.get(id) ?? []);
  const reason = `${goalId} waits for ${waitsForWords(unmet)}, which is not in the same session`;
  const [first] = unmet;
  const ids = [...unmet.map((ground) => ground.goalId), ...named];
  const isFree = named.length > 0 && unmet.every((ground) => ground.status === "pending");
  return isFree
    ? refused(reason, `cos autopilot start${ids.map((id) => ` --goal ${id}`).join("")}`)
    : refused(reason, `cos why ${first?.goalId ?? goalId}`);
}

/** Returns why no session takes a named goal; null when one does, or already has it. */
async function whyNotTaken(db: Db, goal: Goal): Promise<RefusedCall | null> {
  const { goalId, status, leasedBy, sessionId } = goal;
  if (status === "pending") return null;
  const session = sessionId === null ? null : await getSession(db, sessionId);
  const isOpen = session !== null && session.status !== "ended";
  // It was begun and resumed while no session was open, so it waits for the next one.
  if (status === "in_progress" && (isOpen || leasedBy === null)) return null;
  if (status === "in_progress") return refused(`${goalId} is worked already`, `cos goal show ${goalId}`);
  const question = status === "blocked" ? await pendingCheckpoint(db, goalId) : null;
  if (question !== null) return refused(`${goalId} waits for an answer`, `cos details ${question.checkpointId}`);
  const is = status === "blocked" ? "parked" : statusWords(status);
  return refused(`${goalId} is ${is}, not pending`, `cos goal resume ${goalId}`);
}
