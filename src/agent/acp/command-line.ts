import { readWords } from "../../core/text/words.ts";

/**
 * Splits an agent's command line into words, with the quoting rules of chat commands. When the quotes are unbalanced, the whole line is
 * returned as the program's name, and no such program is found. `parseAgent` refuses such a line earlier.
 */
export function commandWords(line: string): readonly string[] {
  const read = readWords(line);
  return read.type === "wrong" ? [line] : read.words.map((word) => word.text);
}
