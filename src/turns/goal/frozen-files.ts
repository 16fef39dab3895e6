import type { ChangedFile } from "../../agent/git/diff.ts";
import type { Mirror } from "../../agent/git/mirror.ts";
import {
  addedSettings,
  comparedCommands,
  criterionCommands,
  isOnlyOfTests,
  namedIn,
  proofFilesOf,
  proofPatternsIn,
  proofPatternsProblem,
  touchedProof,
  unsureFiles,
} from "../../core/acceptance/contract.ts";
import { isOnlyFollowing, type MovedFile } from "../../core/acceptance/following.ts";
import { judgesWork } from "../../core/acceptance/proven-programs.ts";
import { asksToRename, type ChangedTest, renamedOnly } from "../../core/acceptance/renaming.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { wordFor } from "../../core/files/found.ts";
import { type FileKind, fileKinds, isBelowSource, isProgram, mayBeCompared } from "../../core/files/kind.ts";
import { lastPart } from "../../core/files/path.ts";
import { settingsOfTools } from "../../core/files/tool-settings.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Deps } from "../../deps.ts";
import { type FoundFiles, foundFiles } from "./found-files.ts";
import { deliveredOf, provenPrograms, testedPrograms } from "./proven-files.ts";
import { removedBy } from "./removed.ts";
import { wantedSettings } from "./wanted-settings.ts";
import { partsOfChecks } from "./check-parts.ts";
import { changedSetups } from "./setups.ts";

/** The changes of a work that are reverted while it is verified (D26). */
export interface FrozenFiles {
  readonly type: "frozen";
  /** Paths that differ from the base. Both paths of a renamed file. */
  readonly changed: readonly string[];
  /** Changed proof files. They are as at the base. */
  readonly overlay: readonly string[];
  /** Added settings files. They are left out. */
  readonly absent: readonly string[];
}

/** Maximum number of changed files whose naming files are searched. The others are as at the base. */
const mostUnsure = 200;

/** Longer tests are not compared with their old text. They are as at the base. */
const longestFollowing = 500_000;

/** Decides which files are as at the base when criteria are verified. `failed`: the base's `.cos/proof` cannot be read. */
export async function frozenFiles(
  deps: Pick<Deps, "git" | "policy">,
  about: {
    readonly goal: Pick<Goal, "content" | "proofAllowed">;
    readonly mirror: Mirror;
    readonly baseCommit: string;
    readonly commit: string;
    readonly criteria: readonly Criterion[];
  },
): Promise<FrozenFiles | { readonly type: "failed"; readonly reason: string }> {
  const { goal, mirror, baseCommit, commit, criteria } = about;
  const listed = (await deps.git.textAt(mirror, baseCommit, ".cos/proof")) ?? "";
  const unread = proofPatternsProblem(listed);
  if (unread !== null) return { type: "failed", reason: unread };
  if (commit === baseCommit) return { type: "frozen", changed: [], overlay: [], absent: [] };

  const kindOf = fileKinds(deps.policy);
  const differing = await deps.git.changedFiles(mirror, baseCommit, commit);
  const changed = differing.flatMap(({ path, oldPath }) => [path, ...(oldPath === null ? [] : [oldPath])]);
  const files = await deps.git.filesAt(mirror, baseCommit);
  const commands = criterionCommands(criteria);
  const compared = comparedCommands(criteria);
  const found = await foundFiles(deps, about, files, commands);
  const delivered = await deliveredOf(deps, about, { files, changed });
  const proven = await provenPrograms(deps, about, { files, changed, commands, compared, found, delivered });
  const isAbout = namedIn(goal.content);
  const tested = await testedPrograms(deps, about, { files, changed });
  const isSubject = (file: string): boolean => delivered.has(file) || tested.has(file);
  const unsure = unsureFiles(changed, files, kindOf).filter(
    (file) => !isSubject(file) && !proven.includes(file) && !isAbout(file),
  );
  // Programs that the commands run, unless they are the work. A part of one that judges, too, is proof.
  const isWork = (path: string): boolean => isSubject(path) || proven.includes(path) || isBelowSource(path);
  const checks = new Set(found.runs.map(({ path }) => path).filter((path) => !isWork(path)));
  const onlyOfTests = unsure.slice(mostUnsure);
  for (const file of unsure.slice(0, mostUnsure))
    if (await isNamedByTests(deps, about, file, { kindOf, checks, isTest: found.isTest })) onlyOfTests.push(file);
  const parts = await partsOfChecks(deps, about, { files, changed, kindOf, checks });
  for (const file of parts) if (!isSubject(file) && !isAbout(file)) onlyOfTests.push(file);
  for (const file of await changedSetups(deps, { mirror, baseCommit, files, changed, kindOf }))
    if (!isSubject(file) && !isAbout(file)) onlyOfTests.push(file);
  const mayBeFound = changed.filter(
    (file) => found.has(file) && !isSubject(file) && !onlyOfTests.includes(file) && isRead(file, kindOf(file)),
  );
  onlyOfTests.push(...mayBeFound.slice(mostUnsure));
  for (const file of mayBeFound.slice(0, mostUnsure)) if (await found.isOnlyFound(file)) onlyOfTests.push(file);
  const { proofAllowed: allowed, content } = goal;
  const isOfTool = settingsOfTools(found.started, files);
  const proof = proofFilesOf({
    files,
    kindOf,
    commands: found.lines,
    run: found.runs.map(({ path }) => path),
    isOfTool,
    goal: content,
    listed: proofPatternsIn(listed),
    onlyOfTests,
    proven,
    allowed,
  });
  const following = await onlyFollowing(deps, about, differing);
  const difference = { mirror, baseCommit, commit, changed: differing };
  const removed = await removedBy(deps, content, difference);
  const wanted = await wantedSettings(deps, content, difference);
  const isFree = (path: string): boolean =>
    following.has(path) || wanted.has(path) || removed?.tests.has(path) === true;
  const overlay = touchedProof(proof, changed).filter((path) => !isFree(path));
  const added = addedSettings({ changed, files, kindOf, commands, isOfTool, goal: content, allowed });
  const absent = added.filter((path) => !isFree(path));
  return { type: "frozen", changed, overlay, absent };
}

/** True when only tests, settings and checks name a changed file. */
async function isNamedByTests(
  { git }: Pick<Deps, "git">,
  { mirror, baseCommit }: { readonly mirror: Mirror; readonly baseCommit: string },
  file: string,
  {
    kindOf,
    checks,
    isTest,
  }: Pick<FoundFiles, "isTest"> & {
    readonly kindOf: (path: string) => FileKind;
    readonly checks: ReadonlySet<string>;
  },
): Promise<boolean> {
  const { role } = kindOf(file);
  // A file that is not code is named with its extension. Without it the word may be a common one (`expected`).
  const word = role === "other" ? lastPart(file) : wordFor(file);
  const naming = (await git.filesNaming(mirror, baseCommit, word)).filter((each) => each !== file);
  const tests = await among(naming, isTest);
  const text = naming.some((each) => checks.has(each)) ? ((await git.textAt(mirror, baseCommit, file)) ?? "") : "";
  const isOfCheck = judgesWork(file, text);
  const isProof = (path: string): boolean => tests.has(path) || (isOfCheck && checks.has(path));
  return isOnlyOfTests(naming, (path) => (isProof(path) ? { ...kindOf(path), role: "test" } : kindOf(path)), role);
}

/** False for files that are proof anyway, or never are. They need not be searched in folders and globs. */
function isRead(path: string, { role }: FileKind): boolean {
  return role === "source" || role === "unsure" || (role === "other" && mayBeCompared(path));
}

async function among(paths: readonly string[], is: (path: string) => Promise<boolean>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const path of paths) if (await is(path)) found.add(path);
  return found;
}

interface OfGoal {
  readonly goal: Pick<Goal, "content">;
  readonly mirror: Mirror;
  readonly baseCommit: string;
  readonly commit: string;
}

/**
 * Tests that only moved, only follow a moved file, or only use a new name that the goal asks for. Reverting them would only revert a name.
 */
async function onlyFollowing(
  deps: Pick<Deps, "git" | "policy">,
  about: OfGoal,
  differing: readonly ChangedFile[],
): Promise<ReadonlySet<string>> {
  const { git, policy } = deps;
  const { mirror, baseCommit, commit } = about;
  const kindOf = fileKinds(policy);
  const moved = differing.flatMap(({ path, oldPath }) => (oldPath === null ? [] : [{ from: oldPath, to: path }]));
  const following = new Set<string>();
  const isAsked = asksToRename(about.goal.content);
  const isTest = (path: string): boolean => ["test", "proof"].includes(kindOf(path).role);
  const tests = differing.filter(
    ({ path, oldPath, status }) =>
      (status === "modified" || status === "renamed") && isTest(path) && isTest(oldPath ?? path),
  );
  for (const { path, oldPath } of tests.slice(0, mostUnsure)) {
    // One character more shows that the text is longer.
    const before = await git.textAt(mirror, baseCommit, oldPath ?? path, longestFollowing + 1);
    const now = await git.textAt(mirror, commit, path, longestFollowing + 1);
    if (before === null || now === null) continue;
    if ([before, now].some((text) => Buffer.byteLength(text) > longestFollowing)) continue;
    const test = { oldPath: oldPath ?? path, path, before, now };
    if (isOnlyFollowing(before, now, moved) || (await isRenaming(deps, about, test, { moved, isAsked })))
      following.add(test.oldPath);
  }
  return following;
}

/** True when a test differs only by names that the goal asks to change, and the new names are not used in a program of the base. */
async function isRenaming(
  { git }: Pick<Deps, "git">,
  { mirror, baseCommit }: OfGoal,
  test: ChangedTest,
  { moved, isAsked }: { readonly moved: readonly MovedFile[]; readonly isAsked: ReturnType<typeof asksToRename> },
): Promise<boolean> {
  const names = renamedOnly(test, moved);
  if (names === null) return false;
  for (const [from, to] of names) {
    if (!isAsked(from, to)) return false;
    if ((await git.filesNaming(mirror, baseCommit, to)).some((path) => isProgram(path))) return false;
  }
  return true;
}
