import { checksSeen, isAwaited, nextForChecks, type ChecksSeen } from "../../core/forges/checks.ts";
import { type ForgeAnswer, type Forge, providerTitles } from "../../core/forges/forge.ts";
import { heardNow, remarkLine } from "../../core/forges/remarks.ts";
import { requiredSeen } from "../../core/forges/required.ts";
import { mark } from "../../db/connection/marks.ts";
import { lockGoal } from "../../db/goals.ts";
import { heardBefore, keepRemarks, waitingRemarks } from "../../db/pull-remarks.ts";
import { getPull, updatePull } from "../../db/pulls.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { giveBack, hasAgent, type GiveBackDeps, type OpenPull } from "./give-back.ts";
import { isHeldToForge, keptAsks, applyRequiredChecks } from "./required.ts";

const nothing: ForgeAnswer<null> = { type: "ok", value: null };

/**
 * Reads from the forge what people said about an open pull request, and the state of its checks. Remarks wait for a person who may
 * decide about them; failed checks go back to the agent. It may be repeated: each remark is stored once.
 */
export async function hear(deps: GiveBackDeps, forge: Forge, open: OpenPull): Promise<ForgeAnswer<null>> {
  const listened = await listen(deps, forge, open);
  if (listened.type === "failed") return listened;
  return await lookAtChecks(deps, forge, open);
}

async function listen(deps: GiveBackDeps, forge: Forge, { goalId, row, there }: OpenPull): Promise<ForgeAnswer<null>> {
  const now = deps.now();
  const { db } = deps.database;
  const isOld = row.heardAt === null || now.getTime() - row.heardAt.getTime() >= deps.policy.pulls.listenEveryMs;
  if (!isOld && there.changedAt !== null && there.changedAt === row.heard) return nothing;
  const found = await forge.remarks(there);
  if (found.type === "failed") return found;
  const isAnything = heardNow(found.value, await heardBefore(db, goalId), null).length > 0;
  const own = isAnything ? await forge.login() : ({ type: "ok", value: null } as const);
  if (own.type === "failed") return own;
  await deps.database.transaction(async (tx) => {
    await lockGoal(tx, goalId);
    const news = heardNow(found.value, await heardBefore(tx, goalId), own.value);
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

async function lookAtChecks(deps: GiveBackDeps, forge: Forge, open: OpenPull): Promise<ForgeAnswer<null>> {
  const { goalId, row, there, facts, repository } = open;
  const now = deps.now();
  const isNew = row.checks?.commit !== there.headCommit;
  if (!isNew && row.checksDueAt !== null && row.checksDueAt > now) return nothing;
  const found = await forge.checks(there.headCommit);
  if (found.type === "failed") return found;
  const since = isNew || row.checks === null ? now.toISOString() : row.checks.since;
  const all = checksSeen(there.headCommit, since, found.value);
  let seen = all;
  if (isHeldToForge(facts)) {
    const wanted = await forge.required(repository.baseBranch, there.headCommit);
    if (wanted.type === "failed") return wanted;
    seen = { ...all, required: requiredSeen(found.value, wanted.value) };
  }
  const { lookEveryMs, checksEveryMs } = deps.policy.pulls;
  const settled =
    seen.required === undefined
      ? await settleChecks(deps, open, seen)
      : await applyRequiredChecks(deps, open, { seen, title: providerTitles[row.provider] });
  const isSettled = settled && !isAwaited(seen, now, deps.policy.pulls);
  const dueAt = new Date(now.getTime() + (isSettled ? checksEveryMs : lookEveryMs));
  await deps.database.transaction(async (tx) => {
    // The row may have changed since it was read: a question that was asked meanwhile is kept.
    const known = (await getPull(tx, goalId))?.checks ?? null;
    await updatePull(tx, goalId, { checks: keptAsks(seen, known), checksDueAt: dueAt });
    if (isNew ? seen.state === "none" || seen.state === "pending" : row.checks?.state === seen.state) return;
    const names = seen.failed.map(({ name }) => name).slice(0, 5);
    const detail = { state: seen.state, commit: seen.commit, failed: names };
    await appendTimeline(tx, { event: "goal.pull-checks", goalId, at: now, detail });
    mark(tx, "goal", goalId);
  });
  return nothing;
}

/**
 * Sends failed checks back to the agent.
 *
 * @returns false if this must be tried again later
 */
async function settleChecks(deps: GiveBackDeps, open: OpenPull, seen: ChecksSeen): Promise<boolean> {
  const { row, facts } = open;
  const { checksGiven: given, checkRounds: rounds } = row;
  const decided = { seen, headCommit: facts.commit, given, rounds, hasAgent: hasAgent(deps, open) };
  if (nextForChecks(decided, deps.policy.pulls.checkRounds) === "rest") return true;
  return await giveBack(deps, open, { commit: seen.commit, failed: seen.failed });
}
