import { startedBy } from "../shell/launchers.ts";
import { startedIn } from "../shell/started.ts";
import { afterOptions, isShell, nameOf } from "../shell/words.ts";
import { isTesting } from "./test-runners.ts";
import { asked, asksForTest } from "./test-targets.ts";

/** What kind of command an agent ran. Seed 000 FR-002, C-08. */

export type CommandType = "test" | "build" | "script";

/** What besides a shell runs a file or a module, whose name may be a runner's, and their options that take a word of their own. */
const interpreters = /^(python[\d.]*|py|php|node|tsx)$/;
const interpreterOptions = /^-[WXo]$/;
/** Questions to a program, which runs nothing; the short ones mean something else to others. */
const question =
  /^--(version|help|list|listTests|list-tests|list-files|list-sessions|collect-only|co|show-only|dry-run|no-run|just-print)$/;
const shortQuestion: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [/^(nox|tox|just|task)$/, /^-l$/],
  [/^ctest$/, /^-N$/],
  [/^make$/, /^-n$/],
  [/^go$/, /^-list$/],
];
const builds = /^(tsc|build|compile|webpack|vite|esbuild|rollup|cmake)$/;

/** Whether one of the programs that it starts runs tests: whole words, never a part of another word or an argument. */
export function isTestRun(command: string): boolean {
  return wordsStarted(command).some((words) => runsTests(words));
}

/** What kind of command a line of shell is, by the programs that it starts. */
export function commandType(command: string): CommandType {
  const started = wordsStarted(command);
  if (started.some((words) => runsTests(words))) return "test";
  return started.some((words) => words.slice(0, 3).some((word) => builds.test(nameOf(word)))) ? "build" : "script";
}

/** In characters: an agent may give a thousand commands of any length, and each is looked at as it is told. */
const longest = 4_000;

function wordsStarted(command: string): (readonly string[])[] {
  return startedIn(command.slice(0, longest), "anywhere").map(({ words }) => words);
}

/** So many of them run each other at most. */
const mostInterpreters = 3;

/** `vitest run`, `python -m pytest`, `npm run test:unit`, `node --test`; the shell's own `test -f x` is none. */
function runsTests([program = "", ...after]: readonly string[], depth = 0): boolean {
  const name = nameOf(program);
  if (after.some((word) => question.test(word)) || asksShortly(name, after)) return false;
  if ((interpreters.test(name) || isShell(name)) && depth < mostInterpreters) {
    const run = afterOptions(after, interpreterOptions);
    return after.slice(0, after.length - run.length).includes("--test") || runsTests(startedBy(run), depth + 1);
  }
  if (name === "test" && /^[-!(]/.test(after[0] ?? "")) return false;
  return isTesting(name, after) || (asked.test(name) && asksForTest(name, after));
}

/** `just -l`: a program that is only asked about something. */
function asksShortly(name: string, after: readonly string[]): boolean {
  return shortQuestion.some(([program, options]) => program.test(name) && after.some((word) => options.test(word)));
}
