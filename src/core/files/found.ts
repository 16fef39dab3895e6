import { globMatcher } from "../text/globs.ts";
import { interpreters, isOnlyLooking } from "./interpreters.ts";
import { loopLists, loopPlaces } from "./loop-places.ts";
import { lastPart } from "./path.ts";
import {
  isCalledBuilder,
  isRunning,
  isProgramFile,
  makers,
  programOf,
  quotedIn,
  startedWords,
  withFolder,
} from "./runners.ts";
import { linesOf } from "../shell/script.ts";
import { workingFolders } from "./program-runs.ts";

/**
 * Finds files that no command names: a runner or a script finds them by folder or by glob (`prove -l xt`, `node --test checks/*.mjs`, `for
 * f in cases/*.case`). Places have the same form: `xt`, `cases/*.case`.
 */

/** Commands that list files. The files count only if the loop's body runs something. */
const listers: ReadonlySet<string> = new Set(["ls", "find", "cat"]);
const goesThrough = /\b(?:for|while|xargs|parallel)\b|-exec/;

/** Options for the folder in which something runs. */
const goesInto = /^(?:-C|--prefix|--cwd|--dir|--directory|--rootDir|--chdir|--project|-p)$/;

/** Default folders of some runners. */
const usual: ReadonlyMap<string, string> = new Map(
  Object.entries({
    prove: "t",
    behave: "features",
    cucumber: "features",
    busted: "spec",
  }),
);

/** Maximum number of characters of a text that are read. */
const longest = 100_000;

/** The folders and globs of a command line, or of a shell script, whose files are run or compared. */
export function placesInCommand(command: string): string[] {
  const folders = workingFolders(command.slice(0, longest));
  const places = linesOf(command.slice(0, longest)).flatMap((line) => {
    const started = startedWords(line).map((words) => words.map(withoutVariables));
    const isGoingThrough = goesThrough.test(line) && started.some(runsEach);
    const gone = isGoingThrough ? loopLists(line).flatMap((word) => placeOf(withoutVariables(word)) ?? []) : [];
    const places = started.flatMap((words) => placesNamed(words, isGoingThrough));
    const named = isGoingThrough ? loopPlaces(line).flatMap((place) => placeOf(place) ?? []) : [];
    return [...new Set([...gone, ...places, ...named])];
  });
  return [
    ...new Set(folders.flatMap((folder) => places.map((place) => (folder === "" ? place : `${folder}/${place}`)))),
  ];
}

/** True when a part of a loop runs something for each item, and does not only inspect it. */
function runsEach(words: readonly string[]): boolean {
  const [program = ""] = words;
  if (listers.has(program) || isOnlyLooking(words)) return false;
  return isRunning(program) || /^\$\{?\w+\}?$/.test(program);
}

function placesNamed(words: readonly string[], isGoingThrough: boolean): string[] {
  const program = programOf(words);
  if (isOnlyLooking(words) || words.some((word) => /\bdoctest\b/.test(word))) return [];
  const isStarted = makers.has(program) || isProgramFile(program) || isRunning(withFolder(words));
  if (!(listers.has(program) ? isGoingThrough : isStarted)) return [];
  const given = words.slice(words[1] === "-m" ? 3 : 1);
  const told = makers.has(program) ? given.slice(given.includes("--") ? given.indexOf("--") + 1 : given.length) : given;
  const [script = ""] = isProgramFile(program)
    ? [program]
    : interpreters.has(program)
      ? given.filter((word) => !word.startsWith("-"))
      : [];
  if (isCalledBuilder.test(lastPart(script))) return [];
  const runsFolders = script === "" || given.some((word) => /^(?:--test|test)$/.test(word));
  const places = told.flatMap((word, index) => {
    const [option = "", value = ""] = word.startsWith("-") ? word.split("=", 2) : ["", word];
    if ([option, told[index - 1] ?? ""].some((each) => goesInto.test(each))) return [];
    if (option !== "" && !/test|spec|suite|feature|dir|path|glob|file/i.test(option)) return [];
    const place = placeOf(value);
    return place === null || !(runsFolders || isGlob(place)) ? [] : [place];
  });
  const own = usual.get(program);
  return places.length === 0 && own !== undefined ? [own] : places;
}

/** The folders and globs in the strings of a program in another language. */
export function placesInTexts(text: string): string[] {
  const found = quotedIn(text.slice(0, longest));
  return [...new Set(found.flatMap((said) => placeOf(said.replace(/^\$\{\w{1,100}\}\//, "")) ?? []))];
}

/** All paths that a shell script names, whatever it does with them. */
export function placesOfShell(text: string): string[] {
  const words = text
    .slice(0, longest)
    .split("\n")
    .flatMap((line) => (/^\s{0,40}#/.test(line) ? [] : withoutVariables(line).split(/[\s'"`=;&|()<>]+/)));
  return [...new Set(words.flatMap((word) => placeOf(word) ?? []))];
}

/** Removes a variable at the start of a path (`$here/cases/*.case`). The unknown folder is read as the current one. */
function withoutVariables(line: string): string {
  return line.replace(/(?:"?\$\([^()]{0,200}\)"?|"?\$\{?\w{1,100}\}?"?)\//g, "");
}

/** The lines of a `package.json` that a command runs: scripts by name, their `pre` and `post` scripts, and the scripts that these run. */
export function scriptLines(packageJson: string, command: string): string[] {
  const scripts = new Map(scriptsIn(packageJson).map(([name, script], at) => [name, { at, script }]));
  const run = new Set<number>();
  const lines: string[] = [];
  for (const line of linesFrom([command], lines)) {
    const words = new Set(wordsForScripts(line).flatMap((word) => [word, `pre${word}`, `post${word}`]));
    const named = [...words].flatMap((word) => scripts.get(word) ?? []).filter(({ at }) => !run.has(at));
    for (const { at, script } of named.sort((one, other) => one.at - other.at)) {
      run.add(at);
      lines.push(script);
    }
  }
  return lines;
}

/** The scripts of a `package.json` that a simple command names. */
export function scriptsNamed(packageJson: string, command: string): string[] {
  const words = new Set(wordsForScripts(command));
  return scriptsIn(packageJson).flatMap(([name, script]) => (words.has(name) ? [script] : []));
}

/** The words of a line that may name scripts. Empty when the line runs no scripts. */
function wordsForScripts(line: string): string[] {
  if (!/\b(?:npm|pnpm|yarn|bun|npm-run-all|run-s|run-p|turbo|nx|concurrently|node --run)\b/.test(line)) return [];
  const words = line.split(/[^\w:.-]+/);
  return words.includes("t") ? [...words, "test"] : words;
}

/** Yields the first lines, then the lines that are added to `more` in the meantime. */
function* linesFrom(first: readonly string[], more: readonly string[]): Generator<string> {
  yield* first;
  yield* more;
}

function scriptsIn(packageJson: string): readonly (readonly [string, string])[] {
  try {
    const { scripts } = JSON.parse(packageJson) as { scripts?: Record<string, unknown> };
    return Object.entries(scripts ?? {}).flatMap(([name, line]) => (typeof line === "string" ? [[name, line]] : []));
  } catch {
    return [];
  }
}

/** The folders and globs in which a runner looks for tests, from its settings. A bare file pattern applies to every folder. */
export function placesInSettings(text: string): string[] {
  const lines = text
    .slice(0, longest)
    .matchAll(/\b(?:testpaths|python_files|testMatch|testDir|specs?|include|roots|directory)\b.{0,400}/g);
  const words = [...lines].flatMap(([line]) => line.split(/[\s'"`,;=:<>()[\]]+/).slice(1));
  return words.flatMap((word) => {
    const place = placeOf(word.replace(/^<rootDir>\//, ""));
    return place === null ? [] : [isGlob(place) && !place.includes("/") ? `**/${place}` : place];
  });
}

/** The word as a path below the current folder; null when it is not one. */
function placeOf(word: string): string | null {
  const place = word.replace(/^(?:\.?\/)+/, "").replace(/(?:\/|\/\.\.\.)$/, "");
  if (place === "" || place.startsWith(".") || place.startsWith("!") || place.length > 200) return null;
  return /^[\w.@*?[\]{},/+-]+$/.test(place) && !/^[*?]+$/.test(place) ? place : null;
}

function isGlob(place: string): boolean {
  return /[*?[{]/.test(place);
}

/** The files in these places. `from` is the folder of the script that names them, which may also be its working folder. */
export function foundIn(places: readonly string[], files: readonly string[], from = ""): string[] {
  const all = [...new Set(from === "" ? places : places.flatMap((place) => [place, `${from}/${place}`]))];
  const folders = new Set(all.filter((place) => !isGlob(place)));
  const isFound = globMatcher(all.filter(isGlob).slice(0, 200));
  return files.filter((file) => isFound(file) || foldersOf(file).some((folder) => folders.has(folder)));
}

/** Every folder above a file. */
function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** True when a text names a file by its name with extension, or by folder and name. The bare name alone is not enough. */
export function speaksOf(text: string, file: string): boolean {
  const [folder = "", name = ""] = file.split("/").slice(-2);
  if (!file.includes("/")) return text.includes(file);
  if (text.includes(name)) return true;
  const stem = name.replace(/\.\w{1,10}$/, "");
  return ["/", ".", "::", "\\"].some((sign) => text.includes(`${folder}${sign}${stem}`));
}

/** The name by which code refers to a file: usually without its extension. */
export function wordFor(path: string): string {
  const name = lastPart(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 && !/\.(?:json|csv|ya?ml|xml|toml|tsv)$/i.test(name) ? name.slice(0, dot) : name;
}
