import { commandsOf, type ShellCommand } from "./commands.ts";
import { handedLine, insideContainer, lineOfHost } from "./handed.ts";
import { startedBy } from "./launchers.ts";
import { longest, shellPieces } from "./script.ts";
import { plainWords } from "./words.ts";

/** What runs where somebody types a line, whatever starts it and whichever shell is handed it. */

export interface StartedProgram {
  /** From its program on, as it gets them. */
  readonly words: readonly string[];
  /** The same with what starts it before it: `timeout 60 npm test`. */
  readonly typed: readonly string[];
  /** Whether it reads what the command before it prints, or a text of the line (`<<`). */
  readonly isFed: boolean;
  /** What it reads from and writes to: `< a.txt`, `> b.txt`. */
  readonly files: readonly string[];
}

type Given = Pick<ShellCommand, "isFed" | "files" | "input">;

/** What is handed on within what was handed on is read no deeper, and no more of all of it: an agent chooses how much there is. */
const most = { deep: 3, text: 5 * longest } as const;

/** `find . -exec npm test`. */
const handsWords = /^-(?:exec|ok)(?:dir)?$/;

/**
 * The programs that a line starts, those of the lines within it too (`sudo bash -c 'cd app && npm test'`), in their order. With `anywhere`
 * also what runs in a container or on another host. Of a text that is no line of a shell, what could be read as one.
 */
export function startedIn(line: string, where: "here" | "anywhere" = "here"): readonly StartedProgram[] {
  const found: StartedProgram[] = [];
  let left: number = most.text;

  function read(text: string, depth: number): void {
    left -= text.length;
    if (left < 0) return;
    for (const piece of shellPieces(text)) for (const each of commandsOf(piece)) follow(plainWords(each), each, depth);
  }

  function follow(words: readonly string[], { isFed, files, input }: Given, depth: number): void {
    const started = startedBy(words, ["machine", "packages", "input"]);
    const isByInput = started.length < startedBy(words).length;
    const line = handedLine(started, input) ?? (where === "anywhere" ? lineOfHost(started, input) : null);
    const inner = where === "anywhere" ? insideContainer(started) : null;
    if (line === null && inner === null && started.length > 0)
      found.push({ words: started, typed: words, isFed: (isFed || input !== null) && !isByInput, files });
    if (depth === most.deep) return;
    const handed = inner ?? started.slice(started.findIndex((word) => handsWords.test(word)) + 1);
    if (line !== null) read(line, depth + 1);
    else if (handed.length < started.length) follow(handed, { isFed: false, files: [], input: null }, depth + 1);
  }

  read(line, 0);
  return found;
}
