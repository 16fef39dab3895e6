import type { Mirror } from "../../agent/git/mirror.ts";
import { isJudge } from "../../core/acceptance/proven-programs.ts";
import {
  foundIn,
  placesInCommand,
  placesInSettings,
  placesInTexts,
  placesOfShell,
  scriptLines,
  speaksOf,
  wordFor,
} from "../../core/files/found.ts";
import { type FileKind, fileKinds, hasSourceFolders, isBelowSource, isProgram } from "../../core/files/kind.ts";
import { lastCommands } from "../../core/files/last-lines.ts";
import { madeBy } from "../../core/files/makefile.ts";
import { folderOf, lastPart } from "../../core/files/path.ts";
import { isCalledBuilder } from "../../core/files/runners.ts";
import { programsIn } from "../../core/files/program-runs.ts";
import { isShellFile } from "../../core/trials/languages.ts";
import { filesLoadedBy } from "../../core/trials/loading-files.ts";
import { newSurroundings } from "../../core/trials/surroundings.ts";
import type { Deps } from "../../deps.ts";
import { isForShell, type StartedFiles, runsOf } from "./run-scripts.ts";

/** Files of the base that a goal's proof finds by a folder or a glob. */
export interface FoundFiles extends StartedFiles {
  /** The commands, and the lines of `package.json` or a makefile that they run. */
  readonly lines: readonly string[];
  /** These lines, and the shell scripts that they run. */
  readonly started: readonly string[];
  /** True for a found file that is not below a source folder. */
  readonly has: (path: string) => boolean;
  /** True for a found file that names a test runner or an assertion library. It is a test, whatever its name. */
  readonly isTest: (path: string) => Promise<boolean>;
  /** True for a found file that no source names and whose folder no source reads. It is proof, not the work under test. */
  readonly isOnlyFound: (path: string) => Promise<boolean>;
}

/** Maximum number of files that name a file and are read. */
const mostRead = 50;

/** Files of compiled languages. */
const isCompiled =
  /\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|cu|erl|hrl|hs|ml|mli|f|f90|f95|s|asm|go|rs|zig|nim|d|pas|adb|ads|v|vhd|java|kt|scala|cs|fs|swift|proto|thrift)$/i;

/** Settings that tell test runners where tests are. */
const runnerSettings =
  /^(?:pytest\.ini|\.?pytest\.toml|tox\.ini|setup\.cfg|pyproject\.toml|\.mocharc\..*|(?:vitest|jest|playwright|ava|karma|cypress)\.config\..*|phpunit\.xml.*)$/;

/** Reads which files of the base the commands find. */
export async function foundFiles(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { mirror, baseCommit }: { readonly mirror: Mirror; readonly baseCommit: string },
  files: readonly string[],
  commands: readonly string[],
): Promise<FoundFiles> {
  const kindOf = fileKinds(policy);
  const texts = new Map<string, string>();
  const textOf = async (path: string): Promise<string> => {
    const text = texts.get(path) ?? (await git.textAt(mirror, baseCommit, path)) ?? "";
    texts.set(path, text);
    return text;
  };
  const reading = await readingOf(files, commands, textOf);
  const found = new Set(reading.found);
  const hasFolders = hasSourceFolders(files, kindOf);

  const has = (path: string): boolean => found.has(path) && !isBelowSource(path);

  async function isTest(path: string): Promise<boolean> {
    if (!has(path) || !isProgram(path)) return false;
    return newSurroundings(path, await textOf(path), null).runners.length > 0;
  }

  /** True when another file is about this one and is not proof itself. */
  async function isAbout(file: string, other: string): Promise<boolean> {
    const { role } = kindOf(other);
    if (other === file || isSilent(role) || reading.scripts.includes(other) || (await isTest(other))) return false;
    if (hasFolders && ["test", "proof", "setting"].includes(role)) return false;
    const text = await textOf(other);
    if (speaksOf(text, file) || filesLoadedBy({ path: other, text })(file)) return true;
    const places = isShellFile(other) ? placesOfShell(text) : placesInTexts(text);
    return isProgram(other) && foundIn(places, [file], folderOf(other)).length > 0;
  }

  return {
    lines: reading.lines,
    started: reading.started,
    ...reading.runs,
    has,
    isTest,
    isOnlyFound: async (file) => {
      if (!has(file)) return false;
      if (await isTest(file)) return true;
      // Compiled sources are found by a build's glob, and named only by their headers and functions.
      if (isCompiled.test(file)) return false;
      const words = [wordFor(file), folderOf(file).split("/").at(-1) ?? ""].filter((word) => word !== "");
      const naming = new Set<string>();
      for (const word of words) for (const each of await git.filesNaming(mirror, baseCommit, word)) naming.add(each);
      const near = [...naming].filter((each) => !isSilent(kindOf(each).role));
      for (const each of near.slice(0, mostRead)) if (await isAbout(file, each)) return false;
      return near.length <= mostRead;
    },
  };
}

/** True for files that are not known to read others. */
function isSilent(role: FileKind["role"]): boolean {
  return role === "other" || role === "generated";
}

/** Reads the commands' lines, the scripts that these run, and the files that both and the runners' settings find. */
async function readingOf(
  files: readonly string[],
  commands: readonly string[],
  textOf: (path: string) => Promise<string>,
): Promise<{
  readonly lines: readonly string[];
  readonly started: readonly string[];
  readonly runs: StartedFiles;
  readonly scripts: readonly string[];
  readonly found: readonly string[];
}> {
  const known = new Set(files);
  const lines = [...commands];
  const packageJson = known.has("package.json") ? await textOf("package.json") : "{}";
  lines.push(...scriptLines(packageJson, commands.join("\n")));
  const needs: string[] = [];
  const makefiles: string[] = [];
  for (const name of ["Makefile", "makefile", "GNUmakefile"].filter((each) => known.has(each))) {
    const makefile = await textOf(name);
    const made = madeBy(makefile, lines);
    lines.push(...made.lines);
    needs.push(...made.needs);
    makefiles.push(makefile);
  }
  const ends = lastCommands(commands, packageJson, makefiles);
  const found = foundIn([...lines.flatMap(placesInCommand), ...needs], files);
  const isBuilder = (path: string): boolean => isCalledBuilder.test(lastPart(path));
  const run = [...new Set(lines.flatMap(programsIn))].filter((path) => known.has(path));
  const started = [...lines];
  for (const path of run) {
    const text = await textOf(path);
    if (isShellFile(path) || isForShell(text)) started.push(text);
  }
  const scripts = run.filter((path) => !isBuilder(path));
  const named = new Set(commands.flatMap(programsIn));
  for (const path of scripts) {
    const text = await textOf(path);
    if (!named.has(path) && !isJudge(path, text)) continue;
    const places = isShellFile(path) ? placesInCommand(text) : placesInTexts(text);
    found.push(...foundIn(places, files, folderOf(path)));
  }
  for (const path of files.filter((each) => runnerSettings.test(each)))
    found.push(...foundIn(placesInSettings(await textOf(path)), files));
  const runs = await runsOf({ lines, ends }, known, textOf);
  return { lines, started, runs, scripts, found };
}
