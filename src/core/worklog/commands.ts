import { startedBy } from "../shell/launchers.ts";
import { startedIn } from "../shell/started.ts";
import { afterOptions, isShell, nameOf } from "../shell/words.ts";
import { isTesting } from "./test-runners.ts";
import { asked, asksForTest } from "./test-targets.ts";

/** Kinds of commands that an agent runs. Seed 000 FR-002, C-08. */

export type CommandType = "test" | "build" | "script";

/** Programs besides shells that run a file or a module whose name may be that of a test runner; and their options that take a value. */
const interpreters = /^(python[\d.]*|py|php|node|tsx)$/;
const interpreterOptions = /^-[WXo]$/;
/** Options that only ask a program something, so that it runs nothing. The short ones have other meanings in other programs. */
const question =
  /^--(version|help|list|listTests|list-tests|list-files|list-sessions|collect-only|co|show-only|dry-run|no-run|just-print)$/;
const shortQuestion: readonly (readonly [program: RegExp, options: RegExp])[] = [
  [/^(nox|tox|just|task)$/, /^-l$/],
  [/^ctest$/, /^-N$/],
  [/^make$/, /^-n$/],
  [/^go$/, /^-list$/],
];
const builds = /^(tsc|build|compile|webpack|vite|esbuild|rollup|cmake)$/;

/** True when a program that the command starts runs tests. Compares whole words, never parts of words or arguments. */
export function isTestRun(command: string): boolean {
  return wordsStarted(command).some((words) => runsTests(words));
}

/** The kind of a shell command line, by the programs that it starts. */
export function commandType(command: string): CommandType {
  const started = wordsStarted(command);
  if (started.some((words) => runsTests(words))) return "test";
  return started.some((words) => words.slice(0, 3).some((word) => builds.test(nameOf(word)))) ? "build" : "script";
}

/** In characters. An agent may run a thousand commands of any length, and each is parsed when it is reported. */
const longest = 4_000;

function wordsStarted(command: string): (readonly string[])[] {
  return startedIn(command.slice(0, longest), "anywhere").map(({ words }) => words);
}

/** Maximum depth of interpreters that run each other. */
const mostInterpreters = 3;

/** True for `vitest run`, `python -m pytest`, `npm run test:unit`, `node --test`; false for the shell's own `test -f x`. */
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

/** True for a program that is only asked something, such as `just -l`. */
function asksShortly(name: string, after: readonly string[]): boolean {
  return shortQuestion.some(([program, options]) => program.test(name) && after.some((word) => options.test(word)));
}
