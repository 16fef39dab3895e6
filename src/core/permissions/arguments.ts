import { type Options, optionsOf } from "./options.ts";
import { familyOf, type ArgumentKind, argumentKind, subcommandsOf } from "./programs.ts";
import { namesSecret } from "./secret-files.ts";
import type { PipeWord } from "./shell-words.ts";

/**
 * Checks the words after a command that runs without a person. Every word must be understood. A word that could name a place outside
 * the repository, load a program, start something more, or that is not listed here is not understood. Then a person is
 * asked (F-303).
 */

/**
 * True when each word after a known command is understood. `known` are the command's own words, `files` the words of the line
 * that are paths of files or folders inside the repository, `secrets` the files with a name for secrets: a word that names one of
 * them is not understood.
 */
export function areUnderstood(
  known: readonly string[],
  rest: readonly PipeWord[],
  { files, secrets }: { readonly files: readonly string[]; readonly secrets: readonly string[] },
): boolean {
  const family = familyOf(known);
  const others = subcommandsOf(known);
  const options = optionsOf[family];
  const read = operandsOf(options, rest);
  if (read === null) return false;
  const given = [...known, ...read.given];
  if (options.needed.size > 0 && !given.some((each) => options.needed.has(each))) return false;
  return read.operands.every(
    (word) =>
      !others.includes(word.plain) &&
      isUnderstood(argumentKind(family), word.plain, files) &&
      !namesSecret(word, secrets),
  );
}

/** Splits words into operands and option names. Null when an option is not understood. */
export function operandsOf(
  options: Options,
  rest: readonly PipeWord[],
): { readonly operands: readonly PipeWord[]; readonly given: readonly string[] } | null {
  const operands: PipeWord[] = [];
  const given: string[] = [];
  /** The option that the next word belongs to. */
  let option: string | null = null;
  for (const word of rest) {
    if (option !== null) {
      if (!isValue(options, option, word.plain)) return null;
      option = null;
    } else if (word.plain.startsWith("-")) {
      const single = lastOfJoined(word.plain, options.joined);
      given.push(single.split("=", 1)[0] ?? single);
      if (hasValue(options, single)) option = single;
      else if (!isOption(options, single)) return null;
    } else {
      operands.push(word);
    }
  }
  return option === null ? { operands, given } : null;
}

/** Returns `-b` for `-sb` when all letters before the last are known switches; returns any other word unchanged. */
function lastOfJoined(word: string, joined: string): string {
  const [, before = "", last = ""] = /^-([A-Za-z]{1,6})([A-Za-z])$/.exec(word) ?? [];
  return before !== "" && before.split("").every((letter) => joined.includes(letter)) ? `-${last}` : word;
}

function hasValue({ numbers, names, texts }: Options, option: string): boolean {
  return [numbers, names, texts].some((each) => each.has(option));
}

/** True for an option without a separate value: it has none, or contains it. */
function isOption(options: Options, word: string): boolean {
  if (options.flags.has(word) || options.patterns.some((each) => each.test(word))) return true;
  const [, letter = "", digits = ""] = /^(-[A-Za-z])(\d{1,4})$/.exec(word) ?? [];
  if (options.numbers.has(letter) && isValue(options, letter, digits)) return true;
  const [name = ""] = word.split("=", 1);
  return name !== word && hasValue(options, name) && isValue(options, name, word.slice(name.length + 1));
}

/** In quoted text, special characters are underscores by now. A value that should be a number and is not would be an operand. */
function isValue({ numbers, texts }: Options, option: string, word: string): boolean {
  return texts.has(option) || (numbers.has(option) ? /^\d{1,4}$/.test(word) : isName(word));
}

/** True when an operand is understood. A file of arguments (`@args.txt`) may hold options, and a target may have a file's name. */
function isUnderstood(kind: ArgumentKind, word: string, files: readonly string[]): boolean {
  if (kind === "revisions") return isRevision(word);
  if (kind === "places") return staysInside(word) && !word.startsWith("@");
  if (kind === "targets" || word.startsWith("@")) return false;
  // After the path: a line, or the name of a test in it (`tests/test_a.py::test_x`).
  const [path = "", ...parts] = word.split(":");
  if (!staysInside(path) || !parts.every((part) => /^[\w.[\]-]*$/.test(part))) return false;
  const isFile = /[./]/.test(path);
  // A name before one colon is a scheme (`npm:NAME` loads a package); before two colons it is a test's (`sums::rounds`).
  const isScheme = !isFile && parts.length > 0 && parts[0] !== "" && !files.includes(path);
  return kind === "tests" ? !isScheme : isFile && files.includes(path);
}

/** A path, a revision (`HEAD~2`, `main..HEAD`), or a file as it was at one (`HEAD:src/sum.js`). */
function isRevision(word: string): boolean {
  const [revision = "", ...paths] = word.split(":");
  if (paths.length > 1 || !staysInside(revision.replaceAll("~", "^"))) return false;
  return paths.every((path) => path === "" || staysInside(path));
}

/** True for a word that is neither a path nor an option. */
function isName(word: string): boolean {
  return /^[\w.:@*^$|-]*$/.test(word) && !/^[-@]/.test(word) && word !== "..";
}

/** True for a path below the working directory, a name pattern or a revision: nothing whose text leads elsewhere. */
export function staysInside(word: string): boolean {
  return /^[\w./@^*?[\]-]+$/.test(word) && !word.startsWith("/") && !word.split("/").includes("..");
}
