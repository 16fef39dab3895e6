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
import { isCalledBuilder, programsIn } from "../../core/files/runners.ts";
import { isShell } from "../../core/shell/words.ts";
import { isShellFile } from "../../core/trials/languages.ts";
import { filesLoadedBy } from "../../core/trials/loading-files.ts";
import { newSurroundings } from "../../core/trials/surroundings.ts";
import type { Deps } from "../../deps.ts";

/** Files of the base that the proof of a goal finds by a folder or a glob, and what they are. */
export interface FoundFiles {
  /** The commands, and the lines that they run of a `package.json` or a makefile. */
  readonly lines: readonly string[];
  /** These lines, and the scripts for a shell that they run. */
  readonly started: readonly string[];
  /** Of these lines, those with which the commands end: they say whether something holds. */
  readonly ends: readonly string[];
  /** Whether a file is one of these, and lies in no folder of source. */
  readonly has: (path: string) => boolean;
  /** Whether a file is one of these that names a runner, or what compares: it is a test, whatever it is called. */
  readonly isTest: (path: string) => Promise<boolean>;
  /** Whether a file is one of these and no source speaks of it, or reads its folder: it proves, and is not proven. */
  readonly isOnlyFound: (path: string) => Promise<boolean>;
}

/** At most so many files that speak of one are read. */
const mostRead = 50;

/** Is translated before it runs. */
const isCompiled =
  /\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|cu|erl|hrl|hs|ml|mli|f|f90|f95|s|asm|go|rs|zig|nim|d|pas|adb|ads|v|vhd|java|kt|scala|cs|fs|swift|proto|thrift)$/i;

/** A program without an ending says in its first line that a shell reads it. */
function isForShell(text: string): boolean {
  const [first = ""] = text.slice(0, 60).split("\n", 1);
  return first.startsWith("#!") && first.slice(2).split(/\s/).some(isShell);
}

/** Settings in which runners are told where tests lie. */
const runnerSettings =
  /^(?:pytest\.ini|\.?pytest\.toml|tox\.ini|setup\.cfg|pyproject\.toml|\.mocharc\..*|(?:vitest|jest|playwright|ava|karma|cypress)\.config\..*|phpunit\.xml.*)$/;

/** What of the base is found so by these commands. */
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

  /** Whether it is about a file, and is itself no proof. */
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
    ends: reading.ends,
    has,
    isTest,
    isOnlyFound: async (file) => {
      if (!has(file)) return false;
      if (await isTest(file)) return true;
      // What is compiled is built from what a glob finds; it is named by its headers and functions.
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

/** What of it reads is known of no one. */
function isSilent(role: FileKind["role"]): boolean {
  return role === "other" || role === "generated";
}

/** What the commands come to: their lines, the scripts that these run, and what both, and settings of runners, find. */
async function readingOf(
  files: readonly string[],
  commands: readonly string[],
  textOf: (path: string) => Promise<string>,
): Promise<{
  readonly lines: readonly string[];
  readonly started: readonly string[];
  readonly ends: readonly string[];
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
  return { lines, started, ends, scripts, found };
}
