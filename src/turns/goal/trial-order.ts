import type { Criterion } from "../../core/acceptance/spec.ts";
import { fileKinds } from "../../core/files/kind.ts";
import { failedTitles, failsAlike, testsBeside, wantedOfWork } from "../../core/trials/comes-again.ts";
import { isSeenBy, mayProve, type NearMiss } from "../../core/trials/judge.ts";
import { laterDays } from "../../core/trials/later.ts";
import type { Edit } from "../../core/trials/near-miss.ts";
import type { ChangedSource } from "../../core/trials/plan.ts";
import type { TestReport } from "../../core/trials/report.ts";
import { ownTestsBefore } from "../../core/trials/tried.ts";
import type { Deps } from "../../deps.ts";
import { scriptMakers } from "./deciding-scripts.ts";
import { howElsewhere, isSwitched, runNamed, runUnseen } from "./elsewhere.ts";
import { nearMissesOf } from "./near-misses.ts";
import { runUnsilenced } from "./silenced.ts";
import type { TrialOptions, RunTrial, TrialEnd, TrialTree } from "./trial.ts";
import type { Work } from "./on-trial.ts";

/** The results of the trials of one criterion. */
export interface TrialEnds {
  readonly work: TrialEnd;
  readonly withoutSource: TrialEnd;
  readonly base: TrialEnd | null;
  readonly withoutAdded: TrialEnd | null;
  readonly nearMisses: readonly NearMiss[];
  /** With the clock advanced. Null when the source does not newly read the date. */
  readonly later: { readonly result: TrialEnd["result"]; readonly days: number } | null;
  /** In another folder. Null when the source does not newly read its place. */
  readonly elsewhere: TrialEnd["result"] | null;
  /** Places where the work silences tools, if it fails without that. Empty when there are none. */
  readonly silenced: readonly string[];
}

/**
 * Runs the trials of a criterion, each as soon as the results it depends on are known. They add about half of their summed time to a round.
 */
export async function runTrials(deps: Deps, work: Work, criterion: Criterion, run: RunTrial): Promise<TrialEnds> {
  const { baseCommit, commit, proof } = work;
  const stripped = { commit: baseCommit, from: commit, laid: proof.laid, removed: proof.removed };
  const isProofChanged = proof.laid.length + proof.removed.length > 0;
  const first = Promise.all([runNamed(work, run), run(isProofChanged ? ownTestsBefore : "the base", stripped)]);
  const atBase = isProofChanged ? run("the base", { commit: baseCommit }) : Promise.resolve(null);

  async function missesOf(): Promise<readonly NearMiss[]> {
    const [asItIs, withoutSource] = await first;
    return await runNearMisses(deps, work, criterion, { asItIs, withoutSource, stripped, run });
  }
  async function secondOf(): Promise<TrialEnd> {
    const [[asItIs, once], base] = await Promise.all([first, atBase]);
    if (once.times > 1 || !mayProve({ work: asItIs, withoutSource: once, base, nature: work.nature })) return once;
    // The base lacks the work's source, too. What fails alike in both has failed twice.
    if (base !== null && failsAlike(once.report, base.report)) return { ...once, times: 2 };
    // A failure because something is missing that only the work has repeats every time.
    if (await failsForWant(deps, work, once.report)) return { ...once, times: 2 };
    return await runSecond(deps, work, { criterion, once, stripped, run });
  }
  async function addedOf(): Promise<TrialEnd | null> {
    return (await atBase)?.result === "pass" ? await runWithoutAdded(work, run) : null;
  }
  /** Null when the work is not the reason for another result there. */
  async function underOther({ words, how }: Otherwise): Promise<TrialEnd["result"] | null> {
    const [asItIs, once] = await first;
    if (asItIs.result !== "pass") return null;
    const end = await runOtherwise(run, {}, `the work, ${words}`, how);
    if (end.result !== "fail") return end.result;
    // If it also fails there without the work, the work is not the reason: tried with the work's proof, or else with the base alone.
    const before =
      once.result !== "fail" ? stripped : (await atBase)?.result === "pass" ? { commit: baseCommit } : null;
    const isOfWork = before === null || (await runOtherwise(run, before, `the base, ${words}`, how)).result !== "fail";
    return isOfWork ? end.result : null;
  }
  async function laterOf(): Promise<TrialEnds["later"]> {
    const result = work.isTimed ? await underOther(daysLater) : null;
    return result === null ? null : { result, days: laterDays };
  }
  async function elsewhereOf(): Promise<TrialEnds["elsewhere"]> {
    const placed = work.isPlaced ? await underOther(inOtherFolder) : null;
    const [asItIs, once] = await first;
    if (placed === "fail" || !asItIs.failedElsewhere || asItIs.result !== "pass") return placed;
    // When nothing is known about its tests, the source's own words count.
    if (asItIs.report === null && isSwitched(work.switches))
      return (await underOther({ ...inOtherFolder, how: { ...howElsewhere(work), isProbed: false } })) ?? placed;
    return (await runUnseen(deps, work, (await atBase) ?? once, run)) ?? placed;
  }
  async function silencedOf(): Promise<TrialEnds["silenced"]> {
    const [[asItIs, once], base] = await Promise.all([first, atBase]);
    const before = { failed: (base ?? once).result === "fail", report: asItIs.report };
    return asItIs.result === "pass" ? await runUnsilenced(deps, work, run, before) : [];
  }
  const works = [missesOf(), secondOf(), addedOf(), laterOf(), elsewhereOf(), silencedOf()] as const;
  // An error is thrown only after all have ended, so that nothing more is started.
  await Promise.allSettled(works);
  const [missed, withoutSource, withoutAdded, later, elsewhere, silenced] = await Promise.all(works);
  const [[asItIs, once], base] = await Promise.all([first, atBase]);
  // The failure did not repeat, so near misses of a guarding proof are needed. Results of earlier runs are reused.
  const nearMisses =
    withoutSource.result === once.result
      ? missed
      : await runNearMisses(deps, work, criterion, { asItIs, withoutSource, stripped, run });
  return { work: asItIs, withoutSource, base, withoutAdded, nearMisses, later, elsewhere, silenced };
}

/** True when a test failed because something is missing that the work's source adds and no file of the base names. */
async function failsForWant(deps: Deps, work: Work, report: TestReport | null): Promise<boolean> {
  const { verifying, baseCommit, watched } = work;
  const added = watched.flatMap(({ text, lines }) => text.split("\n").filter((_, at) => lines.has(at)));
  for (const name of wantedOfWork(report, added))
    if ((await deps.git.filesNaming(verifying.mirror, baseCommit, name)).length === 0) return true;
  return false;
}

/**
 * Repeats the trial that failed without the source: without the base's passing tests if that shows the same failure, otherwise unchanged.
 */
async function runSecond(
  deps: Deps,
  { verifying: { mirror }, baseCommit, commit, changed, proof }: Work,
  failed: {
    readonly criterion: Criterion;
    readonly once: TrialEnd;
    readonly stripped: Partial<TrialTree>;
    readonly run: RunTrial;
  },
): Promise<TrialEnd> {
  const { criterion, once, stripped, run } = failed;
  const kindOf = fileKinds(deps.policy);
  const isTest = (path: string): boolean => kindOf(path).role === "test";
  const holding: string[] = [];
  for (const title of failedTitles(once.report)) {
    const naming = await deps.git.filesNaming(mirror, commit, title);
    holding.push(...[title, ...naming].filter(isTest));
  }
  const { verification } = criterion;
  const commands = [verification.method === "bash" ? verification.command : ""];
  for (const path of holding.length === 0 ? [] : scriptMakers)
    commands.push((await deps.git.textAt(mirror, commit, path)) ?? "");
  const touched = new Set(changed.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const unchanged = (await deps.git.filesAt(mirror, baseCommit)).filter((path) => isTest(path) && !touched.has(path));
  const beside = testsBeside({ unchanged, holding, commands });
  if (beside.length > 0) {
    const tree = { ...stripped, removed: [...proof.removed, ...beside] };
    const end = await run("the same once more, beside no test that passed", tree);
    if (end.result === "fail" && failsAlike(once.report, end.report)) return { ...once, times: 2 };
  }
  return await run("the same once more", stripped, 2);
}

/** Other circumstances for a run of a work that reads them. Nothing else of ours is set. */
interface Otherwise {
  readonly words: string;
  readonly how: TrialOptions;
}

const daysLater: Otherwise = {
  words: `${laterDays} days later`,
  how: { isProbed: false, daysOn: laterDays },
};

const inOtherFolder: Otherwise = { words: "in another folder", how: { isProbed: false, isElsewhere: true } };

/** Runs once, and a second time after a failure. */
async function runOtherwise(
  run: RunTrial,
  tree: Partial<TrialTree>,
  what: string,
  how: TrialOptions,
): Promise<TrialEnd> {
  const end = await run(what, tree, 1, how);
  return end.result === "fail" ? await run(what, tree, 2, how) : end;
}

interface Known {
  readonly asItIs: TrialEnd;
  readonly withoutSource: TrialEnd;
  /** The work without its source. */
  readonly stripped: Partial<TrialTree>;
  readonly run: RunTrial;
}

/** Runs near misses one after another until a test notices one. */
async function runNearMisses(deps: Deps, work: Work, criterion: Criterion, known: Known): Promise<readonly NearMiss[]> {
  const { asItIs, withoutSource, stripped, run } = known;
  const nearMisses: NearMiss[] = [];
  const tries = (what: string, edits: readonly Edit[]): Promise<TrialEnd> => run(what, { edits });
  const triesBefore = (what: string, edits: readonly Edit[]): Promise<TrialEnd> =>
    run(`${what}, on the base's source`, { ...stripped, edits });
  const seen = { asItIs, withoutSource, tries, triesBefore };
  for await (const { end, ...miss } of nearMissesOf(deps, work, criterion, seen)) {
    const ended = { ...miss, result: end.result, report: end.report };
    nearMisses.push(ended);
    if (isSeenBy(ended, asItIs.report) || work.verifying.keeper.signal.aborted) break;
  }
  return nearMisses;
}

/**
 * Runs the work with only the base's tests, after these passed at the base: added tests must not hide broken ones (docs/proofs.md, 4). Null
 * when the work added no test or changed no source. A failure is repeated once.
 */
async function runWithoutAdded(work: Work, run: RunTrial): Promise<TrialEnd | null> {
  const { proof, frozen, changed, baseCommit } = work;
  const { added } = proof;
  if (added.length === 0 || proof.source.length === 0) return null;
  const isOfBase = ({ path, status }: ChangedSource): boolean =>
    (status === "modified" || status === "deleted") && frozen.includes(path);
  const laid = changed.filter(isOfBase).map(({ path }) => path);
  const tree = { from: baseCommit, laid, removed: added };
  const what = "the work with the base's tests alone";
  const end = await run(what, tree);
  return end.result === "fail" ? await run(what, tree, 2) : end;
}
