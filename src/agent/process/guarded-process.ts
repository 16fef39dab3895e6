import type { Readable, Writable } from "node:stream";

/** Input and output of a guard. */

/** How the command itself ended. */
export type Exit =
  | { readonly type: "exited"; readonly exitCode: number }
  | { readonly type: "signalled"; readonly signal: NodeJS.Signals };

export interface GuardedProcess {
  readonly pid: number;
  /** Null when not requested. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  /** Null when it is merged into `stdout`. */
  readonly stderr: Readable | null;
  /**
   * Settles when the command itself has ended. Its remaining processes are then being killed, or are ending after a request. Never
   * rejects.
   */
  readonly exited: Promise<Exit>;
  /** Asks the whole group to end, and kills the rest of it 2 s later. May be called again. */
  terminate(): void;
  /** Waits for the command, then until all its remaining processes are gone. May be called again. */
  dead(): Promise<void>;
}

export type StartResult =
  | { readonly type: "started"; readonly process: GuardedProcess }
  | { readonly type: "not-started"; readonly reason: string };

/** Options for a start. The marker identifies descendants that escaped. */
export interface StartOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  /** The complete environment, including `COS_CHILD`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: string;
  readonly stdin: boolean;
  /** "merged" writes errors into the output, in order; "apart" keeps two streams. */
  readonly streams: "merged" | "apart";
  /** Written to descriptor 4, which is then closed; null for none. */
  readonly feed: string | null;
}

/** A command line that runs a command inside a place, and the data for its descriptor 4. */
export interface Enclosed {
  readonly command: readonly string[];
  readonly feed: string;
}

/** Isolates a command. The command then gets the environment given here, not the guard's. */
export interface Enclosure {
  enclose(starting: Pick<StartOptions, "command" | "cwd" | "environment">): Enclosed;
}
