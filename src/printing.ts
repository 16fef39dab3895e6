/** Lines to the terminal, as all programs of ours print them. */

/** What was asked for, on stdout. The exit code of a program that did it, 0. */
export function print(lines: readonly string[]): number {
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

/** Everything else, on stderr: why not, and how far it is. */
export function complain(lines: readonly string[]): void {
  process.stderr.write(`${lines.join("\n")}\n`);
}
