import type { GoalCardFacts } from "../../core/cards/goal-facts.ts";
import { isJoined } from "../../core/cards/session-words.ts";
import { ofGoal } from "../../core/events/write.ts";
import type { PullRequest } from "../../core/forges/forge.ts";
import { checksFeedback, type FailedCheck } from "../../core/forges/remarks.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { lockGoal } from "../../db/goals.ts";
import { lastMerge } from "../../db/merges.ts";
import { type Pull, updatePull } from "../../db/pulls.ts";
import { lockRepository, type Repository } from "../../db/repositories.ts";
import { getRun, type Run } from "../../db/runs.ts";
import { findOpenSession, type Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { workAgain } from "../goal/again.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { keepPeoplesWords } from "../shared/peoples-words.ts";
import { lockSessionsOf } from "../shared/sessions.ts";

export type GiveBackDeps = Pick<Deps, "database" | "log"> & AskDeps;

/** A goal whose pull request is open or is to be opened. */
export interface GoalWithPull {
  readonly goalId: string;
  readonly repository: Repository;
  readonly row: Pull;
  readonly facts: GoalCardFacts;
}

/** A goal whose pull request was found open at the forge. */
export interface OpenPull extends GoalWithPull {
  readonly there: PullRequest;
}

/** Whether an agent does the goal's work. An agent can be told what is wrong with the work, a fixed command cannot. */
export function hasAgent({ config }: Pick<Deps, "config">, { facts, repository }: GoalWithPull): boolean {
  return facts.goal.runCommand === null && (repository.agent ?? config.agent) !== null;
}

const by = { actor: "the bot", via: "pull request" };

/**
 * Sends the goal back to the agent with the checks that failed at the forge.
 *
 * @returns false if this must be tried again later, because a session or a merge is in the way
 */
export async function giveBack(
  deps: GiveBackDeps,
  finished: GoalWithPull,
  { commit, failed }: { readonly commit: string; readonly failed: readonly FailedCheck[] },
): Promise<boolean> {
  return await asFinished(deps, finished, commit, async (tx, { goal, run, open }) => {
    const named = failed.map(({ name }) => name).slice(0, 3);
    const outcome = `Worked again: continuous integration failed (${named.join(", ")}).`;
    const feedback = checksFeedback(commit, failed);
    const runId = await workAgain(tx, deps, { goal, run, open, phase: "implement", feedback, outcome, by });
    const { goalId, row } = finished;
    await updatePull(tx, goalId, { checksGiven: commit, checkRounds: row.checkRounds + 1 });
    const about = ofGoal({ ...goal, runId }, deps.now());
    await appendTimeline(tx, { event: "goal.reworked", ...about, detail: { why: "checks", count: failed.length } });
  });
}

/**
 * Verifies the goal again, so that a person is asked about the forge's answer.
 *
 * @returns false if this must be tried again later, because a session or a merge is in the way
 */
export async function verifyAgain(
  deps: GiveBackDeps,
  finished: GoalWithPull,
  asked: { readonly commit: string; readonly checks: NonNullable<Pull["checks"]> },
): Promise<boolean> {
  const { commit, checks } = asked;
  return await asFinished(deps, finished, commit, async (tx, { goal, run, open }) => {
    const outcome = `A person is asked: ${checks.required?.asks ?? ""}.`;
    const runId = await workAgain(tx, deps, { goal, run, open, phase: "verify", feedback: null, outcome, by });
    await keepPeoplesWords(tx, goal, { runId, commit });
    await updatePull(tx, goal.goalId, { checks, checksGiven: commit });
  });
}

/** A complete goal at the commit that was looked at; all its rows are locked. */
interface Locked {
  readonly goal: Goal;
  readonly run: Run;
  readonly open: Session | null;
}

/**
 * Runs `act` if the goal is still complete with this commit. Does nothing if it is not.
 *
 * @returns false if a session or a merge is in the way, so that this must be tried again later
 */
async function asFinished(
  deps: GiveBackDeps,
  { repository, facts, goalId }: GoalWithPull,
  commit: string,
  act: (tx: Db, locked: Locked) => Promise<void>,
): Promise<boolean> {
  return await deps.database.transaction(async (tx) => {
    if (!(await lockRepository(tx, repository.repositoryId))) return true;
    const open = await lockSessionsOf(tx, facts.goal);
    const held = open ?? (await findOpenSession(tx, repository.repositoryId));
    if (held !== null && !isJoined(held)) return false;
    const goal = await lockGoal(tx, goalId);
    const run = goal?.runId == null ? null : await getRun(tx, goal.runId);
    if (goal?.status !== "complete" || run?.headCommit !== commit) return true;
    const merge = await lastMerge(tx, goalId);
    if (merge?.status === "due" || merge?.status === "merging") return false;
    await act(tx, { goal, run, open });
    return true;
  });
}
