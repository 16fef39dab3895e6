import type { Command, TypedWords } from "../commands/command.ts";
import { callOf } from "../commands/line.ts";
import { asKeyed } from "../core/replies/spoken.ts";
import { readWords } from "../core/text/words.ts";

/** In characters. A longer line is not repeated. */
const longestLine = 300;

/**
 * Returns the line to type in the channel when a reply is a command: commands do not run in a thread. `/cos` always means a command.
 * `cos` means one only before a complete command that is not likely to be talk. Null when the reply is talk.
 */
export function lineToType(text: string): string | null {
  const said = asKeyed(text);
  const typed = /^(\/?)cos(?!\S)/i.exec(said);
  if (typed === null) return null;
  const isSlash = typed[1] === "/";
  const rest = said.slice(typed[0].length).trim();
  const read = readWords(rest);
  if (read.type === "wrong" || read.words.length === 0) return isSlash ? "cos help" : null;
  const call = callOf(read.words);
  if (!isSlash && !(call.type === "call" && isPlain(call.command, call.given))) return null;
  switch (call.type) {
    case "unknown":
    case "wrong":
      return call.next;
    case "help":
      return `cos help ${call.command.name}`;
    case "call":
      return /[\r\n]/.test(rest) || rest.length > longestLine ? `cos help ${call.command.name}` : `cos ${rest}`;
  }
}

/** Like `lineToType`, for a message to us in the channel. There our name in front does not mean a command either, just like `cos`. */
export function lineMentioned(text: string): string | null {
  return lineToType(text) ?? lineToType(`cos ${asKeyed(text)}`);
}

/** `cos why not` is talk; `cos why goal-1a2b3c4d` and `cos goal add Text` are commands. */
function isPlain({ name, chatName }: Command, { positionals }: TypedWords): boolean {
  if (chatName === null || name === "help") return false;
  const [first] = Object.values(positionals);
  return name.includes(" ") || first === undefined || (/^[a-z]+-[\da-z]+$/.test(first) && /\d/.test(first));
}
