import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { startFollowed } from "./followed-child.ts";
import { startGrouped } from "./grouped-child.ts";
import type { Enclosure, StartResult, StartOptions } from "./guarded-process.ts";
import { isExecutable, programIn } from "./programs.ts";

/**
 * Children die with us (D5). Where the kernel supports it (followed-child.ts), a guard stays the parent of all descendants of a child,
 * and ends them. Elsewhere the child's process group is killed, and everything with its marker.
 */

/** Starts `command` (program and arguments) in `cwd` with exactly `environment` and the marker, isolated when `enclosure` is given. */
export async function startGuarded(
  options: Omit<StartOptions, "marker" | "feed"> & { readonly enclosure?: Enclosure | null | undefined },
): Promise<StartResult> {
  const { enclosure, ...wanted } = options;
  const problem = whyNotStartable(options.command, options.cwd, options.environment["PATH"] ?? "");
  if (problem !== null) return { type: "not-started", reason: problem };

  const marker = randomBytes(8).toString("hex");
  const enclosed = enclosure?.enclose(wanted) ?? { command: wanted.command, feed: null };
  const starting = { ...wanted, ...enclosed, marker, environment: { ...options.environment, COS_CHILD: marker } };
  return (await startFollowed(starting)) ?? (await startGrouped(starting));
}

/** Returns a sentence for errors that a shell would report only as exit code 127. */
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
  return programIn(path, program) === null ? `${program} was not found in PATH` : null;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
