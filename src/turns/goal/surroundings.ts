import type { Mirror } from "../../agent/git/mirror.ts";
import { fileKinds, isProgram, isTestCode } from "../../core/files/kind.ts";
import { lastPart } from "../../core/files/path.ts";
import { isWithoutEnding, programAs } from "../../core/files/shebang.ts";
import type { TrialQuestion } from "../../core/trials/judge.ts";
import type { ChangedSource } from "../../core/trials/plan.ts";
import { readThrough } from "../../core/trials/linked.ts";
import { filesLoadedBy } from "../../core/trials/loading-files.ts";
import { type OwnTests, ownTestsOtherNow } from "../../core/trials/own-tests.ts";
import { testsOtherNow } from "../../core/trials/tests-in-source.ts";
import { newSurroundings, type Surroundings } from "../../core/trials/surroundings.ts";
import type { Deps } from "../../deps.ts";
import { wordFor } from "../../core/files/found.ts";

/** Two commits that are compared, and their differences. */
export interface Compared {
  readonly mirror: Mirror;
  readonly baseCommit: string;
  readonly commit: string;
  readonly changed: readonly ChangedSource[];
}

/** What a changed program newly contains. `isUnread`: it is too long, or there are too many files, so it was not read. */
interface Around extends Surroundings {
  readonly isUnread?: boolean;
  /** True for a link to the file in `runners`. Other files that name it too change nothing. */
  readonly isLink?: boolean;
  /** Changed lines of tests inside the file. */
  readonly testLines?: readonly string[];
  /** Changed tests inside the file, by name. */
  readonly ownTests?: OwnTests;
}

/** Maximum number of changed files that are read, and their maximum length. Unread files are asked about. */
const mostRead = 300;
const longestRead = 500_000;

/** What changed programs newly contain about their surroundings, by path. Files without such content are missing. */
export async function surroundingsOf(
  deps: Pick<Deps, "git" | "policy">,
  compared: Compared,
): Promise<ReadonlyMap<string, Around>> {
  const { mirror, baseCommit, commit, changed } = compared;
  const kindOf = fileKinds(deps.policy);
  const found = new Map<string, Around>();
  const there = changed.filter(
    ({ path, status }) => status !== "deleted" && !["test", "proof", "setting"].includes(kindOf(path).role),
  );
  if (there.length === 0) return found;
  const isRead = ({ path }: ChangedSource): boolean =>
    isProgram(path) && ["source", "unsure"].includes(kindOf(path).role);
  const files = await deps.git.filesAt(mirror, commit);
  const tests = files.filter((path) => isTestCode(path, kindOf));
  // Files that the work adds itself are not test data that it should not read.
  const old = await deps.git.filesAt(mirror, baseCommit);
  const data = old.filter((path) => kindOf(path).role === "proof" && !isProgram(path));
  const links = await linksOf(deps, compared, there, [...tests, ...data]);
  const read = there.filter(isRead);
  const texts: Source[] = [];

  async function look(each: ChangedSource, as: string): Promise<void> {
    const { path, oldPath, status } = each;
    // One character more shows that the text is longer.
    const text = await deps.git.textAt(mirror, commit, path, longestRead + 1);
    if (text === null) return;
    if (Buffer.byteLength(text) > longestRead) {
      found.set(path, unread);
      return;
    }
    texts.push({ path: as, loads: filesLoadedBy({ path: as, text }) });
    const was = status === "added" ? null : await deps.git.textAt(mirror, baseCommit, oldPath ?? path, longestRead);
    const around = await withoutOwnData(deps, compared, newSurroundings(as, text, was, { tests, data }), data);
    const testLines = testsOtherNow(as, text, was);
    const ownTests = ownTestsOtherNow(as, text, was);
    const named = [around.runners, around.changes, around.runsText, around.looks, testLines, ownTests.lines].flat();
    const isRunOtherwise = around.isTimed || around.isPlaced || Object.keys(around.switches).length > 0;
    if (named.length > 0 || isRunOtherwise) found.set(path, { ...around, testLines, ownTests });
  }

  for (const { path } of read.slice(mostRead)) found.set(path, unread);
  for (const each of read.slice(0, mostRead)) await look(each, each.path);
  // Files that are not source by name but are loaded as code. They may load further files.
  let left = there.filter((each) => !isRead(each)).slice(0, mostRead);
  for (const each of left.filter(({ path }) => isWithoutEnding(path))) {
    const as = programAs(each.path, (await deps.git.textAt(mirror, commit, each.path)) ?? "");
    if (as !== null) await look(each, as);
  }
  for (const each of left.filter(({ path }) => isProgram(path)))
    if (await isLoadedBefore(deps, compared, each)) await look(each, each.path);
  // Files that are read in this loop are appended and visited, too.
  for (const { path, loads } of texts) {
    const loaded = left.filter((each) => loads(each.path));
    left = left.filter((each) => !loaded.includes(each));
    for (const each of loaded)
      await look(each, isProgram(each.path) ? each.path : `${each.path}${/\.\w{1,10}$/.exec(path)?.[0] ?? ""}`);
  }
  for (const [path, target] of links)
    found.set(path, target === null ? unread : { ...nothing, runners: [target], isLink: true });
  return found;
}

/** Targets of changed links that lead to proof files or out of the repository, by path. Null for links that were not read. */
async function linksOf(
  deps: Pick<Deps, "git">,
  { mirror, commit }: Compared,
  there: readonly ChangedSource[],
  proof: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const links = new Set(await deps.git.linksAt(mirror, commit));
  const found = new Map<string, string | null>();
  for (const [index, { path }] of there.filter((each) => links.has(each.path)).entries()) {
    if (index >= mostRead) {
      found.set(path, null);
      continue;
    }
    const target = readThrough(path, (await deps.git.textAt(mirror, commit, path)) ?? "", proof);
    if (target !== null) found.set(path, target);
  }
  return found;
}

/** Removes data files that no test names: they belong to the program, wherever they are. */
async function withoutOwnData(
  deps: Pick<Deps, "git" | "policy">,
  { mirror, commit }: Compared,
  around: Surroundings,
  data: readonly string[],
): Promise<Surroundings> {
  const named = around.runners.filter((each) => data.includes(each));
  if (named.length === 0) return around;
  const kindOf = fileKinds(deps.policy);
  const own = new Set<string>();
  for (const each of named) {
    const naming = await deps.git.filesNaming(mirror, commit, wordIn(each));
    if (!naming.some((path) => isProgram(path) && kindOf(path).role === "test")) own.add(each);
  }
  return { ...around, runners: around.runners.filter((each) => !own.has(each)) };
}

/** The word by which other files name it. For test data the last part of the path, because paths are relative to each file. */
function wordIn(name: string): string {
  const isData = name.includes("/") && !name.endsWith("/") && !isProgram(name);
  return isData ? lastPart(name) : name;
}

/** True when an unchanged source file loads a program with the name of a generated file. */
async function isLoadedBefore(
  deps: Pick<Deps, "git" | "policy">,
  { mirror, commit, changed }: Compared,
  { path }: ChangedSource,
): Promise<boolean> {
  const kindOf = fileKinds(deps.policy);
  const touched = new Set(changed.map((each) => each.path));
  const naming = await deps.git.filesNaming(mirror, commit, wordFor(path));
  const sources = naming.filter((each) => isProgram(each) && kindOf(each).role === "source" && !touched.has(each));
  for (const each of sources.slice(0, mostLoading)) {
    const text = await deps.git.textAt(mirror, commit, each, longestRead);
    if (text !== null && filesLoadedBy({ path: each, text })(path)) return true;
  }
  return false;
}

/** A source file that was read, and the files that it loads. */
interface Source {
  readonly path: string;
  readonly loads: (path: string) => boolean;
}

/** Maximum number of source files that name a generated program and are read. */
const mostLoading = 20;

/**
 * Questions for a person: source that names a test runner or a test that no source named before, or changes what all code shares
 * (docs/proofs.md), and source that was not read.
 */
export async function runnerQuestions(
  deps: Pick<Deps, "git" | "policy">,
  compared: Compared,
  around: ReadonlyMap<string, Around>,
): Promise<readonly TrialQuestion[]> {
  const kindOf = fileKinds(deps.policy);
  const paths = [...around].flatMap(([path, { isUnread }]) => (isUnread === true ? [path] : []));
  const questions: TrialQuestion[] = paths.length === 0 ? [] : [{ type: "unread", paths }];
  for (const [path, { runners, changes, runsText, isLink = false, testLines = [], ownTests }] of around) {
    const names = isLink ? [...runners] : [];
    for (const name of isLink ? [] : runners) {
      const naming = await deps.git.filesNaming(compared.mirror, compared.baseCommit, wordIn(name));
      if (!naming.some((each) => kindOf(each).role === "source")) names.push(name);
    }
    if (names.length > 0) questions.push({ type: "names-runner", path, names });
    if (changes.length > 0) questions.push({ type: "changes-shared", path, names: changes });
    if (testLines.length > 0) questions.push({ type: "tests-in-source", path, lines: testLines });
    if (ownTests !== undefined && ownTests.lines.length > 0)
      questions.push({ type: "tests-in-source", path, ...ownTests });
    if (runsText.length > 0) questions.push({ type: "runs-text", path, names: runsText });
  }
  return questions;
}

const nothing: Around = {
  runners: [],
  changes: [],
  runsText: [],
  looks: [],
  isTimed: false,
  isPlaced: false,
  switches: {},
};

const unread: Around = { ...nothing, isUnread: true };

/** The same in words for each file, for the card. */
export function saidOf(around: ReadonlyMap<string, Around>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...around].map(([path, { runners, changes, runsText, looks, isUnread }]) => [
      path,
      isUnread === true ? ["not looked at"] : [...new Set([...runners, ...changes, ...runsText, ...looks])],
    ]),
  );
}
