import { firstLine } from "../core/text.ts";
import type { Word } from "../core/text/words.ts";
import { type Command, type Given, UsageError } from "./command.ts";
import { commands } from "./index.ts";
import { findCommand, parseWords } from "./parse.ts";
import { usageOf } from "./usage.ts";

/** A line of a chat or of the console as the call that it means. */
export type ReadCall =
  | { readonly type: "call"; readonly command: Command; readonly given: Given }
  | { readonly type: "help"; readonly command: Command }
  /** No command begins so; `words` is what was typed, shortened. */
  | { readonly type: "unknown"; readonly words: string }
  /** `option`: the one that is at fault. */
  | { readonly type: "wrong"; readonly problem: string; readonly usage: string; readonly option: string | null };

/** Finds the command that the words name and reads the rest of them. Nothing is run, and nobody is looked at. */
export function callOf(words: readonly Word[]): ReadCall {
  const texts = words.map((word) => word.text);
  const found = findCommand(commands, texts);
  if (found === null) return { type: "unknown", words: firstLine(texts.join(" "), 80) };
  const { command } = found;
  try {
    const given = parseWords(command, words.slice(words.length - found.rest.length));
    return given.switches.has("help") ? { type: "help", command } : { type: "call", command, given };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { type: "wrong", problem: error.message, usage: usageOf(command), option: error.option };
  }
}
