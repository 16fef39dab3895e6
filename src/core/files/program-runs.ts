import { startedIn } from "../shell/started.ts";
import { fileRunBy, interpreters, loadedFirst } from "./interpreters.ts";
import { joined, lastPart } from "./path.ts";
import { fromHere, isProgramFile, programOf, quotedIn, runners, startedWords } from "./runners.ts";

/** Which files of the repository a command line runs, in whichever folder it is. */

/** A file that a line runs. */
export interface ProgramRun {
  /** From the root of the repository. It need not exist: a line may say in several ways what it means. */
  readonly path: string;
  /** How the line names it: `check.js` after `cd web`, `qa.price` after `python -m`. */
  readonly word: string;
}

/**
 * The files that a command line runs: its programs, files given to an interpreter or by name to a test runner, modules of Python, and names
 * quoted in a program text that it runs. A path counts from the folders in which the line may begin (`from`), and from each folder that it
 * goes into.
 */
export function programRuns(command: string, from: readonly string[] = atRoot): readonly ProgramRun[] {
  const folders = workingFolders(command, from);
  const started = startedWords(command);
  return started.flatMap((words, at) =>
    [...wordsRun(words), ...fedBy(started[at - 1] ?? [], words)].flatMap((word) =>
      [word, ...meantBy(words, word)].flatMap((path) =>
        folders.map((folder) => ({ path: joined(folder, path), word })),
      ),
    ),
  );
}

/** The paths of `programRuns`. */
export function programsIn(command: string): string[] {
  return programRuns(command).map(({ path }) => path);
}

/** Commands that go into a folder. */
const entering = /^(?:cd|pushd)$/;
/** Options for the folder in which something runs. */
const goesInto = /^(?:-C|--(?:prefix|cwd|dir|directory|chdir))$/;
/** Maximum number of folders that are tried. */
const mostFolders = 20;

const atRoot: readonly string[] = [""];

/**
 * The folders in which parts of a line may run: those in which it may begin (`from`, "" is the root), and those that it goes into with
 * `cd web` or `env -C web`, also one after another.
 */
export function workingFolders(command: string, from: readonly string[] = atRoot): readonly string[] {
  let folders = from;
  for (const { typed } of startedIn(command, "anywhere")) {
    const changed = typed.flatMap((word, at) => {
      const [option = "", value] = word.split("=", 2);
      const isFirst = at > 0 && typed.slice(1, at).every((each) => each.startsWith("-"));
      if (entering.test(typed[0] ?? "")) return isFirst && !word.startsWith("-") ? [word] : [];
      return goesInto.test(option) ? [value ?? typed[at + 1] ?? ""] : [];
    });
    for (const folder of changed.filter((each) => /^[\w@.][\w@./+-]{0,200}$/.test(each)))
      folders = [...new Set([...folders, ...folders.map((each) => joined(each, folder))])].slice(0, mostFolders);
  }
  return folders;
}

/** Commands that run a file in the current shell. */
const sourcing = /^(?:\.|source)$/;

/** The files that a program runs, as its words name them. */
function wordsRun(words: readonly string[]): readonly string[] {
  const [program = ""] = words;
  if (entering.test(program)) return [];
  const isFileGiven = sourcing.test(program) || interpreters.has(lastPart(program));
  const file = isFileGiven ? fileRunBy(words) : program;
  return [...(file === null ? words.flatMap(quotedIn) : [file]), ...moduleRun(words), ...filesGiven(words)].map(
    fromHere,
  );
}

/** The module that Python runs: the `qa.price` of `python -m qa.price`. */
function moduleRun([program = "", ...given]: readonly string[]): readonly string[] {
  if (!/^(?:python[\d.]*|pypy3)$/.test(lastPart(program))) return [];
  const at = given.findIndex((word) => /^-\w{0,5}m$/.test(word));
  return at === -1 ? [] : given.slice(at + 1, at + 2);
}

/** The program that an interpreter reads from its input: the `check.js` of `cat check.js | node`. */
function fedBy(before: readonly string[], words: readonly string[]): readonly string[] {
  const [program = ""] = words;
  if (!/^(?:cat|sed|envsubst)$/.test(before[0] ?? "") || !interpreters.has(lastPart(program))) return [];
  const file = fileRunBy(words);
  return file === null || file === "-" ? before.slice(1).filter((word) => /\.\w{1,5}$/.test(word)) : [];
}

/** The files that a word may mean besides the one of that name: those of a module, or of a package of Go. */
function meantBy(words: readonly string[], word: string): readonly string[] {
  const [program = "", first] = words;
  // `coverage run -m qa.price` starts what looks like a program.
  const isStarted = word === program && word.includes(".") && !isProgramFile(word);
  if (/^\w{1,60}(?:\.\w{1,60}){0,8}$/.test(word) && (isStarted || moduleRun(words).includes(word))) {
    const path = word.replaceAll(".", "/");
    return [`${path}.py`, `${path}/__main__.py`];
  }
  return program === "go" && first === "run" && !word.endsWith(".go") ? [`${word}/main.go`] : [];
}

/** Programs among the runners that only compare files. */
const comparers: ReadonlySet<string> = new Set(["diff", "cmp", "comm", "colordiff"]);
/** Options whose values are the files under test. */
const ofSubject =
  /^(?:related|--findRelatedTests|--?\w[\w.-]{0,40}(?:cover|cov|include|exclude|ignore|source|omit)\w{0,20}|--(?:cov|source|include|exclude|ignore|omit))/i;

/** The files that a test runner is given by name, and those that an interpreter loads before the program. */
function filesGiven(words: readonly string[]): readonly string[] {
  const program = programOf(words);
  if (program === "go" && words[1] === "run") return words.slice(2).filter((word) => /^\.{0,2}\/|\.go$/.test(word));
  if (!isTestRunner(program, words)) return loadedFirst(words);
  return words.slice(1).flatMap((word, at) => {
    if (ofSubject.test(word) || ofSubject.test(words[at] ?? "")) return [];
    const path = word.replace(/^--?[\w-]{1,60}=/, "").split("::", 1)[0] ?? "";
    return /^[\w@.][\w@./+-]{0,300}\.\w{1,12}$/.test(path) ? [path] : [];
  });
}

function isTestRunner(program: string, words: readonly string[]): boolean {
  if (interpreters.has(program))
    return words.includes("--test") || (/^(?:deno|bun)$/.test(program) && words[1] === "test");
  return runners.has(program) && !comparers.has(program);
}
