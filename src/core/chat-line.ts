import { endsOptions, readWords, type Word } from "./text/words.ts";

/** What has an id or a name that people are helped to type. */
export type Suggested = "question" | "goal" | "campaign" | "repository";

/** A line that somebody typed in a chat, before any command is looked for. */
export interface ChatLine {
  /** Its answer is for everybody: known before it runs, because some platforms fix that when they acknowledge. */
  readonly isPublic: boolean;
  readonly asked: { readonly type: "words"; readonly words: readonly Word[] } | UnreadLine;
}

/** Nothing in it can be read, such as a quote that is never closed. */
export interface UnreadLine {
  readonly type: "unread";
  readonly problem: string;
}

/** An empty line asks for help. */
export function readChatLine(line: string): ChatLine {
  const read = readWords(line.trim() === "" ? "help" : line);
  if (read.type === "wrong") return { isPublic: false, asked: { type: "unread", problem: read.problem } };
  const words = withoutPublic(read.words);
  return { isPublic: words.length < read.words.length, asked: { type: "words", words } };
}

/** Without each `--public` at the end of the line, or before other options there; within a text it is what was written (F-110). */
function withoutPublic(words: readonly Word[]): readonly Word[] {
  const at = words.findLastIndex((word) => !word.isQuoted && /^(?:--|—|––?)public$/i.test(word.text));
  if (at === -1 || words.slice(0, at).some(endsOptions)) return words;
  const isLast = words.slice(at + 1).every((word) => !word.isQuoted && /^(?:--|—)\w/.test(word.text));
  return isLast ? withoutPublic(words.filter((_, index) => index !== at)) : words;
}
