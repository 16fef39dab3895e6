import { shellWord } from "../text/shell-word.ts";

/** The end of a file name that may contain spaces: "my criteria.md". */
const nameOfFile = /\.[a-z]{1,8}$/i;

/**
 * The message when a command was probably given as the name of a criteria file. The text has several words and no file extension, or is one
 * bare word that a shell would run (`make`). Null when it reads as a file name. Called only when no such file exists.
 */
export function commandForFileWords(typed: string): string | null {
  const line = typed.trim();
  const isCommand = /\s/.test(line) ? !nameOfFile.test(line) : /^[a-z][\w-]*$/.test(line);
  if (!isCommand) return null;
  const [quoted, option] = [JSON.stringify(line), shellWord(line)];
  return `there is no criteria file called ${quoted}; if that is a command that has to pass, give it as done-when: --done-when ${option}, or in a list or an outline done-when: ${line}`;
}
