import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { childEnvironment } from "./environment.ts";
import { type Exit, startGuarded } from "./guard.ts";
import { keepOutput } from "./output.ts";
import type { KeptOutput } from "./runner.ts";
import type { Timers } from "./timers.ts";

/** Text left in a pipe after its last writer is dead is read for at most this long. */
const longestDrainMs = 5_000;

export interface ShellOptions {
  /** A line for `sh -c`, or a program and its arguments. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly runId: string;
  /** Added to the scrubbed environment; see `childEnvironment` for what is refused. */
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Given on standard input, which is then closed; without it standard input is empty. */
  readonly input?: string;
  /** The clock of the two limits. */
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** Ends the command when it has written nothing for this long. */
  readonly inactivityMs?: number;
  /** Absolute; its folder exists. Overwritten. */
  readonly outputFile: string;
  readonly signal?: AbortSignal;
  /** Masked text from the start of the output, whole lines. Must not throw. */
  readonly onOutput?: (text: string) => void;
}

/** Why the command is over. `timeout`, `inactive` and `cut` say that we ended it. */
export type ShellEnd =
  | Exit
  | { readonly type: "timeout"; readonly afterMs: number }
  | { readonly type: "inactive"; readonly afterMs: number }
  | { readonly type: "cut" }
  | { readonly type: "not-started"; readonly reason: string };

export interface ShellResult {
  readonly durationMs: number;
  /** Null when nothing was started or the file could not be written. */
  readonly output: KeptOutput | null;
  readonly end: ShellEnd;
}

/**
 * Runs one command to its end and resolves when its whole process group is dead (D5), at most about 5 s after a
 * timeout or a cut. Never rejects for what the command does.
 */
export async function runShell(options: ShellOptions): Promise<ShellResult> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  if (options.signal?.aborted) return { durationMs: 0, output: null, end: { type: "cut" } };

  const start = await startGuarded({
    command: typeof options.command === "string" ? shellLine(options.command) : options.command,
    cwd: options.cwd,
    environment: childEnvironment({ runId: options.runId, given: options.environment }),
    stdin: options.input !== undefined,
    streams: "merged",
  });
  if (start.type === "not-started") return { durationMs: elapsed(), output: null, end: start };

  const { process: child } = start;
  const keeper = keepOutput({ file: options.outputFile, secrets: options.secrets, onText: options.onOutput });
  const limits = watchLimits(options, () => child.terminate());
  child.stdout.on("data", (chunk: Buffer) => {
    limits.heard();
    keeper.take(chunk);
  });
  child.stdin?.end(options.input ?? "");

  const exit = await child.exited;
  const ended = limits.stop();
  await child.dead();
  await drained(child.stdout);
  return { durationMs: elapsed(), output: keeper.finish(), end: ended ?? exit };
}

/** Resolves when everything written to a dead child's stream has been read; then nothing more comes. */
export async function drained(stream: Readable): Promise<void> {
  const limit = new AbortController();
  if (!stream.readableEnded) {
    const end = once(stream, "end", { signal: limit.signal }).catch(() => {});
    await Promise.race([end, sleep(longestDrainMs, undefined, { signal: limit.signal }).catch(() => {})]);
    limit.abort();
  }
  stream.destroy();
}

/** Calls `onEnd` once: at the time limit, after too long a silence, or when told. */
export function watchLimits(
  limits: Pick<ShellOptions, "timers" | "timeoutMs" | "inactivityMs" | "signal">,
  onEnd: (end: ShellEnd) => void,
): { heard(): void; stop(): ShellEnd | null } {
  const { signal, timers, inactivityMs } = limits;
  let ended: ShellEnd | null = null;
  function finish(end: ShellEnd): void {
    if (ended !== null) return;
    ended = end;
    onEnd(end);
  }
  const cut = (): void => finish({ type: "cut" });
  const endTimeout = timers.after(limits.timeoutMs, () => finish({ type: "timeout", afterMs: limits.timeoutMs }));
  let endSilence = (): void => {};
  function listen(): void {
    endSilence();
    if (inactivityMs === undefined) return;
    endSilence = timers.after(inactivityMs, () => finish({ type: "inactive", afterMs: inactivityMs }));
  }
  listen();
  signal?.addEventListener("abort", cut, { once: true });
  if (signal?.aborted) cut();

  return {
    heard() {
      if (ended === null) listen();
    },
    stop() {
      endTimeout();
      endSilence();
      signal?.removeEventListener("abort", cut);
      return ended;
    },
  };
}

function shellLine(command: string): readonly string[] {
  return command.trim() === "" ? [] : ["/bin/sh", "-c", command];
}
