import type { AgentProcess } from "./process.ts";
import type { Activity } from "./activity.ts";
import type { OutputKeeper } from "../process/output.ts";
import type { RunObserver, RunRequest, RunResult } from "../process/runner.ts";
import type { ShellEnd } from "../process/shell.ts";

/** A run's result without the parts that are known only outside of the conversation. */
export type TalkOutcome = RunResult extends infer Each
  ? Each extends RunResult
    ? Omit<Each, "durationMs" | "output" | "noSpace" | "command">
    : never
  : never;

export interface ConversationOptions {
  readonly agent: AgentProcess;
  /** The words of the agent's command line. */
  readonly commandLine: readonly string[];
  /** The names by which the agent is known. */
  readonly programs: readonly string[];
  readonly request: RunRequest;
  readonly observer: RunObserver;
  readonly activity: Activity;
  readonly keeper: OutputKeeper;
  readonly signal: AbortSignal;
  readonly startMs: number;
  /** Receives a listener that must be called whenever the agent writes anything. */
  readonly onHeard: (listener: () => void) => void;
  /** Called with the error when a file from the agent could not be written. */
  readonly onUnwritten: (error: unknown) => void;
  /** The end of the agent's standard error, unmasked. */
  readonly lastErrors: () => string;
}

/** The state of a conversation. */
export interface Talk extends ConversationOptions {
  phase: "handshake" | "session" | "prompt";
  sessionId: string | null;
  /** True once the prompt is answered, even if later steps fail. */
  isAnswered: boolean;
  /** Set when one of our own limits or the signal ended it. */
  ended: ShellEnd | null;
}
