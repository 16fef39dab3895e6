import type { CriterionResult } from "../acceptance/results.ts";
import type { Criterion } from "../acceptance/spec.ts";
import { fileRunBy, interpreters } from "../files/interpreters.ts";
import { lastPart } from "../files/path.ts";
import { commandsOf } from "../shell/commands.ts";
import { startedBy } from "../shell/launchers.ts";
import { nodesIn, readScript } from "../shell/script.ts";
import { isShell } from "../shell/words.ts";
import type { Tried } from "./tried.ts";

/** A program that a command could not run. Retrying helps once it is installed. */
interface MissingProgram {
  readonly name: string;
  readonly isThere: boolean;
}

/** How shells, npm and program launchers report it: bash, dash and busybox, zsh, `env: 'node'`, `timeout`. Observed by running them. */
const notThere = [
  /^.{0,200}: ([^\s:'"]{1,200}): (?:command )?not found\s{0,20}$/,
  /^.{0,200}command not found: ([^\s:'"]{1,200})\s{0,20}$/,
  /^g?make(?:\[\d{1,3}\])?: (?:execvp: )?([^\s:'"]{1,200}): No such file or directory$/,
  /^.{0,60}(?:env|nice|ionice|nohup|timeout|stdbuf|setsid|chroot|xargs): (?:failed to (?:run command|execute) |can't execute )?['‘]?([^\s:'"‘’]{1,200})['’]?: No such file or directory$/,
] as const;
const notExecutable =
  /^.{0,200}(?:: |failed to run command )['‘]?(\/[^\s:'"‘’]{0,200})['’]?: (?:Permission denied|cannot execute.{0,100})$/;

/** The code of a command of a makefile: make itself ends with 2. */
const ofMake = /^g?make(?:\[\d{1,3}\])?: \*\*\* \[.{1,400}\] Error (\d{1,3})$/;

/**
 * Returns the program that was missing (exit code 127) or not executable (126) when an attempt failed. Null when the attempt failed
 * otherwise, or when the work itself should contain the file (`./build.sh`): installing does not help there.
 */
export function programLacking(
  attempt: Pick<Tried, "end" | "exitCode" | "error" | "output"> | undefined,
): MissingProgram | null {
  if (attempt === undefined || attempt.end === "passed" || attempt.end === "push") return null;
  const lines = `${attempt.output ?? ""}\n${attempt.error}`.split("\n").flatMap((line) => [line, ...line.split("; ")]);
  const codes = lines.flatMap((line) => ofMake.exec(line)?.[1] ?? []);
  const ended = (code: number): boolean =>
    attempt.exitCode === code || attempt.error.includes(`code ${code} (`) || codes.includes(String(code));
  if (ended(127)) {
    const names = notThere.flatMap((shape) => lines.flatMap((line) => shape.exec(line)?.[1] ?? []));
    const name = names.find((each) => !each.includes("/") || each.startsWith("/"));
    return name === undefined ? null : { name, isThere: false };
  }
  if (!ended(126)) return null;
  const name = lines.flatMap((line) => notExecutable.exec(line)?.[1] ?? [])[0];
  return name === undefined ? null : { name, isThere: true };
}

/** Returns a text such as "pnpm is not installed where it was run". */
export function missingWords({ name, isThere }: MissingProgram): string {
  return isThere ? `${name} may not be run where it was tried` : `${name} is not installed where it was run`;
}

/**
 * Returns the failing criteria whose own command starts a program that the machine does not have. The agent cannot change that command,
 * and a bare name never finds a program in the work. Programs that a script of the work starts do not count: the work can supply them.
 * Neither do programs that the command may install first: `pip install -e . && pricetool`.
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

/** Commands after which a bare name may mean something else than a program: they read a file or a text into the shell. */
const changesNames = /^(?:\.|source|eval|alias|hash)$/;
/** Arguments of programs that put other programs on the path: `pip install -e .`, `npm link`, `make`, `npm run build:cli`. */
const bringing = /^(?:i|add|get)$|(?:^|[-_.:])(?:install|link|sync|build|make|setup|bootstrap|develop)/;
const copying = /^(?:cp|ln|mv|rsync)$/;
/** Programs that install nothing, whatever their arguments are: `cd build`, `grep -q install README.md`. */
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

/** True when a command may put programs of the work on the path: it installs, builds or copies, or runs a file of the work. */
function mayBring(words: readonly string[]): boolean {
  const [first = "", ...given] = words;
  const program = lastPart(first);
  if (bringsNothing.test(program)) return false;
  if (first.includes("/") && !first.startsWith("/")) return true;
  // Also a text that a shell executes, and text piped into a shell: `curl … | sh`.
  if (isShell(program) || (interpreters.has(program) && fileRunBy(words) !== null)) return true;
  return copying.test(program) || [program, ...given].some((word) => bringing.test(word));
}
