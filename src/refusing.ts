import { complain } from "./printing.ts";

/** How the programs beside the registry say that they did nothing: as commands do. They load nothing else for it. */

interface Refused {
  readonly reason: string;
  /** What to do; null: nothing is known. */
  readonly next: string | null;
}

/** Refused or failed: why on stderr, and with `--json` as one document on stdout. Its exit code, 1. */
export function sayRefused({ reason, next }: Refused, isJson: boolean): number {
  sayJson({ reason, next }, isJson);
  complain([reason, ...(next === null ? [] : [`next: ${next}`])]);
  return 1;
}

/** Wrong usage, said the same way; `usage` is the first line of its help. Its exit code, 2. */
export function sayWrongUsage(problem: string, usage: string, isJson: boolean): number {
  // What node says of an option goes on with advice that is about positionals.
  const [reason = problem] = problem.split(". To specify a positional");
  const name = /^cos [a-z-]+/.exec(usage)?.[0] ?? "cos";
  sayJson({ reason, next: `${name} --help` }, isJson);
  complain([reason, `usage: ${usage}`]);
  return 2;
}

/** Settings that are wrong, each in a line. Its exit code, 1. */
export function sayMisconfigured(problems: readonly string[], isJson: boolean): number {
  const reason = ["The configuration has problems (environment or .env):", ...problems.map((each) => `  ${each}`)];
  return sayRefused({ reason: reason.join("\n"), next: "correct the environment or .env" }, isJson);
}

function sayJson(refused: Refused, isJson: boolean): void {
  if (isJson) process.stdout.write(`${JSON.stringify({ refused }, null, 2)}\n`);
}
