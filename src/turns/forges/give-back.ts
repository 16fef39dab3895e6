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

/** A goal whose pull request is open, or shall be. */
export interface GoalWithPull {
  readonly goalId: string;
  readonly repository: Repository;
  readonly row: Pull;
  readonly facts: GoalCardFacts;
}

/** What a look has found open. */
export interface OpenPull extends GoalWithPull {
  readonly there: PullRequest;
}

/** Who does the goal's work can be told what is wrong with it: an agent, not a fixed command. */
export function hasAgent({ config }: Pick<Deps, "config">, { facts, repository }: GoalWithPull): boolean {
  return facts.goal.runCommand === null && (repository.agent ?? config.agent) !== null;
}

const by = { actor: "the bot", via: "pull request" };

/** Checks that failed there go back to the agent; false: they shall, and cannot now. */
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

/** The goal is verified anew, so that a person is asked about what the forge says of it; false: it shall, and cannot now. */
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

/** A complete goal at the commit that was looked at, every row of it locked. */
interface Locked {
  readonly goal: Goal;
  readonly run: Run;
  readonly open: Session | null;
}

/** Does it if the goal is still complete with this commit; false: its session or a merge is in the way now. */
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
