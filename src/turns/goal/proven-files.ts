import type { Mirror } from "../../agent/git/mirror.ts";
import { isDelivered, manifestsFor } from "../../core/acceptance/delivered.ts";
import { decides, isHeldIn, isJudge, isProven } from "../../core/acceptance/proven-programs.ts";
import { isTested, testsFor } from "../../core/acceptance/tested-programs.ts";
import { type FileKind, fileKinds, hasSourceFolders, isBelowSource, mayBeCompared } from "../../core/files/kind.ts";
import { type ProgramRun, programsIn } from "../../core/files/program-runs.ts";
import type { Deps } from "../../deps.ts";
import type { FoundFiles } from "./found-files.ts";

/** Finds changed files that are the work under test, although the proof names them. */

/** Maximum number of changed files, and of manifests, that are read. */
const mostRead = 200;

interface Base {
  readonly mirror: Mirror;
  readonly baseCommit: string;
}

interface Change {
  /** All files at the base. */
  readonly files: readonly string[];
  readonly changed: readonly string[];
}

/** Changed programs that the commands run and that are the work under test. */
export async function provenPrograms(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { mirror, baseCommit }: Base,
  about: Change & {
    readonly commands: readonly string[];
    /** The commands whose output their criteria compare. */
    readonly compared: readonly string[];
    readonly found: Pick<FoundFiles, "lines" | "scripts" | "runs" | "last">;
    readonly delivered: ReadonlySet<string>;
  },
): Promise<readonly string[]> {
  const { files, changed, commands, compared, delivered } = about;
  const { lines, scripts, runs, last } = about.found;
  const kindOf = fileKinds(policy);
  const run = new Set(runs.map(({ path }) => path));
  const named = new Set(commands.flatMap(programsIn));
  const known = new Set(files);
  const programs = changed.filter((path) => run.has(path) && known.has(path) && isCode(kindOf(path)));
  const hasFolders = hasSourceFolders(files, kindOf);
  const proven: string[] = [];
  for (const path of programs.slice(0, mostRead)) {
    const text = (await git.textAt(mirror, baseCommit, path)) ?? "";
    const others = files.filter((each) => each !== path && mayBeUsed(each, kindOf(each)));
    const isMain = !hasFolders || delivered.has(path);
    // A program that only a script or a makefile runs may build or serve the work. The last one that runs decides the result.
    const words = [path, ...wordsFor(path, runs)];
    const isSaying =
      last.has(path) && !delivered.has(path) && decides(path, text) && !isHeldIn([...scripts, ...compared], words);
    const isBeside = !named.has(path) && !isJudge(path, text) && !isSaying;
    if (isBeside || isProven({ path, text, lines: [...lines, ...scripts, ...compared], words, others, isMain }))
      proven.push(path);
  }
  return proven;
}

/** Changed files that manifests of the base name as delivered. */
export async function deliveredOf(
  { git }: Pick<Deps, "git">,
  { mirror, baseCommit }: Base,
  { files, changed }: Change,
): Promise<ReadonlySet<string>> {
  const manifests: { path: string; text: string }[] = [];
  for (const path of manifestsFor(changed, files).slice(0, mostRead))
    manifests.push({ path, text: (await git.textAt(mirror, baseCommit, path)) ?? "" });
  return new Set(changed.filter((path) => isDelivered(path, manifests)));
}

/** Changed programs outside of source folders that tests of the base test. */
export async function testedPrograms(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { mirror, baseCommit }: Base,
  { files, changed }: Change,
): Promise<ReadonlySet<string>> {
  const kindOf = fileKinds(policy);
  const known = new Set(files);
  const programs = changed.filter((path) => known.has(path) && !isBelowSource(path) && isCode(kindOf(path)));
  const found = new Set<string>();
  if (programs.length === 0) return found;
  const tests = files.filter((path) => kindOf(path).role === "test");
  const source = files.filter((path) => isBelowSource(path) && kindOf(path).role === "source");
  const others = files.filter((path) => mayBeUsed(path, kindOf(path)));
  const textOf = async (path: string) => ({ path, text: (await git.textAt(mirror, baseCommit, path)) ?? "" });
  for (const path of programs.slice(0, mostRead)) {
    const near = await Promise.all(testsFor(path, tests).map(textOf));
    if (near.length === 0) continue;
    if (isTested({ program: await textOf(path), tests: near, source, others })) found.add(path);
  }
  return found;
}

/** The other words by which lines name a program that they run. */
function wordsFor(path: string, runs: readonly ProgramRun[]): readonly string[] {
  return [...new Set(runs.flatMap((each) => (each.path === path && each.word !== path ? [each.word] : [])))];
}

function isCode({ role }: FileKind): boolean {
  return role === "source" || role === "unsure";
}

/** False for settings and documents. */
function mayBeUsed(path: string, { role }: FileKind): boolean {
  return role === "other" ? mayBeCompared(path) : role !== "setting" && role !== "generated";
}
