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

/** When a person is told that something goes on: after so long, and again each time that so much has passed. */
const firstAfterMs = 1_000;
const againEveryMs = 10_000;

/** Resolves or rejects as `work`. Who looks at a terminal meanwhile reads that `name` is at work, and for how long; programs read nothing. */
export async function whileAtWork<Value>(name: string, work: Promise<Value>): Promise<Value> {
  if (!process.stderr.isTTY) return await work;
  const startedMs = performance.now();
  const say = (): void => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    complain([`${name} is at work … (${seconds} s)`]);
    timer = setTimeout(say, againEveryMs);
  };
  let timer = setTimeout(say, firstAfterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
