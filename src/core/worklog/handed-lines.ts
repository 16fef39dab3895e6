import { afterOptions, nameOf, unquoted } from "./shell-line.ts";

/** Lines that are handed on within such lines are read no deeper: an agent chooses how many there are. */
export const deepestLine = 3;

/** `-c`, `-lc`: the next word is a line of its own. */
const lineFollows = /^-[a-z]*c$/;

/** The line that a shell is given: the last word of `bash -l -c 'npm test'`, what follows `cmd /c`; null of what is none. */
export function lineOfShell([program = "", ...words]: readonly string[]): string | null {
  if (/^(cmd|pwsh|powershell)$/i.test(nameOf(program))) {
    const before = words.findIndex((word) => /^(\/[ck]|-c(ommand)?)$/i.test(word));
    return before === -1 ? null : words.slice(before + 1).join(" ");
  }
  if (!/^(ba|z|da|k|fi)?sh$/.test(nameOf(program))) return null;
  const at = words.findIndex((word) => lineFollows.test(word));
  const isBehindOptions = words.slice(0, at).every((word, index) => /^[-+]/.test(word) || words[index - 1] === "-o");
  return at === -1 || !isBehindOptions ? null : (words[at + 1] ?? null);
}

/** Programs that take a line as a shell does, and after which option; those of Nix take the words behind it. */
const lineOptions: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(su|runuser|sg|script|vagrant)$/, /^(-[a-z]*c|--(session-)?command)$/],
  [/^nix-shell$/, /^--(run|command)$/],
  [/^nix$/, /^(-c|--command)$/],
];

/** The line, without its quotes, that a shell or a program like one is given: `su - bob -c 'npm test'`; null of what is none. */
export function handedLine(words: readonly string[]): string | null {
  const ofShell = lineOfShell(words);
  if (ofShell !== null) return unquoted(ofShell);
  const [program = "", ...after] = words;
  const name = nameOf(program);
  if (name === "eval") return after.map(unquoted).join(" ");
  const option = lineOptions.find(([named]) => named.test(name))?.[1];
  if (option === undefined) return null;
  const inOne = after.find((word) => option.test(word.split("=", 1)[0] ?? "") && word.includes("="));
  if (inOne !== undefined) return unquoted(inOne.slice(inOne.indexOf("=") + 1));
  const at = after.findIndex((word) => option.test(word));
  if (at === -1) return null;
  return name === "nix" ? after.slice(at + 1).join(" ") : unquoted(after[at + 1] ?? "");
}

/** The line that another host is given: what follows its name in `ssh -p 22 ana@host 'npm test'`; null of what is none. */
export function lineOfHost([program = "", ...words]: readonly string[]): string | null {
  if (nameOf(program) !== "ssh") return null;
  const options = /^-[BbcDEeFIiJLlmOoPpQRSWw]$/;
  const [, ...behind] = afterOptions(words, options);
  return afterOptions(behind, options).map(unquoted).join(" ");
}
