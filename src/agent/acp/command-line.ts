import { readWords } from "../../core/text/words.ts";

/**
 * The words of an agent's command line, quoted as lines are in a chat. Where its quotes do not add up the whole line is
 * the program's name, and no such program is found; `parseAgent` refuses it before.
 */
export function commandWords(line: string): readonly string[] {
  const read = readWords(line);
  return read.type === "wrong" ? [line] : read.words.map((word) => word.text);
}
