/** Returns an exit code, with its meaning when it is a shell's: "127 (no such command)". Source: sh(1), signal(7). */
export function exitCodeWords(exitCode: number): string {
  const meaning = meanings.get(exitCode) ?? signals.get(exitCode - 128);
  return meaning === undefined ? String(exitCode) : `${exitCode} (${meaning})`;
}

const meanings: ReadonlyMap<number, string> = new Map([
  [126, "the command may not be run"],
  [127, "no such command"],
]);

/** Signals that end programs. A shell reports 128 plus the signal's number. */
const signals: ReadonlyMap<number, string> = new Map([
  [1, "SIGHUP"],
  [2, "SIGINT"],
  [3, "SIGQUIT"],
  [4, "SIGILL"],
  [5, "SIGTRAP"],
  [6, "SIGABRT"],
  [7, "SIGBUS"],
  [8, "SIGFPE"],
  [9, "SIGKILL: often because memory was short"],
  [11, "SIGSEGV"],
  [13, "SIGPIPE"],
  [15, "SIGTERM"],
]);
