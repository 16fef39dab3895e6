import { endsOptions, readWords, type Word } from "./text/words.ts";

/** Kinds of ids and names that are suggested while a person types. */
export type Suggested = "question" | "goal" | "campaign" | "repository";

/** A line typed in a chat, before its command is looked up. */
export interface ChatLine {
  /** True when the answer is for everyone. Known before the command runs, because some platforms fix it at the acknowledgement. */
  readonly isPublic: boolean;
  readonly asked: { readonly type: "words"; readonly words: readonly Word[] } | UnreadLine;
}

/** The line cannot be parsed, for example because a quote is not closed. */
export interface UnreadLine {
  readonly type: "unread";
  readonly problem: string;
}

/** Parses a chat line. An empty line asks for help. */
export function readChatLine(line: string): ChatLine {
  const read = readWords(line.trim() === "" ? "help" : line);
  if (read.type === "wrong") return { isPublic: false, asked: { type: "unread", problem: read.problem } };
  const words = withoutPublic(read.words);
  return { isPublic: words.length < read.words.length, asked: { type: "words", words } };
}

/** Removes each `--public` at the end of the line or before other options there. Inside a text it is kept (F-110). */
function withoutPublic(words: readonly Word[]): readonly Word[] {
  const at = words.findLastIndex((word) => !word.isQuoted && /^(?:--|—|––?)public$/i.test(word.text));
  if (at === -1 || words.slice(0, at).some(endsOptions)) return words;
  const isLast = words.slice(at + 1).every((word) => !word.isQuoted && /^(?:--|—)\w/.test(word.text));
  return isLast ? withoutPublic(words.filter((_, index) => index !== at)) : words;
}
