import { wordFor } from "../files/found.ts";
import { lastPart } from "../files/path.ts";
import { isCalledBuilder } from "../files/runners.ts";
import { isShellFile } from "../trials/languages.ts";
import { filesLoadedBy } from "../trials/loading-files.ts";
import { newSurroundings } from "../trials/surroundings.ts";

/**
 * A program that a command runs is mostly what proves (`node check.js`). It is what is proven where the command itself says what is
 * wanted of it (`test "$(node price.mjs 2)" = 4`, `roman.py 4 | grep -qx IV`), or where it is all that there is to be run (F-207).
 */

/** A program outside of the folders of source that a command runs, as it was at the base. */
export interface RunProgram {
  readonly path: string;
  readonly text: string;
  /** The commands, and the lines that they come to. */
  readonly lines: readonly string[];
  /** Other code and data of the repository. */
  readonly others: readonly string[];
  /** Whether there is no folder of source, or a manifest says that the program is what is delivered. */
  readonly isMain: boolean;
}

/** Whether a program that a command runs is what is proven: it judges nothing, and there is nothing else that it could prove. */
export function isProven({ path, text, lines, others, isMain }: RunProgram): boolean {
  if (isJudge(path, text) || judging.test(text)) return false;
  const runs = lines.flatMap((line) => runsOf(path, line));
  const isHeld = runs.some((each) => each.isHeld);
  if (!isHeld && deciding.test(text)) return false;
  const isGivenOthers = runs.some(({ given }) => others.some((other) => given.includes(other)));
  if (!isGivenOthers && usesNothing(path, text, others)) return true;
  // What it is given and what is wanted of it stand both in the command.
  return isMain && !isGivenOthers && runs.some((each) => each.isHeld && each.hasInput);
}

/** Whether a program is called, or begins, as what judges others does: by its name, or since it names a runner or what compares. */
export function isJudge(path: string, text: string): boolean {
  return isCalledJudge(path) || newSurroundings(path, text, null).runners.length > 0;
}

/** Whether a program may say by how it ends that something does not hold; what is called a builder says whether it could build. */
export function decides(path: string, text: string): boolean {
  if (isCalledBuilder.test(lastPart(path))) return false;
  return judging.test(text) || deciding.test(text) || (isShellFile(path) && asking.test(text));
}

/** Names that people give to what checks: `check.js`, `run-cases.sh`, `price_test.py`; not `checkout.js`. */
const checkers =
  /(?:^|[-_.])(?:check(?:s|er|ing)?|tests?|verif(?:y|ier)|validat(?:e|or|ion)|assert\w{0,10}|specs?|smoke|lint|compare|judge|grade|pro(?:ve|of)s?|cases?|expect\w{0,10}|accept\w{0,10}|ci|e2e|qa)(?:$|[-_.])|^run[-_]|^(?:check|test|verify|validate|assert)[A-Z]/i;

/** Folders that people give to what tests work with. */
const ofHelpers =
  /^(?:(?:test|spec)?[-_]?(?:support|helpers?)|harness|oracles?|references?|matchers?|samples?|examples?|data|wanted)$/i;
const ofUses = /^use[-_]?cases?$/i;

/** Whether a file lies in a folder that is called as what judges others, or as what tests work with. */
export function liesWithJudges(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return folders.some((folder) => (checkers.test(folder) && !ofUses.test(folder)) || ofHelpers.test(folder));
}

/** Whether a program is called as what judges others. */
export function isCalledJudge(path: string): boolean {
  return checkers.test(wordFor(path));
}

/** Asserts, or says in a text of its own how it went. */
const judging =
  /\bassert\w{0,20}|["'`][^"'`\n]{0,80}\b(?:ok|okay|PASS|passed|passing|FAIL|fails?|failed|failures?|success\w{0,10}|correct|wrong|mismatch\w{0,4}|matches|as expected)\b/;

/** By what it decides itself how it ends. */
const deciding = /\b(?:_?exit\w{0,10}|throw|raise|die|panic|abort|fail\w{0,10})\b/i;

/** By which a shell's script asks whether something is so. */
const asking = /(?:^|[\s;&|!])(?:\[\[?|test|diff|cmp|grep|jq)\s/m;

/** Looks at files by a folder, starts something or asks a server: what that is, its words do not say. */
const reaching =
  /\b(?:readdir\w{0,10}|listdir|scandir|i?glob\w{0,10}|walk|iterdir|subprocess|child_process|spawn\w{0,10}|exec\w{0,10}|popen|system|fetch|https?|socket|requests|urllib\w{0,4}|curl|wget|npm|npx|make|cargo|docker)\b/;

/** Whether a program comes to no other file of the repository, by itself or by something that it starts or asks. */
export function usesNothing(path: string, text: string, others: readonly string[]): boolean {
  return !reaching.test(text) && !usesAny(path, text, others);
}

/** Whether a program names other files of the repository, by a word alone where its language is not known to load by another way. */
function usesAny(path: string, text: string, others: readonly string[]): boolean {
  const loads = filesLoadedBy({ path, text });
  const words = new Set(text.match(/[\w-]{1,100}/g) ?? []);
  return others.some((other) => text.includes(lastPart(other)) || words.has(wordFor(other)) || loads(other));
}

interface OneRun {
  /** Its output is compared: in `$(…)`, or behind a pipe or a redirection. */
  readonly isHeld: boolean;
  /** It is given an argument, or something on its input. */
  readonly hasInput: boolean;
  /** What stands behind it. */
  readonly given: string;
}

/** How a line runs a program, each time. */
function runsOf(path: string, line: string): OneRun[] {
  return line.split(/&&|\|\||[;\n]/).flatMap((part) => {
    const at = part.indexOf(path);
    if (at === -1) return [];
    const [before, behind] = [part.slice(0, at), part.slice(at + path.length)];
    const [given = ""] = /^[^|<>)`]{0,500}/.exec(behind) ?? [];
    return [
      {
        isHeld: /\$\(|`|<\(/.test(before) || /[|>]/.test(behind),
        hasInput: /[^\s"']/.test(given) || /^\s{0,20}["']?\s{0,20}</.test(behind) || /\|/.test(before),
        given,
      },
    ];
  });
}
