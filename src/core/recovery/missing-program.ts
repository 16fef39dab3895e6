import type { CriterionResult } from "../acceptance/results.ts";
import type { Criterion } from "../acceptance/spec.ts";
import { fileRunBy, interpreters } from "../files/interpreters.ts";
import { lastPart } from "../files/path.ts";
import { commandsOf } from "../shell/commands.ts";
import { startedBy } from "../shell/launchers.ts";
import { nodesIn, readScript } from "../shell/script.ts";
import { isShell } from "../shell/words.ts";
import type { Tried } from "./tried.ts";

/** What a command could not run: retrying helps as soon as it is there. */
interface MissingProgram {
  readonly name: string;
  readonly isThere: boolean;
}

/** As shells, npm and those that start another program name it: bash, dash and busybox, zsh, `env: 'node'`, `timeout`. Sources: they were run. */
const notThere = [
  /^.{0,200}: ([^\s:'"]{1,200}): (?:command )?not found\s{0,20}$/,
  /^.{0,200}command not found: ([^\s:'"]{1,200})\s{0,20}$/,
  /^.{0,60}(?:env|nice|ionice|nohup|timeout|stdbuf|setsid|chroot|xargs): (?:failed to (?:run command|execute) |can't execute )?['‘]?([^\s:'"‘’]{1,200})['’]?: No such file or directory$/,
] as const;
const notExecutable =
  /^.{0,200}(?:: |failed to run command )['‘]?(\/[^\s:'"‘’]{0,200})['’]?: (?:Permission denied|cannot execute.{0,100})$/;

/**
 * The program that was not there (exit code 127), or may not be run (126), when an attempt failed; null where that is not how it failed,
 * or where it is a file that the work itself should hold (`./build.sh`): no installing helps there.
 */
export function programLacking(
  attempt: Pick<Tried, "end" | "exitCode" | "error" | "output"> | undefined,
): MissingProgram | null {
  if (attempt === undefined || attempt.end === "passed" || attempt.end === "push") return null;
  const lines = `${attempt.output ?? ""}\n${attempt.error}`.split("\n").flatMap((line) => [line, ...line.split("; ")]);
  const ended = (code: number): boolean => attempt.exitCode === code || attempt.error.includes(`code ${code} (`);
  if (ended(127)) {
    const names = notThere.flatMap((shape) => lines.flatMap((line) => shape.exec(line)?.[1] ?? []));
    const name = names.find((each) => !each.includes("/") || each.startsWith("/"));
    return name === undefined ? null : { name, isThere: false };
  }
  if (!ended(126)) return null;
  const name = lines.flatMap((line) => notExecutable.exec(line)?.[1] ?? [])[0];
  return name === undefined ? null : { name, isThere: true };
}

/** "pnpm is not installed where it was run". */
export function missingWords({ name, isThere }: MissingProgram): string {
  return isThere ? `${name} may not be run where it was tried` : `${name} is not installed where it was run`;
}

/**
 * The failing criteria whose own command starts a program that is on no path of the machine. Who works the goal cannot change that command,
 * and nothing in the work is found by a bare name. What a script of the work starts, it can bring, and so it can what the command installs
 * before: `pip install -e . && pricetool`.
 */
export function lackingPrograms(
  criteria: readonly Criterion[],
  results: readonly Pick<CriterionResult, "id" | "status" | "exitCode" | "details">[],
): string[] {
  return results.flatMap(({ id, status, exitCode = null, details }) => {
    const verification = criteria.find((each) => each.id === id)?.verification;
    if (status !== "fail" || verification?.method !== "bash") return [];
    const missing = programLacking({ end: "criteria", exitCode, error: "", output: details.join("\n") });
    if (missing === null || missing.isThere || !startsItself(verification.command, missing.name)) return [];
    return [id];
  });
}

/** What makes a bare name mean something else than a program of the machine: a file or a text that the shell reads. */
const changesNames = /^(?:\.|source|eval|alias|hash)$/;
/** What is asked of programs that put others on the path: `pip install -e .`, `npm link`, `make`, `npm run build:cli`. */
const bringing = /^(?:i|add|get)$|(?:^|[-_.:])(?:install|link|sync|build|make|setup|bootstrap|develop)/;
const copying = /^(?:cp|ln|mv|rsync)$/;
/** They bring nothing, whatever their words are: `cd build`, `grep -q install README.md`. */
const bringsNothing =
  /^(?:cd|pushd|popd|echo|printf|test|\[{1,2}|[ef]?grep|rg|cat|head|tail|ls|wc|diff|cmp|rm|mkdir|touch|set)$/;

function startsItself(command: string, name: string): boolean {
  const script = /\bPATH\b/.test(command) ? null : readScript(command);
  const isPlain = script?.isWhole === true && nodesIn(script.tree).every(({ type }) => type !== "Function");
  for (const each of isPlain ? commandsOf(command) : []) {
    const values = each.words.map(({ value }) => value);
    const words = startedBy(values, ["machine"]);
    if (words[0] === name) return true;
    if (changesNames.test(words[0] ?? "") || mayBring(words)) return false;
  }
  return false;
}

/** Whether a command may put programs of the work on the path: it installs, builds or copies, or a file of the work does what it likes. */
function mayBring(words: readonly string[]): boolean {
  const [first = "", ...given] = words;
  const program = lastPart(first);
  if (bringsNothing.test(program)) return false;
  if (first.includes("/") && !first.startsWith("/")) return true;
  // Also a text that a shell runs, and what comes into one: `curl … | sh`.
  if (isShell(program) || (interpreters.has(program) && fileRunBy(words) !== null)) return true;
  return copying.test(program) || [program, ...given].some((word) => bringing.test(word));
}
