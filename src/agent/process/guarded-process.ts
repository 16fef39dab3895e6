import type { Readable, Writable } from "node:stream";

/** What a guard is asked for, and what it hands out. */

/** How the command itself ended. */
export type Exit =
  | { readonly type: "exited"; readonly exitCode: number }
  | { readonly type: "signalled"; readonly signal: NodeJS.Signals };

export interface GuardedProcess {
  readonly pid: number;
  /** Null unless asked for. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  /** Null when it goes into `stdout`. */
  readonly stderr: Readable | null;
  /** Settles when the command itself ended; what it left behind is then being killed, or ends by itself where it was asked to. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Asks the group to end, its command and what that started, and ends what is left of it 2 s later. May be called again. */
  terminate(): void;
  /** Waits for the command, then for everything it left behind to be gone. May be called again. */
  dead(): Promise<void>;
}

export type StartResult =
  | { readonly type: "started"; readonly process: GuardedProcess }
  | { readonly type: "not-started"; readonly reason: string };

/** A command that can be started, with a marker by which its escaped descendants are found. */
export interface StartOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  /** Exactly this, `COS_CHILD` included. */
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: string;
  readonly stdin: boolean;
  /** "merged" puts errors into the output in their order, "apart" keeps two streams. */
  readonly streams: "merged" | "apart";
  /** Written to descriptor 4, which is then closed; null: there is none. */
  readonly feed: string | null;
}

/** A command as it is started on this machine so that it runs in a place of its own. */
export interface Enclosed {
  readonly command: readonly string[];
  readonly feed: string;
}

/** What shuts a command in, where something does; it then runs with the environment that this says, not with the guard's. */
export interface Enclosure {
  enclose(starting: Pick<StartOptions, "command" | "cwd" | "environment">): Enclosed;
}
