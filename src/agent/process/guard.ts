import { randomBytes } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { startFollowed } from "./followed-child.ts";
import { startGrouped } from "./grouped-child.ts";

/**
 * Children die with us (D5). Where the kernel can be asked to (followed-child.ts), a guard stays the parent of everything
 * that descends from a child, and ends it; elsewhere the child's process group is ended, and what carries its marker.
 */

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
  /** Settles when the command itself ended; what it left behind is then being killed. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Asks the group to end, and ends it 2 s later. May be called again. */
  terminate(): void;
  /** Waits for the command, then for everything it left behind to be gone. May be called again. */
  dead(): Promise<void>;
}

export type Start =
  | { readonly type: "started"; readonly process: GuardedProcess }
  | { readonly type: "not-started"; readonly reason: string };

/** A command that can be started, with a marker by which its escaped descendants are found. */
export interface Starting {
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
  enclose(starting: Pick<Starting, "command" | "cwd" | "environment">): Enclosed;
}

/** Starts `command` (program and arguments) in `cwd` with exactly `environment` and the marker, shut in where `enclosure` is given. */
export async function startGuarded(
  options: Omit<Starting, "marker" | "feed"> & { readonly enclosure?: Enclosure | null | undefined },
): Promise<Start> {
  const { enclosure, ...wanted } = options;
  const problem = whyNotStartable(options.command, options.cwd, options.environment["PATH"] ?? "");
  if (problem !== null) return { type: "not-started", reason: problem };

  const marker = randomBytes(8).toString("hex");
  const enclosed = enclosure?.enclose(wanted) ?? { command: wanted.command, feed: null };
  const starting = { ...wanted, ...enclosed, marker, environment: { ...options.environment, COS_CHILD: marker } };
  return (await startFollowed(starting)) ?? (await startGrouped(starting));
}

/** What the shell would only say with exit code 127, as a sentence. */
function whyNotStartable(command: readonly string[], cwd: string, path: string): string | null {
  const [program] = command;
  if (program === undefined || program === "") return "the command is empty";
  if (command.some((word) => word.includes("\0"))) return "the command holds a NUL character";
  if (!isDirectory(cwd)) return `the directory ${cwd} does not exist`;
  if (program.includes("/")) {
    return isExecutable(isAbsolute(program) ? program : resolve(cwd, program))
      ? null
      : `${program} is not an executable file`;
  }
  const found = path.split(delimiter).some((folder) => folder !== "" && isExecutable(join(folder, program)));
  return found ? null : `${program} was not found in PATH`;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
