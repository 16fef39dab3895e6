import { wordFor } from "../files/found.ts";
import { lastPart } from "../files/path.ts";
import { isCalledBuilder } from "../files/runners.ts";
import { isShellFile } from "../trials/languages.ts";
import { filesLoadedBy } from "../trials/loading-files.ts";
import { newSurroundings } from "../trials/surroundings.ts";

/**
 * A program that a command runs is usually a part of the proof (`node check.js`). It is the subject of the proof where the command itself
 * states the expected output (`test "$(node price.mjs 2)" = 4`, `roman.py 4 | grep -qx IV`), or where the repository has nothing else to
 * run (F-207).
 */

/** A program outside the source folders that a command runs, with its text at the base commit. */
export interface RunProgram {
  readonly path: string;
  readonly text: string;
  /** The commands, and the command lines that they resolve to. */
  readonly lines: readonly string[];
  /** The words by which the lines name it: its path, and its name after `cd web`. */
  readonly words: readonly string[];
  /** The other code and data files of the repository. */
  readonly others: readonly string[];
  /** True when the repository has no source folder, or a manifest names the program as delivered. */
  readonly isMain: boolean;
}

/**
 * True when a program that a command runs is the subject of the proof: it judges nothing, and there is nothing else that it could prove.
 */
export function isProven({ path, text, lines, words, others, isMain }: RunProgram): boolean {
  if (isJudge(path, text)) return false;
  if (isEntry(path, text)) return true;
  if (judging.test(text)) return false;
  const runs = lines.flatMap((line) => runsOf(words, line, lines));
  const isHeld = runs.some((each) => each.isHeld);
  if (!isHeld && deciding.test(text)) return false;
  const isGivenOthers = runs.some(({ given }) => others.some((other) => given.includes(other)));
  if (!isGivenOthers && usesNothing(path, text, others)) return true;
  // The command contains both the program's input and the expected output.
  return isMain && !isGivenOthers && runs.some((each) => each.isHeld && each.hasInput);
}

/** True when one of these lines compares a program's output, or passes it on. */
export function isHeldIn(lines: readonly string[], words: readonly string[]): boolean {
  return lines.some((line) => runsOf(words, line, lines).some(({ isHeld }) => isHeld));
}

/** True when a program judges others: by its file name, or because it uses a test runner or a comparison library. */
export function isJudge(path: string, text: string): boolean {
  return isCalledJudge(path) || newSurroundings(path, text, null).runners.length > 0;
}

/** Usual names of the file with which an application begins. */
const entries = /^(?:__main__|app|cli|main|index|server|manage)\.\w{1,5}$/;

/**
 * True for the file with which an application begins, by its name: `cli.mjs --help`, `python app.py --check`. False if it asserts, or if
 * it is in a folder and reaches files outside of it, as a check beside the source does.
 */
function isEntry(path: string, text: string): boolean {
  if (!entries.test(lastPart(path)) || liesWithJudges(path) || /\bassert/.test(text)) return false;
  return !path.includes("/") || !/\.\.[/\\]|\bsrc[./]/.test(text);
}

/** True when a program's exit code may report a failed check. The exit code of a builder reports only whether the build worked. */
export function decides(path: string, text: string): boolean {
  if (isCalledBuilder.test(lastPart(path))) return false;
  return judging.test(text) || deciding.test(text) || (isShellFile(path) && asking.test(text));
}

/** True when a part of a checking program judges itself: by its name, with assertions, or because it ends the program. */
export function judgesWork(path: string, text: string): boolean {
  return isJudge(path, text) || /\bassert\w{0,20}\s{0,3}[(.]/.test(text) || ending.test(text);
}

/** Names of files and of functions that compare for others: `lib/assert.mjs`, `function eq(`, `def assert_price(`. */
const comparingFile =
  /^(?:asserts?|assertions?|expect|expectations|harness|matchers?)$|[-_.]asserts?$|^(?:test|check)[-_]?(?:utils?|helpers?|lib|support)$/i;
const comparingFunction =
  /(?:\b(?:function|def|func|fn|sub|const|let)\s{1,4}|^\s{0,20}(?=\w{1,40}\s{0,2}\(\)\s{0,4}\{))(?:assert\w{0,40}|expect\w{0,40}|eq|eql|equals?|same|deep_?equal|must_?(?:be|equal))\b/im;

/** True for code with which a check compares, by its name or the names of its functions. */
export function comparesForOthers(path: string, text: string): boolean {
  return comparingFile.test(wordFor(path)) || comparingFunction.test(text);
}

/** A program ends with an exit code: `process.exit(1)`, `sys.exit`, `os.Exit`, `exit 1`. */
const ending = /\b_?exit(?:Code)?\s{0,3}[(=]|\bexit [1-9]/i;

/** Usual names of programs that check: `check.js`, `run-cases.sh`, `price_test.py`; not `checkout.js`. */
const checkers =
  /(?:^|[-_.])(?:check(?:s|er|ing)?|tests?|verif(?:y|ier)|validat(?:e|or|ion)|assert\w{0,10}|specs?|smoke|lint|compare|judge|grade|pro(?:ve|of)s?|cases?|expect\w{0,10}|accept\w{0,10}|ci|e2e|qa)(?:$|[-_.])|^run[-_]|^(?:check|test|verify|validate|assert)[A-Z]/i;

/** Usual names of folders for test helpers and test data. */
const ofHelpers =
  /^(?:(?:test|spec)?[-_]?(?:support|helpers?)|harness|oracles?|references?|matchers?|samples?|examples?|data|wanted)$/i;
const ofUses = /^use[-_]?cases?$/i;

/** True when a folder of the path is named like a checker or like test helpers. */
export function liesWithJudges(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return folders.some((folder) => (checkers.test(folder) && !ofUses.test(folder)) || ofHelpers.test(folder));
}

/** True when a program's file name is that of a checker. */
export function isCalledJudge(path: string): boolean {
  return checkers.test(wordFor(path));
}

/** The program asserts, or prints a verdict of its own. */
const judging =
  /\bassert\w{0,20}|["'`][^"'`\n]{0,80}\b(?:ok|okay|PASS|passed|passing|FAIL|fails?|failed|failures?|success\w{0,10}|correct|wrong|mismatch\w{0,4}|matches|as expected)\b/;

/** Words with which a program sets its own exit code. */
const deciding = /\b(?:_?exit\w{0,10}|throw|raise|die|panic|abort|fail\w{0,10})\b/i;

/** Commands with which a shell script tests a condition. */
const asking = /(?:^|[\s;&|!])(?:\[\[?|test|diff|cmp|grep|jq)\s/m;

/** The program lists folders, starts processes or calls servers. Its text does not say which files or programs it reaches. */
const reaching =
  /\b(?:readdir\w{0,10}|listdir|scandir|i?glob\w{0,10}|walk|iterdir|subprocess|child_process|spawn\w{0,10}|exec\w{0,10}|popen|system|fetch|https?|socket|requests|urllib\w{0,4}|curl|wget|npm|npx|make|cargo|docker)\b/;

/** True when a program reaches no other file of the repository, neither directly nor through a process or a request. */
export function usesNothing(path: string, text: string, others: readonly string[]): boolean {
  return !reaching.test(text) && !usesAny(path, text, others);
}

/** True when a program names other files of the repository. A bare word counts too, because some ways of loading are not known here. */
function usesAny(path: string, text: string, others: readonly string[]): boolean {
  const loads = filesLoadedBy({ path, text });
  const words = new Set(text.match(/[\w-]{1,100}/g) ?? []);
  return others.some((other) => text.includes(lastPart(other)) || words.has(wordFor(other)) || loads(other));
}

interface OneRun {
  /** True when the output is compared: in `$(…)`, or after a pipe or a redirection. */
  readonly isHeld: boolean;
  /** True when the program receives an argument or standard input. */
  readonly hasInput: boolean;
  /** The text after the program's path. */
  readonly given: string;
}

/** Each run of a program in a line. `lines`: all lines, which may compare a file that this one writes. */
function runsOf(words: readonly string[], line: string, lines: readonly string[]): OneRun[] {
  return line.split(/&&|\|\||[;\n]/).flatMap((part) => {
    const word = words.find((each) => part.includes(each));
    if (word === undefined) return [];
    const at = part.indexOf(word);
    const [before, behind] = [part.slice(0, at), part.slice(at + word.length)];
    const [given = ""] = /^[^|<>)`]{0,500}/.exec(behind) ?? [];
    return [
      {
        isHeld: /\$\(|`|<\(/.test(before) || isPassedOn(behind, lines),
        hasInput: /[^\s"']/.test(given) || /^\s{0,20}["']?\s{0,20}</.test(behind) || /\|/.test(before),
        given,
      },
    ];
  });
}

/** Programs that pass on their input as it is. */
const passing = /^&?\s{0,20}(?:tee|cat)(?:\s|$)/;
/** The files that a command writes: the `out.txt` of `> out.txt`, not `2>&1`. */
const written = /(?:>{1,2}\|?|\btee(?:\s-\w{1,10})?)\s{0,20}["']?([\w$./{}-]{1,200})/g;

/** True when another program reads the output, or a file that it is written to. A log that nothing reads compares nothing. */
function isPassedOn(behind: string, lines: readonly string[]): boolean {
  if (
    behind
      .split("|")
      .slice(1)
      .some((each) => !passing.test(each.trim()))
  )
    return true;
  const files = [...behind.matchAll(written)].flatMap(([, file = ""]) => (file.startsWith("/dev/") ? [] : [file]));
  return files.some((file) => lines.some((line) => line.split(file).length > 2 || isReadIn(line, file)));
}

/** True when a line names a file and does not write it. */
function isReadIn(line: string, file: string): boolean {
  return line.includes(file) && [...line.matchAll(written)].every(([, each]) => each !== file);
}
