import type { ShellCommand } from "./commands.ts";

/** The words of a command as its program receives them. */

/** `C:\Python\python.exe`: a shell would take its backslashes as escapes. */
const windowsPath = /^[\w.:\\-]+$/;

/** Prefixes in makefiles for a command that may fail or is not echoed: `-npm test`. */
const makeSign = /^[-@+](?=[a-z$])/;
/** A program given by a make variable or by a lookup: `$(PYTHON)`, `$(which npm)`. */
const expanded = /^\$\((?:(?:which|command -v) ([\w./-]+)|([A-Z][A-Z_]*))\)$/;

/** The words from the program on, without quotes. A Windows path stays as typed. */
export function plainWords({ words }: ShellCommand): readonly string[] {
  const [program = "", ...given] = words.map(({ text, value }) => (windowsPath.test(text) ? text : value));
  const own = program.replace(makeSign, "");
  const [, asked, variable] = expanded.exec(own) ?? [];
  return words.length === 0 ? [] : [asked ?? variable?.toLowerCase() ?? own, ...given];
}

/** A program's name without its folder, its version (`vitest@3`) and its Windows extension (`npm.cmd`). */
export function nameOf(program: string): string {
  const name = program.split(/[\\/]/).at(-1) ?? program;
  return name.replace(/(?<=.)@[\w.^~-]*$/, "").replace(/(?<=.)\.(exe|cmd|bat)$/i, "");
}

/** Names of shells that run the line after `-c`. */
export const shellName = /^(?:ba|z|da|k|fi)?sh$/;

/** True when a program is a shell: `/bin/bash`, `sh.exe`. */
export function isShell(program: string): boolean {
  return shellName.test(nameOf(program));
}

/** The words from the first one on that is neither an option nor an option's value. */
export function afterOptions(words: readonly string[], withWord: RegExp): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (withWord.test(word)) index += 1;
    else if (!word.startsWith("-")) return words.slice(index);
  }
  return [];
}
