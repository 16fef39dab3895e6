import type { AgentWords } from "../../core/recovery/agent-words.ts";
import type { AgentOperation } from "../../core/worklog/operations.ts";
import type { Enclosure } from "./guarded-process.ts";
import type { Timers } from "./timers.ts";

/**
 * The contract between a goal's turn and its executor: a coding agent over ACP, a plain command, or the goal's own `--run`. A runner
 * never throws because of an agent; every end is a `RunResult`.
 */

/** Input of one execution. Times in milliseconds, money in micro-dollars. */
export interface RunRequest {
  readonly runId: string;
  readonly goalId: string;
  /** Absolute path of the git worktree, the working directory of the agent. */
  readonly worktree: string;
  /** Absolute path of the file for masked, bounded output. Its folder exists. */
  readonly outputFile: string;
  readonly prompt: string;
  /** The agent's own session to resume, when an earlier execution of the same run reported one. */
  readonly agentSessionId: string | null;
  /** The clock of the limits. */
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** Time limit for an agent's answer to *initialize*; after it, the work has not begun. Two minutes by default. */
  readonly startMs?: number;
  /** After this time without message, tool or tokens the agent is reported as silent; never by default. */
  readonly quietMs?: number;
  /** Ends the run after this time without any output. */
  readonly inactivityMs: number;
  /** Added to the scrubbed environment of the child; `COS_RUN` is always set to `runId`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Isolates the executor; null when nothing does. */
  readonly enclosure: Enclosure | null;
  /** Texts that are masked wherever they appear in output. */
  readonly secrets: readonly string[];
  /** Commands an agent may execute without asking (D29): the repository's setup and checks. */
  readonly allowedCommands: readonly string[];
  /** Fingerprints that a human granted for one use (D29). */
  readonly grants: readonly string[];
}

/** A permission that an agent asks for (ACP `session/request_permission`), reduced to what a card shows. */
export interface PermissionAsk {
  /**
   * Stable over restarts (D29): a hash of the request's kind, command, places and all its other values, as written. Left out are ids
   * and times of the call, its reason, wait limits, instructions to a model about the result, and file content (`given.ts`). A request
   * without input uses the earlier input of its call, else the words of its content. Without those, kind and title are hashed; without
   * a title, its content or id.
   */
  readonly fingerprint: string;
  readonly kind: string;
  readonly title: string;
  readonly command: string | null;
  readonly locations: readonly string[];
  /** The other values of the request: "stdin: ls". */
  readonly given: readonly string[];
}

/** Callbacks of a runner while it works. They must not throw; promises are awaited in order. */
export interface RunObserver {
  /** A line for people: a plan entry, a tool call, the first output. At most a few per second. */
  onActivity(text: string): void;
  /** The agent's complete plan, whenever it changes. */
  onPlan?(entries: readonly { readonly text: string; readonly isDone: boolean }[]): void;
  /** The agent's operations in order: its plan, and each tool call that has ended. Not masked: whoever stores one must mask it. */
  onOperation?(operation: AgentOperation): void;
  /** The agent's own session id, as soon as it is known. */
  onAgentSession(agentSessionId: string): Promise<void>;
  /** Cumulative cost of one of the agent's sessions, as reported by the agent. */
  onSpend(cumulativeMicroUsd: number, agentSessionId: string): Promise<void>;
  /** Tokens that the agent reports, each once; an agent that reports a cost may report them too. */
  onTokens?(used: UsedTokens): void;
  /** The agent reported an impossible cost; `said` has its words, shortened. */
  onOddCost?(said: string): void;
  /** The agent's name, as soon as it is known. */
  onAgent?(agent: AgentName): void;
  /** The agent has reported nothing of a model or a tool for `afterMs`, with its latest standard error; null when it goes on. */
  onSilence?(silence: Silence | null): void;
  /** The agent did something without asking that policy would have asked about: the command, or the tool's title. */
  onUnasked?(what: string): void;
  /**
   * Asks for a permission that policy does not grant by itself. Resolves to "allow" when a human allowed it in time or a grant was
   * used, else to "reject". After "reject" the runner cancels the prompt and ends with `permission`.
   */
  onPermission(ask: PermissionAsk): Promise<"allow" | "reject">;
}

/**
 * Token usage. `input` includes cached tokens. `models` are names of the model, the likeliest first; empty when the agent names none.
 */
export interface UsedTokens {
  readonly models: readonly string[];
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface Silence {
  readonly afterMs: number;
  /** The latest part of standard error during the silence, not masked; empty when nothing was written. */
  readonly errors: string;
}

export interface AgentName {
  readonly name: string;
  readonly version: string | null;
}

/** The kept output. `sha256` is the hash of the kept file, in hex. */
export interface KeptOutput {
  readonly file: string;
  readonly sha256: string;
  /** Number of bytes that the child wrote; the kept file may have fewer. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** The last lines, masked, at most 8000 characters. */
  readonly tail: string;
}

export type RunResult = Ran &
  (
    | {
        readonly type: "finished";
        readonly command: string;
        readonly exitCode: 0;
        readonly summary: string;
        /** Null for a program without a protocol: its output is all there is. */
        readonly said: AgentSaid | null;
      }
    | (Failed & { readonly type: "failed"; readonly exitCode: number | null })
    /** The agent opens no session before somebody logs in. */
    | { readonly type: "needs-login"; readonly command: string; readonly reason: string }
    /** The agent did not answer *initialize* in time: the work has not begun. */
    | { readonly type: "not-started"; readonly command: string; readonly reason: string }
    /** The agent could not be started, or does not speak the protocol. */
    | (Failed & { readonly type: "unavailable" })
    | { readonly type: "permission"; readonly command: string; readonly ask: PermissionAsk }
    | { readonly type: "timeout"; readonly command: string; readonly reason: string }
    /** Cut by our own signal: stop, pause, ceiling, lost lease, shutdown. */
    | { readonly type: "cut"; readonly command: string }
  );

/** What an agent reported over its protocol, masked. */
export interface AgentSaid {
  /** The last message, at most its last 64 000 characters. */
  readonly message: string;
  /** The titles of the commands that ran, at most the first 500. */
  readonly ran: readonly string[];
  /** The titles of tool calls that were still open when the agent ended its turn. */
  readonly open: readonly string[];
}

interface Ran {
  readonly durationMs: number;
  readonly output: KeptOutput | null;
  /** Words about a full disk, whatever the result of the run; null when there are none. */
  readonly noSpace: string | null;
}

interface Failed {
  readonly command: string;
  readonly reason: string;
  /** The agent's own words about the failure, masked. Null when it said nothing, and for a goal's own command. */
  readonly own: AgentWords | null;
}

/** Does the work of one execution; resolves when the child's whole process group is dead. */
export type Runner = (request: RunRequest, observer: RunObserver, signal: AbortSignal) => Promise<RunResult>;
