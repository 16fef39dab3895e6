import type { GoalCardFacts } from "../../core/cards/goal-facts.ts";
import { notJoinedWords } from "../../core/cards/session-words.ts";
import { ofGoal } from "../../core/events/write.ts";
import { checksSeen, isAwaited, nextForChecks, type ChecksSeen } from "../../core/forges/checks.ts";
import type { Asked, Forge, PullRequest } from "../../core/forges/forge.ts";
import { checksFeedback, heardNow, remarkLine } from "../../core/forges/remarks.ts";
import { mark } from "../../db/connection/marks.ts";
import { lockGoal } from "../../db/goals.ts";
import { heardKeys, keepRemarks, waitingRemarks } from "../../db/pull-remarks.ts";
import { type Pull, updatePull } from "../../db/pulls.ts";
import { lockRepository, type Repository } from "../../db/repositories.ts";
import { getRun } from "../../db/runs.ts";
import { findOpenSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { lastMerge } from "../../db/merges.ts";
import { workAgain } from "../goal/again.ts";
import { lockSessionsOf } from "../shared/sessions.ts";
import type { Asking } from "../shared/park.ts";

type Hearing = Pick<Deps, "database" | "log"> & Asking;

/** What a look has found open. */
export interface Open {
  readonly goalId: string;
  readonly repository: Repository;
  readonly row: Pull;
  readonly facts: GoalCardFacts;
  readonly there: PullRequest;
}

const nothing: Asked<null> = { type: "ok", value: null };

/**
 * Hears what people said about an open pull request, and how its checks stand. What people say waits for somebody who may decide;
 * failed checks go back to the agent. Safe to repeat: everything is heard once.
 */
export async function hear(deps: Hearing, forge: Forge, open: Open): Promise<Asked<null>> {
  const listened = await listen(deps, forge, open);
  if (listened.type === "failed") return listened;
  return await lookAtChecks(deps, forge, open);
}

async function listen(deps: Hearing, forge: Forge, { goalId, row, there }: Open): Promise<Asked<null>> {
  const now = deps.now();
  const { db } = deps.database;
  const isOld = row.heardAt === null || now.getTime() - row.heardAt.getTime() >= deps.policy.pulls.listenEveryMs;
  if (!isOld && there.changedAt !== null && there.changedAt === row.heard) return nothing;
  const found = await forge.remarks(there);
  if (found.type === "failed") return found;
  const isAnything = heardNow(found.value, await heardKeys(db, goalId), null).length > 0;
  const own = isAnything ? await forge.login() : ({ type: "ok", value: null } as const);
  if (own.type === "failed") return own;
  await deps.database.transaction(async (tx) => {
    await lockGoal(tx, goalId);
    const news = heardNow(found.value, await heardKeys(tx, goalId), own.value);
    await updatePull(tx, goalId, { heard: there.changedAt, heardAt: now });
    const last = news.at(-1);
    if (last === undefined) return;
    await keepRemarks(tx, goalId, news, now);
    const waiting = await waitingRemarks(tx, goalId);
    const lastRemark = remarkLine(last);
    await updatePull(tx, goalId, { remarksWaiting: waiting.length, lastRemark });
    const detail = { count: news.length, last: lastRemark };
    await appendTimeline(tx, { event: "goal.pull-remarks", goalId, at: now, detail });
    mark(tx, "goal", goalId);
  });
  return nothing;
}

async function lookAtChecks(deps: Hearing, forge: Forge, open: Open): Promise<Asked<null>> {
  const { goalId, row, there } = open;
  const now = deps.now();
  const isNew = row.checks?.commit !== there.headCommit;
  if (!isNew && row.checksDueAt !== null && row.checksDueAt > now) return nothing;
  const found = await forge.checks(there.headCommit);
  if (found.type === "failed") return found;
  const since = isNew || row.checks === null ? now.toISOString() : row.checks.since;
  const seen = checksSeen(there.headCommit, since, found.value);
  const { lookEveryMs, checksEveryMs } = deps.policy.pulls;
  const isSettled = (await settleChecks(deps, open, seen)) && !isAwaited(seen, now, deps.policy.pulls);
  const dueAt = new Date(now.getTime() + (isSettled ? checksEveryMs : lookEveryMs));
  await deps.database.transaction(async (tx) => {
    await updatePull(tx, goalId, { checks: seen, checksDueAt: dueAt });
    if (isNew ? seen.state === "none" || seen.state === "pending" : row.checks?.state === seen.state) return;
    const names = seen.failed.map(({ name }) => name).slice(0, 5);
    const detail = { state: seen.state, commit: seen.commit, failed: names };
    await appendTimeline(tx, { event: "goal.pull-checks", goalId, at: now, detail });
    mark(tx, "goal", goalId);
  });
  return nothing;
}

/** Failed checks go back to the agent; false: they shall, and cannot now. */
async function settleChecks(deps: Hearing, open: Open, seen: ChecksSeen): Promise<boolean> {
  const { goalId, repository, row, facts } = open;
  const hasAgent = facts.goal.runCommand === null && (repository.agent ?? deps.config.agent) !== null;
  const { checksGiven: given, checkRounds: rounds } = row;
  const decided = { seen, headCommit: facts.commit, given, rounds, hasAgent };
  if (nextForChecks(decided, deps.policy.pulls.checkRounds) === "rest") return true;
  return await deps.database.transaction(async (tx) => {
    await lockRepository(tx, repository.repositoryId);
    const session = await lockSessionsOf(tx, facts.goal);
    const held = session ?? (await findOpenSession(tx, repository.repositoryId));
    if (held !== null && notJoinedWords(held, null) !== null) return false;
    const goal = await lockGoal(tx, goalId);
    const run = goal?.runId == null ? null : await getRun(tx, goal.runId);
    if (goal?.status !== "complete" || run?.headCommit !== seen.commit) return true;
    const merge = await lastMerge(tx, goalId);
    if (merge?.status === "due" || merge?.status === "merging") return false;
    const named = seen.failed.map(({ name }) => name).slice(0, 3);
    const outcome = `Worked again: continuous integration failed (${named.join(", ")}).`;
    const feedback = checksFeedback(seen.commit, seen.failed);
    const by = { actor: "the bot", via: "pull request" };
    const runId = await workAgain(tx, deps, { goal, run, open: session, phase: "implement", feedback, outcome, by });
    await updatePull(tx, goalId, { checksGiven: seen.commit, checkRounds: rounds + 1 });
    const about = ofGoal({ ...goal, runId }, deps.now());
    await appendTimeline(tx, {
      event: "goal.reworked",
      ...about,
      detail: { why: "checks", count: seen.failed.length },
    });
    return true;
  });
}
