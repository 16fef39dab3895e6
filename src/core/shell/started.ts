import { commandsOf, type ShellCommand } from "./commands.ts";
import { handedLines, insideContainer, lineOfHost } from "./handed.ts";
import { startedBy } from "./launchers.ts";
import { longest, shellPieces } from "./script.ts";
import { plainWords } from "./words.ts";

/** Which programs run for a typed line, whatever launches them and whichever shell receives it. */

export interface StartedProgram {
  /** The words from the program on, as it receives them. */
  readonly words: readonly string[];
  /** The same with its launchers: `timeout 60 npm test`. */
  readonly typed: readonly string[];
  /** True when it reads the output of the command before it, or a text of the line (`<<`). */
  readonly isFed: boolean;
  /** Files that it reads from and writes to: `< a.txt`, `> b.txt`. */
  readonly files: readonly string[];
}

interface ReadProgram extends StartedProgram {
  /** False for a program that only starts another one that is listed too: the `bash` of `bash -c 'npm test'`. */
  readonly isLast: boolean;
}

type Given = Pick<ShellCommand, "isFed" | "files" | "input">;
const nothing: Given = { isFed: false, files: [], input: null };

/** Limits on nested lines: depth, total text and number of programs. An agent writes the lines and could write any number. */
const most = { deep: 3, text: 5 * longest, programs: 5_000 } as const;

/** `find . -exec npm test`. */
const handsWords = /^-(?:exec|ok)(?:dir)?$/;

/**
 * The programs that a line starts, with those of nested lines (`sudo bash -c 'cd app && npm test'`), in order. With `anywhere`, also
 * programs in a container or on another host. If the text is not valid shell, the part that could be parsed.
 */
export function startedIn(line: string, where: "here" | "anywhere" = "here"): readonly StartedProgram[] {
  return readIn(line, where).filter(({ isLast }) => isLast);
}

/** All commands of a line as typed, with those of nested lines: for `bash -c 'npm test'` both `bash` and `npm`, each with its words. */
export function commandsTypedIn(line: string, where: "here" | "anywhere" = "here"): readonly (readonly string[])[] {
  return readIn(line, where).map(({ typed }) => typed);
}

function readIn(line: string, where: "here" | "anywhere"): readonly ReadProgram[] {
  const found: ReadProgram[] = [];
  let left: number = most.text;

  /** A program without another input reads the `input` of the program that starts it. */
  function read(text: string, input: string | null, depth: number): void {
    left -= text.length;
    if (left < 0 || found.length > most.programs) return;
    for (const piece of shellPieces(text)) {
      const commands = commandsOf(piece);
      for (const [index, each] of commands.entries())
        follow(plainWords(each), { ...each, input: each.input ?? passedOn(each, commands[index - 1]) ?? input }, depth);
    }
  }

  function follow(words: readonly string[], given: Given, depth: number): void {
    const { isFed, files, input } = given;
    const started = startedBy(words, ["machine", "packages", "input"]);
    const isByInput = started.length < startedBy(words).length;
    const host = where === "anywhere" ? lineOfHost(started, input) : null;
    const lines = host === null ? handedLines(started, input) : [host];
    const inner = where === "anywhere" ? insideContainer(started) : null;
    const isLast = lines.length === 0 && inner === null && started.length > 0;
    found.push({ words: started, typed: words, isFed: (isFed || input !== null) && !isByInput, files, isLast });
    if (depth === most.deep) return;
    for (const each of lines) read(each, each === input ? null : input, depth + 1);
    if (lines.length > 0) return;
    if (inner !== null) follow(inner, given, depth + 1);
    else if (started.some((word) => handsWords.test(word)))
      follow(started.slice(started.findIndex((word) => handsWords.test(word)) + 1), nothing, depth + 1);
  }

  read(line, null, 0);
  return found;
}

/** The text that `cat` prints from its input to the command behind it: `cat <<END | bash`. */
function passedOn({ isFed }: ShellCommand, before: ShellCommand | undefined): string | null {
  return isFed && before?.words.length === 1 && before.words[0]?.value === "cat" ? before.input : null;
}
