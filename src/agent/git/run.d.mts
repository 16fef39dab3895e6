/** One command of git, as it is to be started. Plain values: it can be sent to another process. */
export interface Run {
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | Uint8Array;
  /** Read instead of `input`. */
  readonly inputFile?: string;
  readonly timeoutMs: number;
  /** Ends it after this much output. */
  readonly maxBytes: number;
}

/** How it ended, and what it said. */
export interface Ended {
  /** Null when it was not started or was ended by a signal. */
  readonly exitCode: number | null;
  /** Why it could not be started. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly endedFor: "limit" | "time" | null;
  /** At most `maxBytes`. */
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** Runs git in this process and waits until it has ended. Never rejects: what went wrong is in what it gives. */
export function runHere(run: Run): Promise<Ended>;
