import { complain } from "./printing.ts";

/**
 * Reports of refusals for the small programs beside the command registry, in the same form as commands. They load nothing else for it.
 */

interface Refused {
  readonly reason: string;
  /** What to do; null when nothing is known. */
  readonly next: string | null;
}

/** Reports a refusal or failure on stderr, and with `--json` as one document on stdout. Returns the exit code 1. */
export function sayRefused({ reason, next }: Refused, isJson: boolean): number {
  sayJson({ reason, next }, isJson);
  complain([reason, ...(next === null ? [] : [`next: ${next}`])]);
  return 1;
}

/** Reports wrong usage in the same way; `usage` is the first line of the help. Returns the exit code 2. */
export function sayWrongUsage(problem: string, usage: string, isJson: boolean): number {
  const reason = optionProblem(problem);
  const name = /^cos [a-z-]+/.exec(usage)?.[0] ?? "cos";
  sayJson({ reason, next: `${name} --help` }, isJson);
  complain([reason, `usage: ${usage}`]);
  return 2;
}

/** Reports wrong settings, one per line. Returns the exit code 1. */
export function sayMisconfigured(problems: readonly string[], isJson: boolean): number {
  const reason = ["The configuration has problems (environment or .env):", ...problems.map((each) => `  ${each}`)];
  return sayRefused({ reason: reason.join("\n"), next: "correct the environment or .env" }, isJson);
}

function sayJson(refused: Refused, isJson: boolean): void {
  if (isJson) process.stdout.write(`${JSON.stringify({ refused }, null, 2)}\n`);
}

/** Returns the fact in an error of Node's `parseArgs`, without its advice about other ways to write the option. */
function optionProblem(problem: string): string {
  const option = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(problem)?.[1];
  if (option !== undefined) return `${option} takes a value`;
  const [reason = problem] = problem.split(". To specify a positional");
  return reason;
}
