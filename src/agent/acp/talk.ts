import type { AgentProcess } from "./process.ts";
import type { Activity } from "./activity.ts";
import type { OutputKeeper } from "../process/output.ts";
import type { RunObserver, RunRequest, RunResult } from "../process/runner.ts";
import type { ShellEnd } from "../process/shell.ts";

/** A result without what is known outside of the conversation. */
export type TalkOutcome = RunResult extends infer Each
  ? Each extends RunResult
    ? Omit<Each, "durationMs" | "output" | "noSpace" | "command">
    : never
  : never;

export interface ConversationOptions {
  readonly agent: AgentProcess;
  /** The words that start it. */
  readonly commandLine: readonly string[];
  /** The names that it goes by. */
  readonly programs: readonly string[];
  readonly request: RunRequest;
  readonly observer: RunObserver;
  readonly activity: Activity;
  readonly keeper: OutputKeeper;
  readonly signal: AbortSignal;
  readonly startMs: number;
  /** Gives away what must be called whenever the agent writes anything. */
  readonly onHeard: (listener: () => void) => void;
  /** Hears why a file could not be written that the agent gave us to write. */
  readonly onUnwritten: (error: unknown) => void;
  /** The end of what it wrote to standard error, raw. */
  readonly lastErrors: () => string;
}

/** A conversation that is under way. */
export interface Talk extends ConversationOptions {
  phase: "handshake" | "session" | "prompt";
  sessionId: string | null;
  /** Its answer to the prompt is here, whatever becomes of it afterwards. */
  isAnswered: boolean;
  /** Set when one of our own limits or the signal ended it. */
  ended: ShellEnd | null;
}
