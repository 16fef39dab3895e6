import { type RefusedCall, refused } from "../commands/command.ts";
import { callOf } from "../commands/line.ts";
import { asKeyed } from "../core/replies/spoken.ts";
import { firstLine } from "../core/text.ts";
import { readWords } from "../core/text/words.ts";

/** In characters: a longer line is not said again. */
const longestLine = 300;

/**
 * What a reply that is a command is told: in a thread none runs. `/cos` says by itself that one is meant; `cos` does where a command
 * that is complete follows. Null: it is talk.
 */
export function refusedTyped(text: string): RefusedCall | null {
  const said = asKeyed(text);
  const typed = /^(\/?)cos(?!\S)/i.exec(said);
  if (typed === null) return null;
  const read = readWords(said.slice(typed[0].length));
  const call = read.type === "read" && read.words.length > 0 ? callOf(read.words) : null;
  const isMeant = typed[1] === "/" || call?.type === "call" || call?.type === "help";
  if (!isMeant) return null;
  const line = firstLine(said.slice((typed[1] ?? "").length), longestLine + 1).trim();
  const next = call === null || call.type === "unknown" || line.length > longestLine ? "cos help" : line;
  return refused("in a thread no command runs, and nothing was done: type it in the channel", next);
}
