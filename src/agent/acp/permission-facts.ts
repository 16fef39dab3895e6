import { lstat } from "node:fs/promises";
import { withoutBeginning } from "../../core/permissions/beginning.ts";
import type { PermissionFacts } from "../../core/permissions/permission.ts";
import { type PipeWord, shellPipe } from "../../core/permissions/shell-words.ts";
import { confine } from "./confine.ts";
import { type CallKind, givenOf, hashOf, hashOfAll, isOfEdit } from "./given.ts";
import { isAllKept } from "./kept-input.ts";
import { type RequestText, lookThrough, mostLooked } from "./look-through.ts";
import { areAllNamesInside, arePatternsInside, secretsBelow } from "./names-inside.ts";
import { isAddress, isPlace, isWords, placeFrom, namedPlace, whys } from "./places-named.ts";

/** The parts of a tool call that a permission depends on. Parts of another shape are read as far as possible. */
export interface AskedCall {
  readonly toolCallId?: string | undefined;
  readonly kind?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly rawInput?: unknown;
  /** The call's input when it was announced, before the agent asked about it, as far as it was kept. */
  readonly announced?: Readonly<Record<string, unknown>> | null | undefined;
  readonly locations?: readonly { readonly path: string }[] | null | undefined;
  readonly content?: readonly unknown[] | null | undefined;
}

/** Keys that hold a command. */
const commandKeys: ReadonlySet<string> = new Set(["command", "cmd"]);
const placeKeys: ReadonlySet<string> = new Set(["cwd", "workdir", "directory", "dir", "working_directory", "path"]);

/** Returns the facts of a request that decide a permission: every place, under any key, and keys whose meaning is unknown (F-303). */
export async function factsOf(worktree: string, call: AskedCall): Promise<PermissionFacts> {
  const input = inputOf(call);
  const kind = call.kind ?? "other";
  const looked = lookThrough(input);
  const found = looked.strings;
  const commands = found.filter(({ key, path }) => commandKeys.has(key) && path.length === 1);
  const command = lineOf(input, commands);
  const others = found.filter((each) => !commands.includes(each) && !isWords(each.key) && !isOfEdit(each, kind));
  // A tool may use a file's path as a key whose value says what is done to it.
  const keys = [...looked.keys];
  const diffs = (call.content ?? []).flatMap((each) => pathOfDiff(each) ?? []);
  const named = [
    ...(call.locations ?? []).map((each) => each.path),
    ...diffs,
    ...[...others.map(({ text }) => text), ...keys].filter(isPlace),
    ...others.flatMap(({ text }) => placesOfPatch(text)),
  ];
  const confined = await Promise.all(named.map((text) => placeNamed(worktree, text)));
  // A plain name is a place too, because a link of that name may lead out. The program to run is judged by its words alone.
  const names = [...others.map(({ text }) => text), ...keys].filter(isName);
  const words = wordsOf(command);
  const from = placeToRun(input);
  const paths = [
    ...names,
    ...pathsIn(argumentsOf(command), /[\s'"=:]+/).slice(0, mostLooked),
    ...words.slice(0, mostLooked).flatMap(({ text }) => pathsOfWord(text)),
  ];
  const led = await Promise.all(
    [...new Set([...paths, ...[...paths, ...named].map((path) => placeFrom(from, path))])].map((path) =>
      confine(worktree, path),
    ),
  );
  const isWhole = looked.isWhole && words.length <= mostLooked;
  const areNamesInside =
    (await arePatternsInside(worktree, from, patternsIn(words))) &&
    (!/\bxargs\b/.test(command ?? "") || (await areAllNamesInside(worktree)));
  const outside = led.filter((each) => !each.isInside);
  const isArgument = ({ path }: RequestText): boolean => command !== null && isOfArguments(input, path);
  const texts = found.filter((each) => !commands.includes(each) && !isArgument(each));
  const isAll = looked.isWhole && looked.hasAllValues;
  const of: CallKind = { kind, hasCommand: command !== null, toolCallId: call.toolCallId ?? "" };
  const given = await givenOf(worktree, of, { texts, values: looked.values });
  const title = call.title ?? "";
  const isEmpty = command === null && named.length + given.bound.length === 0;
  const isUnsaid = isEmpty && given.shown.length === 0 && (title === "" || kind === "execute" || kind === "other");
  const isCut = call.announced != null && input === call.announced && !isAllKept(call.announced);
  return {
    kind,
    title,
    command,
    locations: [...new Set([...confined, ...outside].map((each) => each.shown))].sort(),
    isInside: isWhole && areNamesInside && outside.length === 0 && confined.every((each) => each.isInside),
    files: command === null ? [] : await filesIn(worktree, command, from),
    secrets: words.length === 0 ? [] : await secretsBelow(worktree, from),
    unknown: command === null ? [] : unknownOf(input, [...others, ...secondOf(commands)]),
    given: [
      ...given.shown,
      ...(isAll ? [] : ["and more than can be shown"]),
      ...(isUnsaid ? [/\s/.test(title) ? noMore : unnamed] : []),
    ],
    bound: [
      ...given.bound,
      ...(isAll ? [] : [await hashOfAll(worktree, of, input)]),
      ...(isEmpty && title === "" ? [alone(call)] : []),
      ...(isCut ? [of.toolCallId] : []),
    ],
  };
}

/** The call's input: as in the request, else as announced, else the text content that is for people. */
function inputOf({ rawInput, announced, content }: AskedCall): unknown {
  const { strings, values, keys, isWhole } = lookThrough(rawInput);
  if (!isWhole || strings.length + values.length + keys.size > 0) return rawInput;
  if (Object.keys(announced ?? {}).length > 0) return announced;
  const said = lookThrough(content).strings.filter(({ path }) => path.join(".") === "content.text");
  return said.length === 0 ? rawInput : { content: said.map(({ text }) => text) };
}

/** Resolves a named place. An address is never inside, and is shown as written: resolving its `..` could change its host. */
async function placeNamed(
  worktree: string,
  text: string,
): Promise<{ readonly shown: string; readonly isInside: boolean }> {
  const { shown, isInside } = await confine(worktree, namedPlace(text));
  return isAddress(text) ? { isInside: false, shown: text } : { isInside, shown };
}

/** The line that would be run; null when there is none. Two that differ are both shown, and match no known command. */
function lineOf(input: unknown, commands: readonly RequestText[]): string | null {
  if (commands.length === 0) return null;
  const given = Object.entries(input ?? {}).filter(([key]) => commandKeys.has(key.toLowerCase()));
  const lines = given.map(([, value]) => {
    return typeof value === "string" ? value : lineOfWords(value);
  });
  const args = Object.entries(input ?? {}).find(([key]) => key === "args")?.[1];
  const more = Array.isArray(args) ? lineOfWords(args) : "";
  const all = [...new Set(lines)].join(" ; ");
  return more === "" ? all : `${all} ${more}`;
}

/** Joins words to a line. It ends in "…" when there are more words. */
function lineOfWords(value: unknown): string {
  const { strings, isWhole } = lookThrough(value);
  const line = commandLine(strings.map((each) => each.text));
  return isWhole ? line : `${line} …`;
}

/** Commands under another key that differ from the first: which of them is run is unknown. */
function secondOf(commands: readonly RequestText[]): readonly RequestText[] {
  const first = commands[0];
  return commands.filter((each) => each.path[0] !== first?.path[0]).filter((each) => each.text !== first?.text);
}

/** True for a text among a command's `args`, which are part of its line already. */
function isOfArguments(input: unknown, path: readonly string[]): boolean {
  return path[0] === "args" && Array.isArray(Reflect.get(input as object, "args"));
}

/** Words for a request that only names its tool, and for one whose title may say what it does. */
const unnamed = "it does not say what";
const noMore = "it says no more than this";

/** Identifies a request without command, place or title: by its content, else by the id of the call. */
function alone({ content, toolCallId }: AskedCall): string {
  return (content ?? []).length > 0 ? hashOf(content) : (toolCallId ?? "");
}

/** Unknown keys beside a command: a second command, an environment, a shell. */
function unknownOf(input: unknown, others: readonly RequestText[]): string[] {
  const isKnown = ({ key, path }: RequestText): boolean => {
    if (isOfArguments(input, path)) return true;
    return path.length === 1 && (whys.has(key) || placeKeys.has(key));
  };
  return [...new Set(others.filter((each) => !isKnown(each)).map((each) => each.path.join(".")))].sort();
}

function isName(text: string): boolean {
  return text !== "" && text.length <= 255 && /^[\w.@+-]+$/.test(text);
}

/** The line without its program, which is often a link that leads out: `.venv/bin/python`. */
function argumentsOf(command: string | null): string {
  return withoutBeginning((command ?? "").trim()).replace(/^(?:[A-Za-z_]\w{0,60}=\S{0,200}\s{1,9}){0,10}\S+/, "");
}

/** The words after the program, for each command of a pipe. Empty when the line is more than a pipe. */
function wordsOf(command: string | null): readonly PipeWord[] {
  return (shellPipe(withoutBeginning((command ?? "").trim())) ?? []).flatMap((words) =>
    words.slice(words.findIndex(({ text }) => !/^[A-Za-z_]\w{0,60}=/.test(text)) + 1),
  );
}

/** Words that a shell replaces by file names; words in quotes are not. */
function patternsIn(words: readonly PipeWord[]): string[] {
  return words.flatMap(({ plain }) => (/[*?[]/.test(plain) ? [plain] : []));
}

/** Parts of a word that may be a path: all of it, the part before `:`, an option's value. Without `..`, as in `pathsIn`. */
function pathsOfWord(word: string): string[] {
  const [before = ""] = word.split(":", 1);
  const parts = new Set([word, before, word.slice(word.indexOf("=") + 1)]);
  return [...parts].filter((part) => !part.startsWith("/") && !part.split("/").includes("..") && part.length <= 1_000);
}

/** Words of a command that may be paths. Words with `..` are left out: such a command is never allowed unasked. */
function pathsIn(command: string, between: RegExp): string[] {
  return command
    .split(between)
    .filter((word) => /^[\w.@+^*?[\]-][\w./@+^~*?[\]-]{0,999}$/.test(word) && !word.includes(".."));
}

/** Words that are files or folders in the worktree. For a pattern, its folder must exist. Includes installed programs of `npx`. */
async function filesIn(worktree: string, command: string, from: string): Promise<string[]> {
  const program = /\bnpx[ \t]{1,9}([a-z][\w-]{0,60})(?=\s|$)/.exec(command)?.[1];
  const installed = program === undefined ? [] : [`node_modules/.bin/${program}`];
  const found = await Promise.all(
    [...new Set([...pathsIn(command, /[\s'":]+/).slice(0, mostLooked), ...installed])].map(async (word) => {
      const [plain = ""] = word.split(/[*?[]/, 1);
      const place = plain === word ? word : `./${plain.slice(0, plain.lastIndexOf("/") + 1)}`;
      const { real, isInside } = await confine(worktree, placeFrom(from, place));
      const isThere = isInside && (await lstat(real).catch(() => null)) !== null;
      return isThere ? [word] : [];
    }),
  );
  return found.flat();
}

/** The folder in which the request says the command is run; the worktree when it does not say. */
function placeToRun(input: unknown): string {
  const named = Object.entries(input ?? {}).find(([key]) => placeKeys.has(key.toLowerCase()) && key !== "path")?.[1];
  return typeof named === "string" ? namedPlace(named) : ".";
}

/** Paths in a patch of the two usual formats. Empty for any other text. */
function placesOfPatch(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const found = /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:---|\+\+\+) (?:[ab]\/)?)(\S.*)$/.exec(
      line,
    );
    const place = found?.[1]?.split("\t", 1)[0]?.trim();
    return place === undefined || place === "/dev/null" ? [] : [place];
  });
}

function pathOfDiff(content: unknown): string | null {
  if (typeof content !== "object" || content === null || Reflect.get(content, "type") !== "diff") return null;
  const path: unknown = Reflect.get(content, "path");
  return typeof path === "string" ? path : "/";
}

/** The line a shell would get. `["bash", "-lc", LINE]` gives LINE, for fewer shells than elsewhere. Others are joined and quoted. */
function commandLine(command: readonly string[]): string {
  const [program, flag, line] = command;
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(program ?? "") && /^-l?c$/.test(flag ?? "");
  if (command.length === 3 && line !== undefined && isShell) return line;
  return command.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
