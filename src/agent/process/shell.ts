import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { safeOutput } from "../../core/secrets/mask.ts";
import { spaceLineIn, spaceWordsOf } from "../../core/space/no-space.ts";
import { childEnvironment } from "./environment.ts";
import { startGuarded } from "./guard.ts";
import type { Enclosure, Exit } from "./guarded-process.ts";
import { keepOutput, type OutputKeeper } from "./output.ts";
import { refusedCallsFile } from "./refused-calls.ts";
import { allIsRead } from "./read-all.ts";
import { shellProgram } from "./shell-program.ts";
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
  /** False: nothing is given of our own environment but `environment`. */
  readonly inherits?: boolean;
  /** What shuts the command in. */
  readonly enclosure?: Enclosure | null;
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
  /** Given: the command's output and its errors are read from pipes of their own, raw. What is kept then mixes both by lines. */
  readonly onStream?: (stream: "output" | "errors", chunk: Buffer) => void;
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
  /** What says that something could not be written for want of space: its last lines, or its output's file; else null. */
  readonly noSpace: string | null;
}

/**
 * Runs one command to its end and resolves when its whole process group is dead (D5), at most about 5 s after a
 * timeout or a cut. Never rejects for what the command does.
 */
export async function runShell(options: ShellOptions): Promise<ShellResult> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  if (options.signal?.aborted) return { durationMs: 0, output: null, end: { type: "cut" }, noSpace: null };

  const start = await startGuarded({
    command: typeof options.command === "string" ? shellLine(options.command) : options.command,
    cwd: options.cwd,
    environment: childEnvironment({
      runId: options.runId,
      refusedCalls: refusedCallsFile(options.outputFile, options.runId),
      given: options.environment,
      ...(options.inherits === false ? { ours: {} } : {}),
    }),
    enclosure: options.enclosure,
    stdin: options.input !== undefined,
    streams: options.onStream === undefined ? "merged" : "apart",
  });
  if (start.type === "not-started") return { durationMs: elapsed(), output: null, end: start, noSpace: null };

  const { process: child } = start;
  const keeper = keepOutput({ file: options.outputFile, secrets: options.secrets, onText: options.onOutput });
  const limits = watchLimits(options, () => child.terminate());
  let lastErrors = "";
  const streams = child.stderr === null ? [child.stdout] : [child.stdout, child.stderr];
  // Of two streams whole lines are kept, so that neither cuts what the other one says, a secret least of all.
  const sinks = streams.map(() => (streams.length === 1 ? { take: keeper.take, flush: () => {} } : byLines(keeper)));
  for (const [index, stream] of streams.entries()) {
    stream.on("data", (chunk: Buffer) => {
      limits.heard();
      const isErrors = stream === child.stderr;
      if (isErrors) lastErrors = (lastErrors + chunk.toString()).slice(-longestErrors);
      options.onStream?.(isErrors ? "errors" : "output", chunk);
      sinks[index]?.take(chunk);
    });
  }
  child.stdin?.end(options.input ?? "");

  const exit = await child.exited;
  const ended = limits.stop();
  await child.dead();
  for (const stream of streams) await drained(stream);
  for (const sink of sinks) sink.flush();
  const output = keeper.finish();
  const end = ended ?? exit;
  // Where its errors come apart, only those say why it ended.
  const told = child.stderr === null ? (output?.tail ?? "") : safeOutput(lastErrors, options.secrets);
  const noSpace = spaceWordsOf(keeper.broken()) ?? (endedWell(end) ? null : spaceLineIn(told));
  return { durationMs: elapsed(), output, end, noSpace };
}

/** Nobody asks a command that has succeeded, or that we ended, what its words mean. */
function endedWell(end: ShellEnd): boolean {
  return end.type === "cut" || (end.type === "exited" && end.exitCode === 0);
}

/** How much of a command's errors is looked at for why it ended. */
const longestErrors = 4_000;

/** A line that goes on for longer is passed on in parts. */
const longestHeldLine = 64 * 1024;

/** Holds back a stream's last line until it has ended. */
function byLines(keeper: OutputKeeper): { take(chunk: Buffer): void; flush(): void } {
  let held: Buffer = Buffer.alloc(0);
  function pass(bytes: Buffer): void {
    if (bytes.length > 0) keeper.take(bytes);
  }
  return {
    take(chunk) {
      const all = Buffer.concat([held, chunk]);
      const end = all.length > longestHeldLine ? all.length : all.lastIndexOf("\n") + 1;
      pass(all.subarray(0, end));
      held = all.subarray(end);
    },
    flush() {
      pass(held);
      held = Buffer.alloc(0);
    },
  };
}

/** Resolves when everything written to a dead child's stream has been read; then nothing more comes. */
export async function drained(stream: Readable): Promise<void> {
  const limit = new AbortController();
  if (!stream.readableEnded) {
    const end = once(stream, "end", { signal: limit.signal }).catch(() => {});
    await Promise.race([end, sleep(longestDrainMs, undefined, { signal: limit.signal }).catch(() => {})]);
    limit.abort();
    // Where we stood still for that long, nothing was read meanwhile.
    await allIsRead();
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
  /** What is read of a command that is over begins no new silence. */
  let isOver = false;
  function finish(end: ShellEnd): void {
    if (ended !== null || isOver) return;
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
      if (ended === null && !isOver) listen();
    },
    stop() {
      isOver = true;
      endTimeout();
      endSilence();
      signal?.removeEventListener("abort", cut);
      return ended;
    },
  };
}

function shellLine(command: string): readonly string[] {
  return command.trim() === "" ? [] : [shellProgram, "-c", "--", command];
}
