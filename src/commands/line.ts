import { firstLine } from "../core/text.ts";
import type { Word } from "../core/text/words.ts";
import { type Command, type TypedWords, UsageError } from "./command.ts";
import { commands } from "./index.ts";
import { findCommand, parseWords } from "./parse.ts";
import { meantBy } from "./similar.ts";
import { isTerminals } from "./terminal-help.ts";
import { groupOf, rightCall } from "./usage.ts";

/** A line of a chat or of the console, read as a call. */
export type ReadCall =
  | { readonly type: "call"; readonly command: Command; readonly given: TypedWords }
  | { readonly type: "help"; readonly command: Command }
  /** No command begins like this. `words` is the typed line, shortened; `hint` says what was probably meant. */
  | { readonly type: "unknown"; readonly words: string; readonly hint: string | null; readonly next: string }
  /** `option`: the option that is at fault. */
  | { readonly type: "wrong"; readonly problem: string; readonly next: string; readonly option: string | null };

/** Finds the command that the words name, and reads its arguments. Runs nothing, and does not look at the person. */
export function callOf(typed: readonly Word[]): ReadCall {
  const words = withoutOurName(typed);
  const texts = words.map((word) => word.text);
  const found = findCommand(commands, isCallForHelp(texts) ? ["help"] : texts);
  if (found === null) return { type: "unknown", words: firstLine(texts.join(" "), 80), ...hintFor(texts) };
  const helped = helpedCommand(found.command, found.rest);
  if (helped !== null) return { type: "help", command: helped };
  const { command } = found;
  try {
    const given = parseWords(command, found.rest.length === 0 ? [] : words.slice(-found.rest.length));
    return given.switches.has("help") ? { type: "help", command } : { type: "call", command, given };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { type: "wrong", problem: error.message, next: rightCall(command), option: error.option };
  }
}

/** Removes our own name: cards write `cos status` and `/cos status`, and people type that behind `/cos` too. */
function withoutOurName(words: readonly Word[]): readonly Word[] {
  const [first] = words;
  return words.length > 1 && first?.isQuoted === false && /^\/?cos$/i.test(first.text) ? words.slice(1) : words;
}

function isCallForHelp(words: readonly string[]): boolean {
  return words.length === 1 && /^(?:\?|-h|--help)$/i.test(words[0] ?? "");
}

/** Returns the command that help is wanted for: `help goal add`, or `standup help` if the command takes no text. Null for none. */
function helpedCommand(command: Command, rest: readonly string[]): Command | null {
  if (command.name === "help") {
    const named = findCommand(commands, rest);
    return named !== null && named.rest.length === 0 && groupOf(commands, rest).length === 0 ? named.command : null;
  }
  const takesText = command.positionals.some((each) => each.takesRest === true);
  return !takesText && rest.length === 1 && /^(?:help|\?)$/i.test(rest[0] ?? "") ? command : null;
}

const addGoal = "cos goal add TEXT";
const fewestOfTalk = 3;

/** True for words of a sentence, such as a goal's text, which contain no options or ids. */
function isTalk(words: readonly string[]): boolean {
  return words.length >= fewestOfTalk && !words.some((word) => /^--|\d/.test(word));
}

const mostNames = 5;
const longestNext = 300;

/** Returns what was probably meant, and the line to type next. */
function hintFor(words: readonly string[]): { readonly hint: string | null; readonly next: string } {
  if (isTerminals(words[0] ?? "")) return { hint: "it is typed in a terminal", next: "cos help" };
  const offered = commands.filter(({ chatName }) => chatName !== null);
  const meant = meantBy(offered, words);
  switch (meant.type) {
    case "line":
      return { hint: null, next: meant.line.length > longestNext ? "cos help" : meant.line };
    case "group": {
      const [group = ""] = meant.group.map(({ name }) => name.split(" ")[0]);
      const seconds = meant.group.map(({ name }) => name.slice(group.length + 1));
      return { hint: `behind ${group} comes ${seconds.join(", ")}`, next: `cos help ${group}` };
    }
    case "names": {
      const names = meant.names.slice(0, mostNames);
      if (names.length === 0) return { hint: null, next: isTalk(words) ? `to add a goal: ${addGoal}` : "cos help" };
      return { hint: `did you mean ${names.join(", ")}?`, next: "cos help" };
    }
  }
}
