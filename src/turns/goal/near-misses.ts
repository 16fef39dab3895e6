import { wordFor } from "../../core/files/found.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { fileKinds, isProgram } from "../../core/files/kind.ts";
import {
  type Edit,
  failingTest,
  sourceMisses,
  testMisses,
  type TurnedMisses,
  turnedMisses,
} from "../../core/trials/near-miss.ts";
import { addedLines, titlesToFind } from "../../core/trials/plan.ts";
import { isSeenBy } from "../../core/trials/judge.ts";
import { failingAtEnd, isDeclaration, onlyFailing } from "../../core/trials/whole-script.ts";
import { readsOnly } from "../../core/trials/reads-only.ts";
import type { Deps } from "../../deps.ts";
import type { WorkToVerify } from "./checkout.ts";
import type { ChangedText } from "../../core/trials/lines.ts";
import { broken, leftMisses, wordsOf } from "./broken.ts";
import type { Work } from "./on-trial.ts";
import { takenFromScripts } from "./deciding-scripts.ts";
import { tryScripts } from "./script-misses.ts";
import { isWithoutEnding, programAs } from "../../core/files/shebang.ts";
import { titlesOf, testFilesOf, type NearMissTrial, type SeenTrials } from "./test-files.ts";

type Misses = AsyncGenerator<NearMissTrial>;
/** Maximum number of test files that name the changed source. */
const mostScripts = 2;
const mostTitlesLookedFor = 500;
const mostSourceFiles = 5;
const mostWatched = 50;
const longestPatch = 300_000;

/**
 * Near misses, the most telling first (docs/proofs.md): one literal in a test file that ran, or, if these compare with no value, one on the
 * other side of the comparison; one value or operator in the changed lines of source; for a command that reports no tests, values in its
 * test scripts, then the changed files broken or deleted, then all source. Each trial runs only when the caller takes it.
 */
export async function* nearMissesOf(deps: Deps, work: Work, criterion: Criterion, seen: SeenTrials): Misses {
  if (seen.asItIs.result !== "pass") return;
  const ran = async (what: string, edits: readonly Edit[]): Promise<NearMissTrial> => ({
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
    // Failures in tests of other code do not make up for it.
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
    // The test noticed the change with the base's source but not with the work's, so the work bypasses it. No changed source makes up for that.
    if (isSeenBy(await seen.triesBefore(last.what, [last]), seen.withoutSource.report)) return;
  }
  if (seen.asItIs.report !== null) {
    // A proving test passed although its expected value was changed. No changed source makes up for that.
    const isProving = titlesOf(seen).length > 0 && seen.withoutSource.result === "fail";
    // If no expected value can be changed, the assertion must react to something else, and changes of the source must fail.
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
    for (const { what, edits } of isTried ? [] : await leftMisses(deps, work, titlesOf(seen)))
      yield await ran(what, edits);
    return;
  }
  if (hasTried) return;
  yield* inCommand(deps, work, { criterion, files, seen });
}

/** Near misses of a command that reports no tests. */
async function* inCommand(deps: Deps, work: Work, about: Command): Misses {
  const { criterion, files, seen } = about;
  const asBefore = { what: "the changed files as they were before", end: seen.withoutSource };
  if (criterion.verification.method === "bash" && readsOnly(criterion.verification.command)) {
    if (seen.withoutSource.result === "fail") return yield asBefore;
  } else {
    const scripts = await tryScripts(deps, work, criterion, { ...seen, files });
    if (scripts.type === "tried") return yield scripts.missed;
    const taken = await takenFromScripts(deps, work, criterion, seen);
    if (taken !== null) return yield taken;
    if (seen.withoutSource.result === "fail") {
      // A failing base is no near miss if not a single value of the running code was tried.
      const missed = scripts.type === "unknown" ? null : await missedInValues(work, seen);
      if (missed !== null) yield missed === "looks" ? asBefore : missed;
      return;
    }
  }
  for (const { what, edits } of broken(deps, work, files)) yield { what, end: await seen.tries(what, edits) };
}

interface Command {
  readonly criterion: Criterion;
  readonly files: readonly string[];
  readonly seen: SeenTrials;
}

/**
 * Changes values of the source for a command that runs no test script. Returns the trial that failed. `looks`: the command only reads the
 * source (a lint, a build), because it passes when the source always fails, or no program was changed. Null when it may run the changed code
 * and no changed value fails it.
 */
async function missedInValues(work: Work, { tries }: SeenTrials): Promise<NearMissTrial | "looks" | null> {
  const every = new Map([...inSource(work)].map((edit) => [edit.path, edit]));
  if (every.size > 0) {
    const edits = [...every.values()];
    const what = wordsOf(edits, "values of the changed files were changed");
    const end = await tries(what, edits);
    if (end.result === "fail") return { what, end };
  }
  const programs = work.watched.filter(({ path }) => !isDeclaration(path));
  const failing = programs.flatMap(({ path, as = path, text }) => {
    const failed = failingAtEnd(as, text);
    return failed === null ? [] : [{ ...failed, path }];
  });
  // Data ends no process. For a program in an unknown language it cannot be decided.
  if (failing.length === 0) return programs.length === 0 ? "looks" : null;
  const alone = await tries(wordsOf(failing, "the changed files failed at their end"), failing);
  return alone.result === "pass" ? "looks" : null;
}

const none: TurnedMisses = { crossed: [], turned: [] };

/** Misses of files that compare with no value. Empty when one of the files does, because then its values count. */
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

/** For a guarding proof: tests that name the changed source. Their values must count, whatever other tests notice. */
async function besideSource(deps: Deps, work: Work, { asItIs, withoutSource }: SeenTrials): Promise<string[]> {
  if (asItIs.report === null || withoutSource.result !== "pass") return [];
  const kindOf = fileKinds(deps.policy);
  const found: string[] = [];
  for (const path of work.proof.source.slice(0, 3)) {
    const naming = await deps.git.filesNaming(work.verifying.mirror, work.commit, wordFor(path));
    found.push(...naming.filter((each) => kindOf(each).role === "test"));
  }
  return [...new Set(found)].slice(0, mostScripts);
}

/** True when a test file ran: one of its titles passed, or the command fails when the file always fails. */
async function isRun({ asItIs, tries }: SeenTrials, path: string, text: string): Promise<boolean> {
  const titles = titlesToFind(asItIs.report, null, mostTitlesLookedFor);
  if (titles.length > 0) return titles.some((title) => title.length > 1 && text.includes(title));
  const only = onlyFailing(path, text);
  return only !== null && (await tries(only.what, [only])).result === "fail";
}

function* inSource({ watched }: Work): Generator<Edit> {
  for (const { path, as = path, text, lines } of watched.slice(0, mostSourceFiles))
    for (const each of sourceMisses(as, text, lines)) yield { ...each, path, what: each.what.replaceAll(as, path) };
}

/** The changed source files that `isWanted` accepts, by default programs, with their changed lines. */
export async function changedTexts(
  deps: Pick<Deps, "git">,
  { mirror }: Pick<WorkToVerify, "mirror">,
  { baseCommit, commit, proof }: Pick<Work, "baseCommit" | "commit" | "proof">,
  isWanted: (path: string) => boolean = mayBeProgram,
): Promise<readonly ChangedText[]> {
  const paths = proof.source.filter(isWanted).slice(0, mostWatched);
  if (paths.length === 0) return [];
  // Only the changed lines of these files are read from it. It is not shown to anybody.
  const shown = await deps.git.diffText(mirror, baseCommit, commit, { maxBytes: longestPatch, secrets: [], paths });
  const added = addedLines(shown.text);
  const texts: ChangedText[] = [];
  for (const path of paths) {
    const text = await textOf(deps, { verifying: { mirror }, commit }, path);
    if (text === null) continue;
    const as = programAs(path, text);
    // A file without an extension is a program only if its first line says so.
    if (as === null && isWanted === mayBeProgram && !isProgram(path)) continue;
    texts.push({ path, ...(as === null ? {} : { as }), text, lines: added.get(path) ?? new Set() });
  }
  return texts;
}

function mayBeProgram(path: string): boolean {
  return isProgram(path) || isWithoutEnding(path);
}

/** A file's text in the work. Null when it is missing or too large to be changed. */
async function textOf(
  { git }: Pick<Deps, "git">,
  { verifying, commit }: { readonly verifying: Pick<WorkToVerify, "mirror">; readonly commit: string },
  path: string,
): Promise<string | null> {
  const text = await git.textAt(verifying.mirror, commit, path);
  return text === null || text.length >= 99_000 ? null : text;
}
