import { notYetWords, workingOnItWords } from "../../src/core/cards/chat-words.ts";

/** The private lines that say what became of something: that it is not recorded yet is said on a slow machine only. */
export function outcomesIn<Line extends { readonly text: string }>(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ text }) => !text.includes(notYetWords) && !text.includes(workingOnItWords));
}
