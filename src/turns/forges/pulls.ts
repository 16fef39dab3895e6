import type { GoalCardFacts } from "../../core/cards/goal-facts.ts";
import { revokedTokenCard } from "../../core/cards/pull-words.ts";
import {
  type Asked,
  type Forge,
  type ForgePlace,
  ourLabel,
  type PullRequest,
  pullUrl,
} from "../../core/forges/forge.ts";
import { mergerThere } from "../../core/forges/merging.ts";
import { pullText } from "../../core/forges/pull-text.ts";
import { isOfSite, nextForPull, type PullFacts, retryAfterMs } from "../../core/forges/steps.ts";
import { type ForgeTrouble, forgeTroubleSentence } from "../../core/forges/trouble.ts";
import type { Db } from "../../db/connection/client.ts";
import { mark, markNotice } from "../../db/connection/marks.ts";
import { lockGoal } from "../../db/goals.ts";
import { insertMerge, lastMerge, moveMerge } from "../../db/merges.ts";
import { getRun } from "../../db/runs.ts";
import { markBuilders } from "../shared/builders.ts";
import {
  duePulls,
  getPull,
  goalsWithoutPull,
  heldUntil,
  isLoginToldOf,
  openPulls,
  type Pull,
  updatePull,
  wantPull,
} from "../../db/pulls.ts";
import { listRepositories, type Repository } from "../../db/repositories.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { type Deps, sha256 } from "../../deps.ts";
import { forgeOf } from "../../facts/forge.ts";
import { hear } from "./hear.ts";
import { askWhenLate } from "./required.ts";

type Pulling = Pick<Deps, "database" | "config" | "policy" | "log" | "now" | "newId" | "openForge">;

/** The facts of a goal's card: whoever draws gathers them. */
export type GatherGoal = (goalId: string) => Promise<GoalCardFacts | null>;

/**
 * Brings the pull requests of finished branches to where they should be: opened, written anew after later rounds, made ready
 * when the work is verified, closed when it was discarded; and reads back what became of them there. A row says what is
 * wanted before anything is asked; cut short anywhere, the next look finds what is there and goes on. `signal`: another
 * process may be at it by now.
 */
export async function settlePulls(deps: Pulling, gather: GatherGoal, signal: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const places = new Map<string, { readonly repository: Repository; readonly place: ForgePlace }>();
  for (const repository of await listRepositories(db)) {
    const place = forgeOf(deps.config, repository);
    if (place !== null) places.set(repository.repositoryId, { repository, place });
  }
  if (places.size === 0) return;
  await wantNew(deps, places);
  const hosts = [...new Set([...places.values()].map(({ place }) => place.host))];
  // Side by side: a forge that is slow keeps no other one waiting.
  const looked = await Promise.allSettled(hosts.map((host) => lookAtForge(deps, { host, places, gather, signal })));
  for (const each of looked) if (each.status === "rejected") throw each.reason;
}

interface LookingAtForge {
  readonly host: string;
  readonly places: ReadonlyMap<string, { readonly repository: Repository; readonly place: ForgePlace }>;
  readonly gather: GatherGoal;
  readonly signal: AbortSignal;
}

/** All that is due at one forge, one after the other and for so long at most: the oldest first, the rest at the next look. */
async function lookAtForge(deps: Pulling, { host, places, gather, signal }: LookingAtForge): Promise<void> {
  const { db } = deps.database;
  const startedMs = performance.now();
  let looked = 0;
  for (const { goalId, repositoryId, seen } of await duePulls(db, [host], deps.now())) {
    const at = places.get(repositoryId);
    if (at === undefined) continue;
    const isLong = looked > 0 && performance.now() - startedMs > deps.policy.pulls.lookForMs;
    if (signal.aborted || isLong) return;
    // What one look was told by a forge holds for all of them.
    if ((await heldUntil(db, host, deps.now())) !== null) return;
    await lookAtPull(deps, { ...at, goalId, seen, gather });
    looked += 1;
  }
}

async function wantNew(deps: Pulling, places: ReadonlyMap<string, { readonly place: ForgePlace }>): Promise<void> {
  for (const { goalId, repositoryId } of await goalsWithoutPull(deps.database.db, [...places.keys()])) {
    const place = places.get(repositoryId)?.place;
    if (place === undefined) continue;
    const { host, path, site } = place;
    await deps.database.transaction(async (tx) => {
      await wantPull(tx, { goalId, provider: site.provider, host, path, now: deps.now() });
      mark(tx, "goal", goalId);
    });
  }
}

interface Looking {
  readonly repository: Repository;
  readonly place: ForgePlace;
  readonly goalId: string;
  readonly seen: string;
  readonly gather: GatherGoal;
}

async function lookAtPull(deps: Pulling, looking: Looking): Promise<void> {
  const { goalId } = looking;
  const [row, facts] = [await getPull(deps.database.db, goalId), await looking.gather(goalId)];
  if (row === null || facts === null) return;
  const looked = await perform(deps, looking, row, facts);
  const finished = { goalId, repository: looking.repository, row, facts };
  if (looked.type === "failed") {
    await keepTrouble(deps, looking, row, looked.trouble);
    await askWhenLate(deps, finished);
    return;
  }
  await keepLook(deps, looking, row, looked.value);
  const { there, over } = looked.value;
  if (there === null || over !== null || branchIn(facts) !== "open") return;
  const heard = await hear(deps, deps.openForge(looking.place), { ...finished, there });
  if (heard.type === "ok") return;
  await keepTrouble(deps, looking, row, heard.trouble);
  await askWhenLate(deps, finished);
}

/** What the forge shows after a look; `written` null: nothing was written. */
interface Looked {
  /** Null: there is none, and none is wanted now. */
  readonly there: PullRequest | null;
  /** It is over, there or here; null: it goes on. */
  readonly over: "merged" | "closed" | null;
  readonly written: { readonly hash: string; readonly isDraft: boolean } | null;
}

/** Reads what is there, decides, and does it. Every step may be repeated. */
async function perform(deps: Pulling, looking: Looking, row: Pull, facts: GoalCardFacts): Promise<Asked<Looked>> {
  const { place, repository, goalId } = looking;
  const { goal } = facts;
  const branch = goal.branch ?? "";
  const forge = deps.openForge(place);
  const read = row.number === null ? await forge.find(branch, repository.baseBranch) : await forge.read(row.number);
  if (read.type === "failed") return read;
  const text = pullText(facts, deps.config.consoleUrl);
  const written = { hash: sha256(JSON.stringify(text)), isDraft: text.isDraft };
  const there = read.value;
  const isKnown = row.number !== null;
  const step = nextForPull({ branch: branchIn(facts), there, isWritten: row.written === written.hash, isKnown });
  switch (step.type) {
    case "rest":
      return ok({ there, over: null, written: null });
    case "end":
      return ok({ there, over: step.state, written: null });
    case "open": {
      const opened = await forge.open({ ...text, branch, into: repository.baseBranch });
      if (opened.type === "failed") return opened;
      if (!opened.value.labels.includes(ourLabel)) await putLabel(deps, forge, goalId, opened.value.number);
      return ok({ there: opened.value, over: null, written });
    }
    case "change": {
      if (there === null) throw new Error(`the pull request of ${goalId} is changed and not there`);
      if (step.label) await putLabel(deps, forge, goalId, there.number);
      if (!step.write) return ok({ there, over: null, written: null });
      const changed = await forge.write(there, text);
      return changed.type === "failed" ? changed : ok({ there: changed.value, over: null, written });
    }
    case "close": {
      if (there === null) throw new Error(`the pull request of ${goalId} is closed and not there`);
      const closed = await forge.close(there.number);
      return closed.type === "failed" ? closed : ok({ there, over: "closed", written: null });
    }
  }
}

function ok(value: Looked): Asked<Looked> {
  return { type: "ok", value };
}

/** A label is for finding it: without one it is as good. */
async function putLabel(deps: Pulling, forge: Forge, goalId: string, number: number): Promise<void> {
  const put = await forge.label(number);
  if (put.type === "failed") deps.log.warn("pull.not-labelled", { goalId, reason: put.trouble.reason });
}

function branchIn({ goal, merge }: GoalCardFacts): PullFacts["branch"] {
  if (goal.status !== "complete") return "worked";
  if (merge?.status === "merged" || merge?.status === "discarded") return merge.status;
  return "open";
}

/** Writes down what a look found. Safe twice. */
async function keepLook(deps: Pulling, looking: Looking, row: Pull, looked: Looked): Promise<void> {
  const { goalId, place, seen } = looking;
  const { there, over, written } = looked;
  const now = deps.now();
  const number = there?.number ?? row.number;
  const url = number === null ? null : pullUrl(place, number);
  const state = over ?? (number === null ? "wanted" : "open");
  const isDraft = written?.isDraft ?? row.isDraft;
  await deps.database.transaction(async (tx) => {
    if (over === "merged") await lockGoal(tx, goalId);
    const changes = { number, url, state, isDraft, written: written?.hash ?? row.written } as const;
    const endedBy = there?.endedBy ?? row.endedBy;
    const { lookEveryMs, lookEachMs } = deps.policy.pulls;
    // Together they ask a forge no more often, however many are open.
    const everyMs = Math.max(lookEveryMs, lookEachMs * (await openPulls(tx, place.host)));
    const dueAt = new Date(now.getTime() + everyMs);
    await updatePull(tx, goalId, { ...changes, endedBy, seen, dueAt, failures: 0, troubleKind: null, trouble: null });
    const did = whatWasDone(row, { state, isDraft, isNew: row.number === null && number !== null });
    if (did !== null && number !== null && url !== null) {
      const by = did === "merged" || did === "closed" ? endedBy : null;
      await appendTimeline(tx, { event: "goal.pull-request", goalId, at: now, detail: { did, number, url, by } });
    }
    if (did !== null || row.trouble !== null) mark(tx, "goal", goalId);
    if (over === "merged" && there !== null) await keepMergedThere(tx, deps, looking, there);
  });
  if (written !== null) deps.log.info("pull.written", { goalId, number, isDraft });
}

/**
 * Somebody merged it there: the goal's branch is merged, as if it had been asked for here. One that was asked for here and waits
 * for its time is done by this; what is merged in this moment finds it out itself. The caller has read it there.
 */
async function keepMergedThere(tx: Db, deps: Pulling, { goalId, place, repository }: Looking, there: PullRequest) {
  const goal = await lockGoal(tx, goalId);
  const run = goal?.runId == null ? null : await getRun(tx, goal.runId);
  const last = await lastMerge(tx, goalId);
  const isSettled = last?.status === "merging" || last?.status === "merged" || last?.status === "discarded";
  if (goal?.status !== "complete" || run?.headCommit == null || (isSettled && last.headCommit === run.headCommit))
    return;
  const now = deps.now();
  const by = mergerThere(there.endedBy, place.site.provider);
  const outcome = `Merged there by ${by}`;
  const settled = { status: "merged", settledAt: now, resultCommit: there.mergedAs, outcome } as const;
  if (last?.status === "due") await moveMerge(tx, last.mergeId, "due", settled);
  else {
    const { headCommit } = run;
    const asked = { into: repository.baseBranch, headCommit, requestedBy: by, requestedAt: now, dueAt: now };
    await insertMerge(tx, { goalId, ...asked, ...settled });
  }
  const detail = { into: repository.baseBranch, commit: there.mergedAs, outcome };
  await appendTimeline(tx, { event: "goal.merged", goalId, at: now, detail });
  await markBuilders(tx, goalId);
}

function whatWasDone(
  row: Pull,
  now: { readonly state: Pull["state"]; readonly isDraft: boolean; readonly isNew: boolean },
): "opened" | "ready" | "draft" | "merged" | "closed" | null {
  if (now.state === "merged" || now.state === "closed") return now.state;
  if (now.isNew) return "opened";
  if (now.isDraft === row.isDraft) return null;
  return now.isDraft ? "draft" : "ready";
}

/** A look that failed is repeated, later each time; a token that is not taken any more is said once. */
async function keepTrouble(deps: Pulling, looking: Looking, row: Pull, trouble: ForgeTrouble): Promise<void> {
  const { goalId, place, seen } = looking;
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
    // What passes by itself is said when it has not passed for a while.
    const isShown = !isOfSite(trouble.kind) || trouble.kind === "login" || failures > 3;
    if (isShown && row.trouble !== words) mark(tx, "goal", goalId);
  });
}
