import type { GoalCardFacts } from "../../core/cards/goal-facts.ts";
import { type ForgeAnswer, type Forge, type ForgePlace, ourLabel } from "../../core/forges/forge.ts";
import { pullText } from "../../core/forges/pull-text.ts";
import { nextForPull, type PullFacts } from "../../core/forges/steps.ts";
import { mark } from "../../db/connection/marks.ts";
import { duePulls, getPull, goalsWithoutPull, heldUntil, type Pull, wantPull } from "../../db/pulls.ts";
import { listRepositories, type Repository } from "../../db/repositories.ts";
import { sha256 } from "../../deps.ts";
import { forgeOf } from "../../facts/forge.ts";
import { hear } from "./hear.ts";
import { askWhenLate } from "./required.ts";
import {
  keepLook,
  keepTrouble,
  type PullDeps,
  type PullLook,
  type PullLookResult,
  type GatherGoal,
} from "./keep-look.ts";

/**
 * Brings the pull requests of finished branches to the wanted state: opens them, writes their text again after later rounds, marks
 * them as ready when the work is verified, and closes them when the work was discarded. It also reads what happened to them at the
 * forge. The wanted pull request is stored before the forge is asked, so the next look goes on after an interruption anywhere.
 *
 * @param signal aborted when another process may do this work
 */
export async function syncPulls(deps: PullDeps, gather: GatherGoal, signal: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const places = new Map<string, { readonly repository: Repository; readonly place: ForgePlace }>();
  for (const repository of await listRepositories(db)) {
    const place = forgeOf(deps.config, repository);
    if (place !== null) places.set(repository.repositoryId, { repository, place });
  }
  if (places.size === 0) return;
  await wantNew(deps, places);
  const hosts = [...new Set([...places.values()].map(({ place }) => place.host))];
  // In parallel, so that a slow forge delays no other one.
  const looked = await Promise.allSettled(hosts.map((host) => lookAtForge(deps, { host, places, gather, signal })));
  for (const each of looked) if (each.status === "rejected") throw each.reason;
}

interface LookingAtForge {
  readonly host: string;
  readonly places: ReadonlyMap<string, { readonly repository: Repository; readonly place: ForgePlace }>;
  readonly gather: GatherGoal;
  readonly signal: AbortSignal;
}

/** Looks at the pull requests that are due at one forge, one after the other, oldest first. After `lookForMs` the others wait for the next call. */
async function lookAtForge(deps: PullDeps, { host, places, gather, signal }: LookingAtForge): Promise<void> {
  const { db } = deps.database;
  const startedMs = performance.now();
  const now = deps.now();
  const closedSince = new Date(now.getTime() - deps.policy.pulls.lookClosedForMs);
  let looked = 0;
  for (const { goalId, repositoryId, seen } of await duePulls(db, [host], { now, closedSince })) {
    const at = places.get(repositoryId);
    if (at === undefined) continue;
    const isLong = looked > 0 && performance.now() - startedMs > deps.policy.pulls.lookForMs;
    if (signal.aborted || isLong) return;
    // A forge that told one look to wait is not asked by the others either.
    if ((await heldUntil(db, host, deps.now())) !== null) return;
    await lookAtPull(deps, { ...at, goalId, seen, gather });
    looked += 1;
  }
}

async function wantNew(deps: PullDeps, places: ReadonlyMap<string, { readonly place: ForgePlace }>): Promise<void> {
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

async function lookAtPull(deps: PullDeps, look: PullLook): Promise<void> {
  const { goalId } = look;
  const [row, facts] = [await getPull(deps.database.db, goalId), await look.gather(goalId)];
  if (row === null || facts === null) return;
  const looked = await perform(deps, look, row, facts);
  const finished = { goalId, repository: look.repository, row, facts };
  if (looked.type === "failed") {
    await keepTrouble(deps, look, row, looked.trouble);
    await askWhenLate(deps, finished);
    return;
  }
  await keepLook(deps, look, row, looked.value);
  const { there, over } = looked.value;
  // A closed pull request never gets the checks for which its goal waits.
  if (over === "closed") await askWhenLate(deps, finished);
  if (there === null || over !== null || branchIn(facts) !== "open") return;
  const heard = await hear(deps, deps.openForge(look.place), { ...finished, there });
  if (heard.type === "ok") return;
  await keepTrouble(deps, look, row, heard.trouble);
  await askWhenLate(deps, finished);
}

/** Reads the pull request, decides on the next step, and does it. Each step may be repeated. */
async function perform(
  deps: PullDeps,
  look: PullLook,
  row: Pull,
  facts: GoalCardFacts,
): Promise<ForgeAnswer<PullLookResult>> {
  const { place, repository, goalId } = look;
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

function ok(value: PullLookResult): ForgeAnswer<PullLookResult> {
  return { type: "ok", value };
}

/** Sets our label, by which people find the pull request. A failure is only logged, since nothing depends on the label. */
async function putLabel(deps: PullDeps, forge: Forge, goalId: string, number: number): Promise<void> {
  const put = await forge.label(number);
  if (put.type === "failed") deps.log.warn("pull.not-labelled", { goalId, reason: put.trouble.reason });
}

function branchIn({ goal, merge }: GoalCardFacts): PullFacts["branch"] {
  if (goal.status !== "complete") return "worked";
  if (merge?.status === "merged" || merge?.status === "discarded") return merge.status;
  return "open";
}
