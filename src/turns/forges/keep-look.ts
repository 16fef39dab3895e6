import { recordedCommits } from "../../facts/earlier-commits.ts";
import { revokedTokenCard } from "../../core/cards/pull-words.ts";
import { type PullRequest, pullUrl, type ForgePlace } from "../../core/forges/forge.ts";
import { mergedWork, mergerThere } from "../../core/forges/merging.ts";
import { isOfSite, retryAfterMs } from "../../core/forges/steps.ts";
import { type ForgeTrouble, forgeTroubleSentence } from "../../core/forges/trouble.ts";
import type { Db } from "../../db/connection/client.ts";
import { mark, markNotice } from "../../db/connection/marks.ts";
import { lockGoal } from "../../db/goals.ts";
import { insertMerge, lastMerge, moveMerge } from "../../db/merges.ts";
import { getRun } from "../../db/runs.ts";
import { markBuilders } from "../shared/builders.ts";
import { isLoginToldOf, openPulls, type Pull, updatePull } from "../../db/pulls.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import type { GoalCardFacts } from "../../core/cards/goal-facts.ts";

/** Stores what the forge showed. It may be repeated. */
export async function keepLook(deps: PullDeps, look: PullLook, row: Pull, looked: PullLookResult): Promise<void> {
  const { goalId, place, seen } = look;
  const { there, over, written } = looked;
  const now = deps.now();
  const number = there?.number ?? row.number;
  const url = number === null ? null : pullUrl(place, number);
  const state = over ?? (number === null ? "wanted" : "open");
  const isDraft = written?.isDraft ?? row.isDraft;
  await deps.database.transaction(async (tx) => {
    if (over === "merged") await lockGoal(tx, goalId);
    const changes = { number, url, state, isDraft, written: written?.hash ?? row.written } as const;
    const endedBy = there === null ? row.endedBy : there.endedBy;
    const endedAt = over === null ? null : (row.endedAt ?? now);
    const { lookEveryMs, lookEachMs, lookClosedEveryMs } = deps.policy.pulls;
    // The more pull requests are open at a forge, the less often each is looked at, so that the forge gets no more requests.
    const everyMs = Math.max(lookEveryMs, lookEachMs * (await openPulls(tx, place.host)));
    const dueAt = new Date(now.getTime() + (over === "closed" ? Math.max(lookClosedEveryMs, everyMs) : everyMs));
    const fine = { failures: 0, troubleKind: null, trouble: null };
    await updatePull(tx, goalId, { ...changes, endedBy, endedAt, seen, dueAt, ...fine });
    const did = whatWasDone(row, { state, isDraft, isNew: row.number === null && number !== null });
    if (did !== null && number !== null && url !== null) {
      const by = did === "merged" || did === "closed" ? endedBy : null;
      await appendTimeline(tx, { event: "goal.pull-request", goalId, at: now, detail: { did, number, url, by } });
    }
    if (did !== null || row.trouble !== null) mark(tx, "goal", goalId);
    if (over === "merged" && there !== null) await keepMergedThere(tx, deps, look, there);
  });
  if (written !== null) deps.log.info("pull.written", { goalId, number, isDraft });
}

/**
 * Somebody merged the pull request at the forge: the goal's branch counts as merged, as if the merge had been requested here. A merge
 * that was requested here and is not due yet is completed by this. A merge that is running at this moment notices it by itself.
 */
async function keepMergedThere(tx: Db, deps: PullDeps, { goalId, place }: PullLook, there: PullRequest) {
  const goal = await lockGoal(tx, goalId);
  const run = goal?.runId == null ? null : await getRun(tx, goal.runId);
  const recorded = await recordedCommits(tx, goalId);
  // If the goal is being worked again at this moment, its last recorded commit counts.
  const work = goal?.status === "complete" ? (run?.headCommit ?? null) : (recorded.at(-1) ?? null);
  if (work === null) return;
  const counted = mergedWork(there, { now: work, earlier: new Set(recorded) });
  await updatePull(tx, goalId, { mergedWork: counted });
  const last = await lastMerge(tx, goalId);
  const isSettled = last?.status === "merging" || last?.status === "merged" || last?.status === "discarded";
  if (goal?.status !== "complete" || counted !== run?.headCommit || (isSettled && last.headCommit === counted)) return;
  const now = deps.now();
  const by = mergerThere(there.endedBy, place.site.provider);
  const outcome = `Merged there by ${by}`;
  const { into, mergedAs: resultCommit } = there;
  const settled = { status: "merged", settledAt: now, resultCommit, outcome, into } as const;
  if (last?.status === "due") await moveMerge(tx, last.mergeId, "due", settled);
  else
    await insertMerge(tx, { goalId, headCommit: counted, requestedBy: by, requestedAt: now, dueAt: now, ...settled });
  const detail = { into, commit: there.mergedAs, outcome };
  await appendTimeline(tx, { event: "goal.merged", goalId, at: now, detail });
  await markBuilders(tx, goalId);
}

function whatWasDone(
  row: Pull,
  now: { readonly state: Pull["state"]; readonly isDraft: boolean; readonly isNew: boolean },
): "opened" | "ready" | "draft" | "merged" | "closed" | "reopened" | null {
  if (now.state === "merged" || now.state === "closed") return now.state === row.state ? null : now.state;
  if (now.isNew) return "opened";
  if (row.state === "closed") return "reopened";
  if (now.isDraft === row.isDraft) return null;
  return now.isDraft ? "draft" : "ready";
}

/** Stores that a look failed. It is repeated after a time that grows with each failure. A token that the forge refuses is reported once. */
export async function keepTrouble(deps: PullDeps, look: PullLook, row: Pull, trouble: ForgeTrouble): Promise<void> {
  const { goalId, place, seen } = look;
  const now = deps.now();
  const failures = row.failures + 1;
  const { firstRetryMs: firstMs, longestRetryMs: longestMs } = deps.policy.pulls;
  const dueAt = new Date(now.getTime() + retryAfterMs(failures, trouble.waitMs, { firstMs, longestMs }));
  const words = forgeTroubleSentence(trouble);
  deps.log.warn("pull.failed", { goalId, kind: trouble.kind, reason: trouble.reason, failures });
  await deps.database.transaction(async (tx) => {
    const isFirst =
      trouble.kind === "login" && row.troubleKind !== "login" && !(await isLoginToldOf(tx, place.host, goalId));
    await updatePull(tx, goalId, { seen, failures, dueAt, troubleKind: trouble.kind, trouble: words });
    if (isFirst) {
      const card = revokedTokenCard(trouble);
      markNotice(tx, `forge.${place.host}.${now.toISOString()}`, { card, threadSubject: null });
    }
    // Trouble of the site usually passes by itself, so it is shown only after several failures.
    const isShown = !isOfSite(trouble.kind) || trouble.kind === "login" || failures > 3;
    if (isShown && row.trouble !== words) mark(tx, "goal", goalId);
  });
}

export type PullDeps = Pick<Deps, "database" | "config" | "policy" | "log" | "now" | "newId" | "openForge">;

export interface PullLook {
  readonly repository: Repository;
  readonly place: ForgePlace;
  readonly goalId: string;
  readonly seen: string;
  readonly gather: GatherGoal;
}

/** What the forge showed, and what was written to it. */
export interface PullLookResult {
  /** Null if there is no pull request, and none is wanted now. */
  readonly there: PullRequest | null;
  /** How the pull request ended, at the forge or here; null while it is open. */
  readonly over: "merged" | "closed" | null;
  /** Hash of the text that was written; null if nothing was written. */
  readonly written: { readonly hash: string; readonly isDraft: boolean } | null;
}

/** Reads the facts of a goal's card; null if there is no such goal. The projection provides it. */
export type GatherGoal = (goalId: string) => Promise<GoalCardFacts | null>;
