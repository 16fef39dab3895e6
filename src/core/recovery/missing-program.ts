import type { CriterionResult } from "../acceptance/results.ts";
import type { Criterion } from "../acceptance/spec.ts";
import type { Tried } from "./tried.ts";

/** What a command could not run: retrying helps as soon as it is there. */
interface MissingProgram {
  readonly name: string;
  readonly isThere: boolean;
}

/** As shells, `env` and npm name it: bash, dash and busybox, zsh, `env: 'node'`. Sources: their manuals. */
const notThere = [
  /^.{0,200}: ([^\s:'"]{1,200}): (?:command )?not found\s{0,20}$/,
  /^.{0,200}command not found: ([^\s:'"]{1,200})\s{0,20}$/,
  /^.{0,60}env: .?([^\s:'"‘’]{1,200}).?: No such file or directory$/,
] as const;
const notExecutable = /^.{0,200}: (\/[^\s:'"]{0,200}): (?:Permission denied|cannot execute.{0,100})$/;

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
 * and nothing in the work is found by a bare name; what a script of the work starts, it can bring.
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

/** What makes a bare name mean something else than a program of the machine: another path, a function, text that is run. */
const changesNames = /\bPATH\b|(?:^|[\s;&|(])(?:\.|source|eval|alias|hash)\s|\(\s*\)/;
const inFront = /^(?:[A-Za-z_]\w*=|(?:!|env|exec|command|time|nice|nohup)$)/;

function startsItself(command: string, name: string): boolean {
  if (changesNames.test(command)) return false;
  const parts = command.split(/&&|\|\||[;|\n]/);
  return parts.some((part) => {
    const words = part.trim().split(/\s+/);
    return words.find((word) => !inFront.test(word)) === name;
  });
}
