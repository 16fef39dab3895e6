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
import { keepEnd } from "./stream-text.ts";
import type { KeptOutput } from "./runner.ts";
import type { Timers } from "./timers.ts";

/** Time limit to read text left in a pipe after its last writer is dead. */
const longestDrainMs = 5_000;

export interface ShellOptions {
  /** A line for the shell (`shellProgram`), or a program and its arguments. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly runId: string;
  /** Added to the scrubbed environment; `childEnvironment` says what is refused. */
  readonly environment: Readonly<Record<string, string>>;
  /** False: nothing of our own environment is inherited, only `environment` is given. */
  readonly inherits?: boolean;
  /** Isolates the command. */
  readonly enclosure?: Enclosure | null;
  readonly secrets: readonly string[];
  /** Written to standard input, which is then closed. Without it standard input is empty. */
  readonly input?: string;
  /** The clock of the two limits. */
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** Ends the command after this time without output. */
  readonly inactivityMs?: number;
  /** Absolute path; its folder exists. An existing file is overwritten. */
  readonly outputFile: string;
  readonly signal?: AbortSignal;
  /** Gets masked text from the start of the output, in whole lines. Must not throw. */
  readonly onOutput?: (text: string) => void;
  /** When given, output and errors are read from separate pipes, and passed on unmasked. The kept output mixes both by lines. */
  readonly onStream?: (stream: "output" | "errors", chunk: Buffer) => void;
}

/** How the command ended. For `timeout`, `inactive` and `cut`, we ended it. */
export type ShellEnd =
  | Exit
  | { readonly type: "timeout"; readonly afterMs: number }
  | { readonly type: "inactive"; readonly afterMs: number }
  | { readonly type: "cut" }
  | { readonly type: "not-started"; readonly reason: string };

export interface ShellResult {
  readonly durationMs: number;
  /** Null when nothing was started, or the file could not be written. */
  readonly output: KeptOutput | null;
  readonly end: ShellEnd;
  /** Words about a full disk, from its last lines or from its output file; null when there are none. */
  readonly noSpace: string | null;
}

/**
 * Runs one command to its end, and resolves when its whole process group is dead (D5). After a timeout or a cut the group gets 2 s to
 * end by itself, then it is killed. Never rejects because of the command.
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
  const lastErrors = keepEnd(longestErrors);
  const streams = child.stderr === null ? [child.stdout] : [child.stdout, child.stderr];
  // Of two streams whole lines are kept, so that neither splits a line of the other, least of all a secret.
  const sinks = streams.map(() => (streams.length === 1 ? { take: keeper.take, flush: () => {} } : byLines(keeper)));
  for (const [index, stream] of streams.entries()) {
    stream.on("data", (chunk: Buffer) => {
      limits.heard();
      const isErrors = stream === child.stderr;
      if (isErrors) lastErrors.take(chunk);
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
  // When errors come separately, only they say why the command ended.
  const told = child.stderr === null ? (output?.tail ?? "") : safeOutput(lastErrors.text(), options.secrets);
  const noSpace = spaceWordsOf(keeper.broken()) ?? (endedWell(end) ? null : spaceLineIn(told));
  return { durationMs: elapsed(), output, end, noSpace };
}

/** True when the output need not be searched for errors: the command succeeded, or we cut it. */
function endedWell(end: ShellEnd): boolean {
  return end.type === "cut" || (end.type === "exited" && end.exitCode === 0);
}

/** Number of characters of errors that are searched for the reason of the end. */
const longestErrors = 4_000;

/** Maximum length in bytes of a line that is held back; a longer one is passed on in parts. */
const longestHeldLine = 64 * 1024;

/** Holds back a stream's last line until it is complete. */
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

/** Resolves when a dead child's stream has been read to its end; then closes the stream. */
export async function drained(stream: Readable): Promise<void> {
  const limit = new AbortController();
  if (!stream.readableEnded) {
    const end = once(stream, "end", { signal: limit.signal }).catch(() => {});
    await Promise.race([end, sleep(longestDrainMs, undefined, { signal: limit.signal }).catch(() => {})]);
    limit.abort();
    // If this process was blocked for that long, nothing was read meanwhile.
    await allIsRead();
  }
  stream.destroy();
}

/** Calls `onEnd` once: at the time limit, after too long a silence, or when the signal aborts. */
export function watchLimits(
  limits: Pick<ShellOptions, "timers" | "timeoutMs" | "inactivityMs" | "signal">,
  onEnd: (end: ShellEnd) => void,
): { heard(): void; stop(): ShellEnd | null } {
  const { signal, timers, inactivityMs } = limits;
  let ended: ShellEnd | null = null;
  /** Output that is read after the end does not restart the silence limit. */
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
