/** Prints lines to the terminal, for all our programs. */

/** Prints the requested output on stdout. Returns the exit code 0. */
export function print(lines: readonly string[]): number {
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

/**
 * Ends the program when the reader of stdout has read enough (`cos goals | head -1`), which is not an error. Other write errors are
 * reported in one line.
 */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    complain([`stdout cannot be written: ${error.message}`]);
    process.exit(1);
  });
  // Nobody can read a report of this error.
  process.stderr.on("error", () => process.exit(1));
}

/** Prints everything else on stderr: reasons and progress. */
export function complain(lines: readonly string[]): void {
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** Delay before the first message that work goes on, and interval of the next ones. */
const firstAfterMs = 1_000;
const againEveryMs = 10_000;

/**
 * Resolves or rejects like `work`. Meanwhile a person at a terminal reads that `name` is at work, and for how long. From the second
 * message on, it also says what the work waits for, from `waitsFor`, which must not throw. Programs read nothing. `at` returns the
 * current step in words, or empty.
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
