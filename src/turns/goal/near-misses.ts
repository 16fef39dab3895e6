import { wordFor } from "../../core/files/found.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { fileKinds, isProgram, isTestCode } from "../../core/files/kind.ts";
import {
  brokenFile,
  type Edit,
  failingTest,
  sourceMisses,
  testMisses,
  type TurnedMisses,
  turnedMisses,
} from "../../core/trials/near-miss.ts";
import { addedLines, titlesToFind } from "../../core/trials/plan.ts";
import { isSeenBy } from "../../core/trials/judge.ts";
import { onlyFailing } from "../../core/trials/whole-script.ts";
import { readsOnly } from "../../core/trials/reads-only.ts";
import type { Deps } from "../../deps.ts";
import type { Verifying } from "./checkout.ts";
import type { ChangedText } from "../../core/trials/lines.ts";
import type { Work } from "./on-trial.ts";
import { takenFromScripts } from "./deciding-scripts.ts";
import { isWithoutEnding, programAs } from "../../core/files/shebang.ts";
import { titlesOf, testFilesOf, type Missed, type Seen } from "./test-files.ts";

/** Test scripts, and tests beside the changed source. */
const mostScripts = 2;
const mostTitlesLookedFor = 500;
const mostSourceFiles = 5;
const mostWatched = 50;
const mostBroken = 300;
const longestPatch = 300_000;

/**
 * Near misses, the most telling first (PROOF.md): one literal in a test file that ran, where these compare with no value one on
 * its other side; one value or operator in the changed lines of source; for a command that reports no tests, what its test scripts hold, then the changed files broken or gone, then all
 * source. Each is run when it is asked for: who has seen enough asks for no more.
 */
export async function* nearMissesOf(deps: Deps, work: Work, criterion: Criterion, seen: Seen): AsyncGenerator<Missed> {
  if (seen.asItIs.result !== "pass") return;
  const ran = async (what: string, edits: readonly Edit[]): Promise<Missed> => ({
    what,
    end: await seen.tries(what, edits),
    ...(edits[0]?.addedTest === undefined ? {} : { addedTest: edits[0].addedTest }),
  });
  const files = await deps.git.filesAt(work.verifying.mirror, work.commit);
  const tests = await testFilesOf(deps, work, criterion, { ...seen, files });
  let hasTried = false;
  let isAsserted = false;
  const near = await besideSource(deps, work, seen);
  let isUnheld = false;
  const texts = new Map<string, string | null>();
  for (const path of [...near, ...tests]) texts.set(path, await textOf(deps, work, path));
  const turned = turnedOf(texts, titlesOf(seen));
  for (const [path, text] of texts) {
    // What tests of other code see does not make up for it.
    if (isUnheld && !near.includes(path)) break;
    const { crossed, turned: turns } = turned.get(path) ?? none;
    const edits = text === null ? [] : [...crossed, ...testMisses(path, text, titlesOf(seen))];
    const added = text === null || edits.length + turns.length > 0 ? null : failingTest(path, text);
    isAsserted ||= turns.length > 0;
    for (const each of added === null ? edits : [added]) {
      hasTried = true;
      isAsserted ||= each.isAsserted ?? false;
      yield await ran(each.what, [each]);
    }
    const last = (turns.length > 0 ? turns : edits.filter((each) => each.isAsserted)).at(-1);
    if (!near.includes(path) || last === undefined || !(await isRun(seen, path, text ?? ""))) continue;
    if (turns.length > 0 && isSeenBy(await seen.tries(last.what, [last]), seen.asItIs.report)) continue;
    isUnheld = true;
    // What the base's source holds, and the work does not, was taken away: no change of the source makes up for that either.
    if (isSeenBy(await seen.triesBefore(last.what, [last]), seen.withoutSource.report)) return;
  }
  if (seen.asItIs.report !== null) {
    // What a test that proves asserts was changed, and it passed: no change of the source makes up for that.
    const isProving = titlesOf(seen).length > 0 && seen.withoutSource.result === "fail";
    // Where nothing can be changed in what is asserted, it has to be alive, and the source has to show what it looks for.
    let isAlive = false;
    let isTried = hasTried;
    for (const each of hasTried ? [] : [...turned.values()].flatMap((misses) => misses.turned)) {
      if (!isProving || isAlive) break;
      const missed = await ran(each.what, [each]);
      isAlive = isSeenBy(missed.end, seen.asItIs.report);
      isTried = true;
      if (!isAlive) yield missed;
    }
    if (!isProving || !isAsserted || isAlive)
      for (const each of inSource(work)) {
        isTried = true;
        yield await ran(each.what, [each]);
      }
    const [changed] = isTried ? [] : brokenChanges(work);
    if (changed !== undefined) yield await ran(changed.what, changed.edits);
    return;
  }
  if (hasTried) return;
  const { verification } = criterion;
  const runsNothing = verification.method === "bash" && readsOnly(verification.command);
  const held = runsNothing ? null : await inScripts(deps, work, seen, files);
  if (held !== null) {
    yield held;
    return;
  }
  const taken = runsNothing ? null : await takenFromScripts(deps, work, criterion, seen);
  if (taken !== null) {
    yield taken;
    return;
  }
  if (seen.withoutSource.result === "fail") {
    yield { what: "the changed files as they were before", end: seen.withoutSource };
    return;
  }
  for (const { what, edits } of broken(deps, work, files)) yield await ran(what, edits);
}

const none: TurnedMisses = { crossed: [], turned: [] };

/** Of each file that compares with nothing; empty where one of them compares: what that sees is what counts. */
function turnedOf(
  texts: ReadonlyMap<string, string | null>,
  titles: readonly string[],
): ReadonlyMap<string, TurnedMisses> {
  const found = new Map<string, TurnedMisses>();
  for (const [path, text] of texts) {
    const misses = text === null ? none : turnedMisses(path, text, titles);
    if (misses === null) return new Map();
    found.set(path, misses);
  }
  return found;
}

/**
 * A command that reports no tests may run scripts that hold what is proven: all that such a one compares with is changed at once.
 * What does not see that, and does see the script do nothing but fail, runs it and holds nothing in it: code that ends or traps
 * the script that reads it. A lint sees neither. Null: no script is known to be run.
 */
async function inScripts(deps: Deps, work: Work, { tries }: Seen, files: readonly string[]): Promise<Missed | null> {
  const { verifying, commit, proof } = work;
  const kindOf = fileKinds(deps.policy);
  const isScript = (path: string): boolean => isTestCode(path, kindOf);
  const naming: string[] = [];
  for (const path of proof.source.slice(0, 3))
    naming.push(...(await deps.git.filesNaming(verifying.mirror, commit, wordFor(path))));
  const known = new Set(files);
  for (const path of [...new Set(naming)].filter((each) => known.has(each) && isScript(each)).slice(0, mostScripts)) {
    const text = await textOf(deps, work, path);
    const every = text === null ? undefined : testMisses(path, text, []).at(-1);
    const only = text === null ? null : onlyFailing(path, text);
    if (every === undefined || only === null) continue;
    const end = await tries(every.what, [every]);
    if (end.result === "fail") return { what: every.what, end };
    if ((await tries(only.what, [only])).result === "fail") return { what: every.what, end };
  }
  return null;
}

/** Where a proof guards: tests that name the changed source, whose values must count whatever other tests see. */
async function besideSource(deps: Deps, work: Work, { asItIs, withoutSource }: Seen): Promise<string[]> {
  if (asItIs.report === null || withoutSource.result !== "pass") return [];
  const kindOf = fileKinds(deps.policy);
  const found: string[] = [];
  for (const path of work.proof.source.slice(0, 3)) {
    const naming = await deps.git.filesNaming(work.verifying.mirror, work.commit, wordFor(path));
    found.push(...naming.filter((each) => kindOf(each).role === "test"));
  }
  return [...new Set(found)].slice(0, mostScripts);
}

/** Whether a test file ran: a title of it passed, or the command fails where it does nothing but fail. */
async function isRun({ asItIs, tries }: Seen, path: string, text: string): Promise<boolean> {
  const titles = titlesToFind(asItIs.report, null, mostTitlesLookedFor);
  if (titles.length > 0) return titles.some((title) => title.length > 1 && text.includes(title));
  const only = onlyFailing(path, text);
  return only !== null && (await tries(only.what, [only])).result === "fail";
}

function* inSource({ watched }: Work): Generator<Edit> {
  for (const { path, as = path, text, lines } of watched.slice(0, mostSourceFiles))
    for (const each of sourceMisses(as, text, lines)) yield { ...each, path, what: each.what.replaceAll(as, path) };
}

/** The changed programs of a work that are no proof, or what else is wanted of it, with the lines that were changed. */
export async function changedTexts(
  deps: Pick<Deps, "git">,
  { mirror }: Pick<Verifying, "mirror">,
  { baseCommit, commit, proof }: Pick<Work, "baseCommit" | "commit" | "proof">,
  isWanted: (path: string) => boolean = mayBeProgram,
): Promise<readonly ChangedText[]> {
  const paths = proof.source.filter(isWanted).slice(0, mostWatched);
  if (paths.length === 0) return [];
  // Which lines were changed is read of it, by the names of their files: it is shown to nobody.
  const shown = await deps.git.diffText(mirror, baseCommit, commit, { maxBytes: longestPatch, secrets: [], paths });
  const added = addedLines(shown.text);
  const texts: ChangedText[] = [];
  for (const path of paths) {
    const text = await textOf(deps, { verifying: { mirror }, commit }, path);
    if (text === null) continue;
    const as = programAs(path, text);
    // Without an ending it is a program only where its first line says so.
    if (as === null && isWanted === mayBeProgram && !isProgram(path)) continue;
    texts.push({ path, ...(as === null ? {} : { as }), text, lines: added.get(path) ?? new Set() });
  }
  return texts;
}

function mayBeProgram(path: string): boolean {
  return isProgram(path) || isWithoutEnding(path);
}

function* brokenChanges({ proof }: Pick<Work, "proof">): Generator<Broken> {
  const changed = proof.source.slice(0, mostBroken).map((path) => brokenFile(path));
  if (changed.length > 0) yield { what: wordsOf(changed, "the changed files were broken"), edits: changed };
}

interface Broken {
  readonly what: string;
  readonly edits: readonly Edit[];
}

function* broken(deps: Deps, { proof }: Work, files: readonly string[]): Generator<Broken> {
  yield* brokenChanges({ proof });
  const kindOf = fileKinds(deps.policy);
  const source = files.filter((path) => kindOf(path).role === "source").slice(0, mostBroken);
  if (source.length > 0) yield { what: "all source was broken", edits: source.map((path) => brokenFile(path)) };
}

function wordsOf(edits: readonly Edit[], many: string): string {
  const [only] = edits;
  return edits.length === 1 && only !== undefined ? only.what : many;
}

/** A file's text in the work; null where it is too large to be changed, or not there. */
async function textOf(
  { git }: Pick<Deps, "git">,
  { verifying, commit }: { readonly verifying: Pick<Verifying, "mirror">; readonly commit: string },
  path: string,
): Promise<string | null> {
  const text = await git.textAt(verifying.mirror, commit, path);
  return text === null || text.length >= 99_000 ? null : text;
}
