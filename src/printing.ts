/** Lines to the terminal, as all programs of ours print them. */

/** What was asked for, on stdout. The exit code of a program that did it, 0. */
export function print(lines: readonly string[]): number {
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

/** Whoever reads stdout may have read enough (`cos goals | head -1`): that ends the program, and is no fault. Else it is said in a line. */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    complain([`stdout cannot be written: ${error.message}`]);
    process.exit(1);
  });
  // Nobody is left to be told.
  process.stderr.on("error", () => process.exit(1));
}

/** Everything else, on stderr: why not, and how far it is. */
export function complain(lines: readonly string[]): void {
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** When a person is told that something goes on: after so long, and again each time that so much has passed. */
const firstAfterMs = 1_000;
const againEveryMs = 10_000;

/**
 * Resolves or rejects as `work`. Who looks at a terminal meanwhile reads that `name` is at work, for how long, and from the second time on
 * what it waits for, as far as `waitsFor` knows, which may not throw; programs read nothing. `at`: what of it is done now, in words; empty:
 * nobody knows.
 */
export async function whileAtWork<Value>(
  name: string,
  work: Promise<Value>,
  waitsFor: () => Promise<readonly string[]>,
  at: () => string = () => "",
): Promise<Value> {
  if (!process.stderr.isTTY) return await work;
  const startedMs = performance.now();
  let isOver = false;
  const say = async (): Promise<void> => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const reasons = seconds * 1_000 < againEveryMs ? [] : await waitsFor();
    if (isOver) return;
    const now = at();
    complain([`${name} is at work${now === "" ? "" : `, at ${now}`} … (${seconds} s)`, ...reasons]);
    timer = setTimeout(() => void say(), againEveryMs);
  };
  let timer = setTimeout(() => void say(), firstAfterMs);
  try {
    return await work;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
