import { isSlipOf } from "../core/replies/slip.ts";
import { nearest } from "../core/text/nearest.ts";
import { shellWord } from "../core/text/shell-word.ts";
import type { Command } from "./command.ts";
import { groupOf } from "./usage.ts";

/** What words that match no command probably mean. */
export type Meant =
  /** A whole line: `cos approve cp-1a2b3c4d`. */
  | { readonly type: "line"; readonly line: string }
  /** The first words of several commands. */
  | { readonly type: "group"; readonly group: readonly Command[] }
  /** Names that begin or end with the word; may be empty. */
  | { readonly type: "names"; readonly names: readonly string[] };

/** Maximum length of a short word. In a short word, two other letters make another word: `what` is not `why`. */
const shortWord = 4;

/** Returns the one command that was probably meant; otherwise the commands of its group, or those with the word in their name. */
export function meantBy(commands: readonly Command[], words: readonly string[]): Meant {
  const [word = "", second] = words.map((each) => each.toLowerCase());
  const names = commands.map(({ name }) => name);
  const group = groupOf(commands, [word]);
  const sameWord = inOtherWords(word, names);
  const two = second === undefined || second.startsWith("-") ? [] : [`${word} ${second}`];
  const one = group.length > 0 || sameWord.length > 0 ? [] : [word];
  // A group that differs by one letter is nearer than a command that differs by two.
  const groups = [...new Set(names.flatMap((name) => (name.includes(" ") ? [name.replace(/ .*/, "")] : [])))];
  const nearGroup = groupOf(commands, [nearest(word, groups, 1) ?? ""]);
  for (const typed of [...two, ...one]) {
    const isShort = typed === word && word.length <= shortWord;
    const near = nearest(typed, names, isShort || (typed === word && nearGroup.length > 0) ? 1 : 2);
    const meant = near ?? (isShort ? (names.find((name) => isSlipOf(word, name)) ?? null) : null);
    const rest = words.slice(typed.split(" ").length).map(shellWord);
    if (meant !== null) return { type: "line", line: ["cos", meant, ...rest].join(" ") };
  }
  if (group.length > 0) return { type: "group", group };
  if (sameWord.length > 0) return { type: "names", names: sameWord };
  if (nearGroup.length > 0) return { type: "group", group: nearGroup };
  return { type: "names", names: names.filter((name) => name.startsWith(word) || name.split(" ").includes(word)) };
}

/** Words that people use to answer or to go on, and that are no commands. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  ok: ["approve"],
  yes: ["approve"],
  accept: ["approve"],
  proceed: ["approve", "autopilot resume"],
  continue: ["approve", "autopilot resume"],
  no: ["reject"],
  deny: ["reject"],
  abort: ["reject", "autopilot stop"],
  cancel: ["reject", "autopilot stop"],
};

/** Returns the commands that a word means, then those whose last word it is. */
function inOtherWords(word: string, names: readonly string[]): string[] {
  const meant = Object.hasOwn(otherWords, word) ? (otherWords[word] ?? []) : [];
  const offered = meant.filter((name) => names.includes(name));
  return [...offered, ...names.filter((name) => name.endsWith(` ${word}`) && !offered.includes(name))];
}
