import { firstLine } from "../core/text.ts";
import { nearest } from "../core/text/nearest.ts";
import { endsOptions, straightened, type Word, wordsAsGiven } from "../core/text/words.ts";
import { type Command, type TypedWords, UsageError } from "./command.ts";
import { type Field, fieldOf, flag } from "./fields.ts";
import { type CommonOption, hasTextAt, type WordPlace, positionalsOf, withCommons } from "./places.ts";

/** Returns the command that the first words name, in any case; the longest match wins. Null when none matches. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  const [first] = words;
  const named = first === undefined ? [] : (namesOf(commands).get(first.toLowerCase()) ?? []);
  const best = named.find(({ names }) => names.every((name, index) => words[index]?.toLowerCase() === name));
  return best === undefined ? null : { command: best.command, rest: words.slice(best.names.length) };
}

interface Named {
  readonly command: Command;
  /** The words of one of its names. */
  readonly names: readonly string[];
}

/** Command names by their first word, longest first; cached for each list, because entries use the same list for every call. */
const byFirstWord = new WeakMap<readonly Command[], ReadonlyMap<string, readonly Named[]>>();

function namesOf(commands: readonly Command[]): ReadonlyMap<string, readonly Named[]> {
  const known = byFirstWord.get(commands);
  if (known !== undefined) return known;
  const all = commands
    .flatMap((command) => [command.name, command.chatName ?? command.name].map((name) => ({ command, name })))
    .map(({ command, name }) => ({ command, names: name.split(" ") }))
    .toSorted((a, b) => b.names.length - a.names.length);
  const made = new Map<string, Named[]>();
  for (const each of all) {
    const [first = ""] = each.names;
    made.set(first, [...(made.get(first) ?? []), each]);
  }
  byFirstWord.set(commands, made);
  return made;
}

/** Options that every command takes; the entries handle them. */
export const commonOptions = [
  fieldOf("json", flag("print one JSON document"), "option"),
  fieldOf("help", flag("show how the command is used"), "option"),
];

/** Parses the words after a command's name. Throws UsageError with what is wrong. */
export function parseGiven(command: Command, words: readonly string[]): TypedWords {
  return parseWords(command, wordsAsGiven(words));
}

/**
 * Like `parseGiven`, for the words of a typed line. A quoted word is no option. A dash that a keyboard made of `--` is corrected if an
 * option of the command follows. A text keeps the white space between its words.
 */
export function parseWords(command: Command, typed: readonly Word[]): TypedWords {
  const own = new Map(command.options.flatMap((field) => typedNames(field).map((name) => [name, field] as const)));
  const known = new Map([...own, ...commonOptions.map((field) => [field.label.slice(2), field] as const)]);
  const read = readOptions(typed, known, command);
  const { options } = read;
  for (const [name, { isMultiple }] of known) {
    if (!isMultiple && (options[name]?.length ?? 0) > 1)
      throw new UsageError(`--${name} is given more than once`, name);
  }
  const { places, commons } = withCommons(command, read);
  const switches = new Set([...read.switches, ...commons]);
  const isOwn = (name: string): boolean => own.has(name);
  for (const { word, isLiteral } of places) {
    if (!isLiteral) mustHoldNoOption(word, places.length === 1, isOwn);
  }
  return { positionals: positionalsOf(command, places, typed, switches.has("help")), options, switches };
}

/** Returns every name by which an option may be typed. */
function typedNames({ label, otherName }: Field): readonly string[] {
  return otherName === undefined ? [label.slice(2)] : [label.slice(2), otherName];
}

/** Replaces `—tag` by `--tag`. */
function withDashes(words: readonly Word[], known: ReadonlyMap<string, Field>): readonly Word[] {
  return words.map((word) => {
    if (word.isQuoted) return word;
    const [dashes, name] = /^-?[—–‒―−][-—–‒―−]{0,3}(?=([A-Za-z][\w-]{0,60})(?:=|$))/.exec(word.text) ?? [];
    if (dashes === undefined || name === undefined || !known.has(name)) return word;
    return { ...word, text: `--${word.text.slice(dashes.length)}` };
  });
}

interface ReadOptions {
  readonly places: readonly WordPlace[];
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** Switches of the command. */
  readonly switches: ReadonlySet<string>;
  /** Options that every command takes. */
  readonly commons: readonly CommonOption[];
}

/**
 * Reads `--name value`, `--name=value` and switches, in any order. `--` ends the options, except inside a text, where it is a dash
 * (F-110). A value may begin with a hyphen (`--cost -1`), unless it is the name of another option. Throws UsageError for an option that
 * is unknown, lacks its value or takes none.
 */
function readOptions(typed: readonly Word[], known: ReadonlyMap<string, Field>, command: Command): ReadOptions {
  const words = withDashes(typed, known);
  const places: WordPlace[] = [];
  const commons: CommonOption[] = [];
  const options: Record<string, string[]> = {};
  const switches = new Set<string>();
  let areOver = false;
  for (let index = 0; index < words.length; index += 1) {
    const [word, asTyped] = [words[index], typed[index]];
    if (word === undefined || asTyped === undefined) break;
    if (areOver || word.isQuoted) {
      places.push({ at: index, word: asTyped, isLiteral: areOver });
      continue;
    }
    if (endsOptions(word) && !hasTextAt(command, places.length - 1)) {
      areOver = true;
      continue;
    }
    const [, asked, given] = /^--([^=\s]+)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    if (asked === undefined) {
      // "-1" and "- a list" are text; "-x" is meant as an option, but there are no options of one letter.
      if (/^-[a-z]\S*$/i.test(word.text)) throw new UsageError(`unknown option ${word.text}`);
      places.push({ at: index, word, isLiteral: false });
      continue;
    }
    const option = known.get(asked);
    if (option === undefined) throw new UsageError(`unknown option --${asked}${meantOption(asked, [...known.keys()])}`);
    const name = option.typedName ?? asked;
    if (option.value === null) {
      if (given !== undefined) throw new UsageError(`--${name} takes no value`, name);
      if (commonOptions.includes(option)) commons.push({ name, at: index, word: asTyped, behind: places.length });
      else switches.add(name);
      continue;
    }
    const next = words[index + 1];
    const isName = next?.isQuoted === false && next.text.startsWith("--") && known.has(next.text.slice(2));
    const value = given ?? (isName ? undefined : next?.text);
    if (value === undefined) throw new UsageError(`--${name}: ${option.value} is missing`, name);
    const from = given === undefined ? next : word;
    if (given === undefined) index += 1;
    if (option.isCommand === true && from !== undefined)
      mustBeWhole(name, value, from, { isBehindText: places.length > 0, next: words.slice(index + 1) });
    const isPretty = option.isCommand === true && from?.quote?.isTypographic === true;
    (options[name] ??= []).push(isPretty ? straightened(value) : value);
  }
  return { places, options, switches, commons };
}

/** Returns ": did you mean --repo?"; empty when no option is similar. */
function meantOption(name: string, known: readonly string[]): string {
  const meant = nearest(name, known, name.length < 4 ? 1 : 2);
  return meant === null ? "" : `: did you mean --${meant}?`;
}

/** Throws UsageError for a command of several words without quotes: a part of it would run something else (F-110). */
function mustBeWhole(
  name: string,
  value: string,
  word: Word,
  { isBehindText, next }: { readonly isBehindText: boolean; readonly next: readonly Word[] },
): void {
  const { quote } = word;
  if (quote !== null && quote.behind !== "")
    throw new UsageError(
      `--${name}: behind the quote that ends comes ${JSON.stringify(quote.behind)}: put the whole command in one pair of quotes, and \\ before each of them inside`,
      name,
    );
  const end = next.findIndex((each) => !each.isQuoted && each.text.startsWith("--"));
  const more = (end === -1 ? next : next.slice(0, end)).map((each) => each.text);
  const isOneWord = quote === null && (word.isTyped || (isBehindText && !/\s/.test(value)));
  if (!isOneWord || more.length === 0) return;
  const whole = firstLine([value, ...more].join(" "), 60);
  throw new UsageError(`--${name} takes one word: put the command in quotes: --${name} "${whole}"`, name);
}

/**
 * Throws UsageError for a quote inside a text that contains an option, because it may have been an apostrophe: '90s … --tag ui … users'.
 * Nothing is guessed (F-110).
 */
function mustHoldNoOption(word: Word, isWhole: boolean, isKnown: (name: string) => boolean): void {
  const { quote } = word;
  if (!word.isQuoted || quote === null || (isWhole && !quote.isApostrophe)) return;
  const held = [...word.text.matchAll(/\s[-—–‒―−]{1,4}([A-Za-z][\w-]{0,60})/g)].find(([, name = ""]) => isKnown(name));
  if (held === undefined) return;
  throw new UsageError(
    `the quote that begins at character ${quote.at} holds${held[0]}: write \\${quote.isApostrophe ? "'" : '"'} for a quote that is a character, or put -- before the text to keep all of it`,
  );
}
