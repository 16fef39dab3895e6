import type { ShellCommand } from "./commands.ts";

/** The words of a command as its program gets them. */

/** `C:\Python\python.exe`: a shell would take its letters for quoted ones. */
const windowsPath = /^[\w.:\\-]+$/;

/** Makefiles write so that a command may fail, or is not shown: `-npm test`. */
const makeSign = /^[-@+](?=[a-z$])/;
/** A program that is named by a variable of make or asked for: `$(PYTHON)`, `$(which npm)`. */
const expanded = /^\$\((?:(?:which|command -v) ([\w./-]+)|([A-Z][A-Z_]*))\)$/;

/** From its program on, without quotes; a path of Windows as it is typed. */
export function plainWords({ words }: ShellCommand): readonly string[] {
  const [program = "", ...given] = words.map(({ text, value }) => (windowsPath.test(text) ? text : value));
  const own = program.replace(makeSign, "");
  const [, asked, variable] = expanded.exec(own) ?? [];
  return words.length === 0 ? [] : [asked ?? variable?.toLowerCase() ?? own, ...given];
}

/** Of a program, without its folder, the version that it is asked for (`vitest@3`) and what Windows adds (`npm.cmd`). */
export function nameOf(program: string): string {
  const name = program.split(/[\\/]/).at(-1) ?? program;
  return name.replace(/(?<=.)@[\w.^~-]*$/, "").replace(/(?<=.)\.(exe|cmd|bat)$/i, "");
}

/** The names of shells that read a line behind `-c`. */
export const shellName = /^(?:ba|z|da|k|fi)?sh$/;

/** Whether a program is one of them: `/bin/bash`, `sh.exe`. */
export function isShell(program: string): boolean {
  return shellName.test(nameOf(program));
}

/** From the first word on that is neither an option nor the word of one. */
export function afterOptions(words: readonly string[], withWord: RegExp): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (withWord.test(word)) index += 1;
    else if (!word.startsWith("-")) return words.slice(index);
  }
  return [];
}
