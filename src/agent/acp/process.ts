import type { Readable, Writable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { commandWords } from "./command-line.ts";
import { childEnvironment } from "../process/environment.ts";
import { startGuarded } from "../process/guard.ts";
import type { GuardedProcess } from "../process/guarded-process.ts";
import { refusedCallsFile } from "../process/refused-calls.ts";
import { keepStart } from "../process/stream-text.ts";
import type { RunRequest } from "../process/runner.ts";

/** Number of unreadable lines after which the program counts as no agent. */
const mostBrokenLines = 20;

const seenLength = 2_000;

/** A started agent and the stream the protocol runs on. */
export interface AgentProcess {
  readonly child: GuardedProcess;
  readonly stream: Stream;
  /** The beginning of the agent's standard output, unmasked. */
  seen(): string;
  /** Resolves when the program has shown that it does not speak the protocol. */
  readonly broken: Promise<void>;
  /** Marks the agent as one that speaks the protocol: from now on unreadable lines are ignored, they may be progress output. */
  speaks(): void;
}

export type AgentStart =
  | { readonly type: "started"; readonly agent: AgentProcess }
  | { readonly type: "not-started"; readonly reason: string };

/** Starts an agent over stdio, guarded like every child (D5). `onBytes` is called for all of its output. */
export async function startAgent(options: {
  readonly commandLine: string;
  readonly request: Pick<RunRequest, "runId" | "worktree" | "environment" | "enclosure"> & {
    /** Null when no output is kept. */
    readonly outputFile: string | null;
  };
  readonly onBytes: () => void;
  readonly onErrors: (chunk: Buffer) => void;
}): Promise<AgentStart> {
  const { request } = options;
  const start = await startGuarded({
    command: commandWords(options.commandLine),
    cwd: request.worktree,
    environment: childEnvironment({
      runId: request.runId,
      refusedCalls: request.outputFile === null ? null : refusedCallsFile(request.outputFile, request.runId),
      given: request.environment,
    }),
    enclosure: request.enclosure,
    stdin: true,
    streams: "apart",
  });
  if (start.type === "not-started") return start;
  const child = start.process;
  if (child.stdin === null || child.stderr === null) throw new Error("an agent's three streams are pipes");

  const seen = keepStart(seenLength);
  child.stdout.on("data", (chunk: Buffer) => {
    options.onBytes();
    seen.take(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    options.onBytes();
    options.onErrors(chunk);
  });
  const complaints = toAgent(child.stdin);
  const stream = ndJsonStream(complaints.output, fromAgent(child.stdout));
  return {
    type: "started",
    agent: { child, stream, seen: seen.text, broken: complaints.broken, speaks: complaints.speaks },
  };
}

/**
 * Converts the agent's output to a web stream. `Readable.toWeb` is not used: it throws an error that nobody can catch when data arrives
 * after the reader has gone.
 */
function fromAgent(stdout: Readable): ReadableStream<Uint8Array> {
  let isOpen = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      stdout.on("data", (chunk: Buffer) => {
        if (!isOpen) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) stdout.pause();
      });
      stdout.once("close", () => {
        if (isOpen) controller.close();
        isOpen = false;
      });
    },
    pull() {
      stdout.resume();
    },
    cancel() {
      isOpen = false;
      stdout.resume(); // Later output is discarded, so that the agent does not hang on a full pipe.
    },
  });
}

/** The agent's input. The SDK answers each unreadable line with an error without an id; these errors are counted here. */
function toAgent(stdin: Writable): Pick<AgentProcess, "broken" | "speaks"> & {
  readonly output: WritableStream<Uint8Array>;
} {
  const decoder = new TextDecoder();
  let count = 0;
  let isSpoken = false;
  let settle: () => void = () => {};
  const broken = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const output = new WritableStream<Uint8Array>({
    async write(chunk) {
      if (decoder.decode(chunk.subarray(0, 64)).startsWith('{"jsonrpc":"2.0","id":null,"error"')) count += 1;
      if (count >= mostBrokenLines && !isSpoken) settle();
      // An agent that no longer reads is detected by its exit. A write that fails for that reason is ignored.
      await new Promise<void>((resume) => {
        stdin.write(chunk, () => resume());
      });
    },
  });
  return { output, broken, speaks: () => void (isSpoken = true) };
}
