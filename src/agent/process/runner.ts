import type { AgentWords } from "../../core/recovery/agent-words.ts";
import type { AgentOperation } from "../../core/worklog/operations.ts";
import type { Enclosure } from "./guarded-process.ts";
import type { Timers } from "./timers.ts";

/**
 * The contract between a goal's turn and whatever does the work: a coding agent over ACP, a plain command, or the
 * goal's own `--run`. A runner never throws for what an agent does; every end is a `RunResult`.
 */

/** What one execution is given. Times in milliseconds, money in micro-dollars. */
export interface RunRequest {
  readonly runId: string;
  readonly goalId: string;
  /** Absolute path of the git worktree; the working directory of the agent. */
  readonly worktree: string;
  /** Absolute path of the file where masked, bounded output is kept. Its folder exists. */
  readonly outputFile: string;
  readonly prompt: string;
  /** The agent's own session to resume, when an earlier execution of the same run reported one. */
  readonly agentSessionId: string | null;
  /** The clock of the limits. */
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** How long an agent may take to say that it is one; one that takes longer has not begun. Two minutes when left out. */
  readonly startMs?: number;
  /** Without a word, a tool or tokens for this long, it is said that the agent is silent; never when left out. */
  readonly quietMs?: number;
  /** Ends the run when nothing has been heard for this long. */
  readonly inactivityMs: number;
  /** Added to the scrubbed environment of the child; `COS_RUN` is always set to `runId`. */
  readonly environment: Readonly<Record<string, string>>;
  /** What shuts it in; null: nothing does. */
  readonly enclosure: Enclosure | null;
  /** Texts that are masked wherever they appear in output. */
  readonly secrets: readonly string[];
  /** Commands an agent may execute without asking (D29): the repository's setup and checks. */
  readonly allowedCommands: readonly string[];
  /** Fingerprints that a human granted for one use (D29). */
  readonly grants: readonly string[];
}

/** A permission an agent asks for (ACP `session/request_permission`), reduced to what a card shows. */
export interface PermissionAsk {
  /**
   * Stable over restarts (D29): a hash of its kind, command, places and everything else that it says, as it is written; but for names
   * and times of the call, why it is done, how long it is waited for, what a model shall do with what is found, and what a file would
   * hold (`given.ts`). Of one that gives its tool nothing: with what was told of the call before, else with its content's words; where
   * neither is there, of its kind and title, and without a title of its content or id.
   */
  readonly fingerprint: string;
  readonly kind: string;
  readonly title: string;
  readonly command: string | null;
  readonly locations: readonly string[];
  /** What it says beside these: "stdin: ls". */
  readonly given: readonly string[];
}

/** What a runner tells while it works. Callbacks must not throw; promises are awaited in order. */
export interface RunObserver {
  /** A line for people: a plan entry, a tool call, the first output. At most a few a second. */
  onActivity(text: string): void;
  /** The agent's own plan, whole, whenever it changes. */
  onPlan?(entries: readonly { readonly text: string; readonly isDone: boolean }[]): void;
  /** What the agent did, one after the other: its plan, and each tool call that is over. Raw: whoever keeps it masks it. */
  onOperation?(operation: AgentOperation): void;
  /** The agent's own session id, as soon as it is known. */
  onAgentSession(agentSessionId: string): Promise<void>;
  /** Cumulative cost of one of the agent's sessions, as it counts itself. */
  onSpend(cumulativeMicroUsd: number, agentSessionId: string): Promise<void>;
  /** Tokens that it says were used, each once; agents that report a cost may say them too. */
  onTokens?(used: UsedTokens): void;
  /** It reported a cost that cannot be: what it said, in a few words. */
  onOddCost?(said: string): void;
  /** What it calls itself, as soon as it has said so. */
  onAgent?(agent: AgentName): void;
  /** It has said nothing of a model or a tool for `afterMs`, with what its standard error says of why; null: it goes on. */
  onSilence?(silence: Silence | null): void;
  /** It did something that policy would have asked about, and asked nobody: the command, or the tool's title. */
  onUnasked?(what: string): void;
  /**
   * Asked for what policy does not allow by itself. Resolves to "allow" when a human answered in time or a grant was
   * used, else "reject"; after "reject" the runner cancels the prompt and ends with `permission`.
   */
  onPermission(ask: PermissionAsk): Promise<"allow" | "reject">;
}

/** Input includes what the provider had cached. `models`: names of its model, the likeliest first; none: the agent does not say. */
export interface UsedTokens {
  readonly models: readonly string[];
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface Silence {
  readonly afterMs: number;
  /** The last of what it wrote to standard error meanwhile, raw; empty when it wrote nothing. */
  readonly errors: string;
}

export interface AgentName {
  readonly name: string;
  readonly version: string | null;
}

/** What was kept of the output. `sha256` is of the kept file's bytes, hex. */
export interface KeptOutput {
  readonly file: string;
  readonly sha256: string;
  /** Bytes the child wrote; the kept file may hold fewer. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** The last lines, masked, at most 4000 characters. */
  readonly tail: string;
}

export type RunResult = Ran &
  (
    | {
        readonly type: "finished";
        readonly command: string;
        readonly exitCode: 0;
        readonly summary: string;
        /** Null of a program without a protocol: what it printed is all there is. */
        readonly said: AgentSaid | null;
      }
    | (Failed & { readonly type: "failed"; readonly exitCode: number | null })
    /** The agent refuses to start a session before somebody logs in. */
    | { readonly type: "needs-login"; readonly command: string; readonly reason: string }
    /** It did not say in time that it is an agent: the work has not begun. */
    | { readonly type: "not-started"; readonly command: string; readonly reason: string }
    /** Could not be spawned, or does not speak the protocol. */
    | (Failed & { readonly type: "unavailable" })
    | { readonly type: "permission"; readonly command: string; readonly ask: PermissionAsk }
    | { readonly type: "timeout"; readonly command: string; readonly reason: string }
    /** Cut by our own signal: stop, pause, ceiling, lost lease, shutdown. */
    | { readonly type: "cut"; readonly command: string }
  );

/** What an agent told over its protocol, masked. */
export interface AgentSaid {
  /** Its last message, at most the last 64 000 characters. */
  readonly message: string;
  /** The titles of the commands that it ran, at most the first 500. */
  readonly ran: readonly string[];
  /** The titles of tool calls that it ended its turn without saying were over. */
  readonly open: readonly string[];
}

interface Ran {
  readonly durationMs: number;
  readonly output: KeptOutput | null;
  /** What says that something could not be written for want of space, whatever else came of the run; else null. */
  readonly noSpace: string | null;
}

interface Failed {
  readonly command: string;
  readonly reason: string;
  /** What the agent itself said about it, masked; null when it said nothing, and of a goal's own command. */
  readonly own: AgentWords | null;
}

/** Does the work of one execution; resolves when the child's whole process group is dead. */
export type Runner = (request: RunRequest, observer: RunObserver, signal: AbortSignal) => Promise<RunResult>;
