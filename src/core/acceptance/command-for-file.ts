import { shellWord } from "../text/shell-word.ts";

/** Names of files that are written with blanks: "my criteria.md". */
const nameOfFile = /\.[a-z]{1,8}$/i;

/**
 * What is said where a command was probably given as the name of a criteria file: it has several words, no folder or ending of a file, or
 * is one bare word that a terminal would run (`make`). Null: it reads as a file. Asked only where there is no such file.
 */
export function commandForFileWords(typed: string): string | null {
  const line = typed.trim();
  const isCommand = /\s/.test(line) ? !nameOfFile.test(line) : /^[a-z][\w-]*$/.test(line);
  if (!isCommand) return null;
  const [quoted, option] = [JSON.stringify(line), shellWord(line)];
  return `there is no criteria file called ${quoted}; if that is a command that has to pass, give it as done-when: --done-when ${option}, or in a list or an outline done-when: ${line}`;
}
