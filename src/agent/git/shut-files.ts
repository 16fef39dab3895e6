import { access, chmod, constants, lstat, readdir } from "node:fs/promises";
import { placeOf } from "./names.ts";

/** What an agent has shut with `chmod`: git leaves it out, and stops at some of it. Which bits were set is no part of what git records. */

/** Makes a folder readable that was shut and is ours; not what is in it. */
export async function makeReadable(dir: string): Promise<void> {
  await opens(dir, "folder");
}

/** What was shut, by its path in a folder, in bytes (`nameBytes`). A folder ends in "/". */
export interface Shut {
  /** Can be read now. */
  readonly opened: readonly string[];
  /** Files of another user, or such that lie too deep. */
  readonly shut: readonly string[];
}

/** Makes everything in a folder readable that was shut and is ours. Links are not followed. */
export async function openShut(dir: string): Promise<Shut> {
  const found = { opened: [], shut: [] };
  await makeReadable(dir);
  await openInside(dir, "", found);
  return found;
}

interface Found {
  readonly opened: string[];
  readonly shut: string[];
}

async function openInside(dir: string, below: string, found: Found): Promise<void> {
  const entries = await readdir(placeOf(dir, below), { withFileTypes: true, encoding: "buffer" }).catch(
    (error: unknown) => {
      if (!isMissing(error)) found.shut.push(below);
      return [];
    },
  );
  for (const entry of entries) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const path = `${below}${entry.name.toString("latin1")}${entry.isDirectory() ? "/" : ""}`;
    const end = await opens(placeOf(dir, path), entry.isDirectory() ? "folder" : "file");
    if (end === "opened") found.opened.push(path);
    if (end === "shut") found.shut.push(path);
    else if (entry.isDirectory()) await openInside(dir, path, found);
  }
}

const needed = {
  file: { access: constants.R_OK, bits: 0o600 },
  folder: { access: constants.R_OK | constants.X_OK, bits: 0o700 },
};

/** What is not there is not shut. */
async function opens(path: string | Buffer, kind: keyof typeof needed): Promise<"open" | "opened" | "shut"> {
  const { access: asked, bits } = needed[kind];
  if (await may(path, asked)) return "open";
  const found = await lstat(path).catch((error: unknown) => (isMissing(error) ? "missing" : null));
  if (found === "missing") return "open";
  if (found === null || found.isSymbolicLink()) return "shut";
  await chmod(path, found.mode | bits).catch(() => undefined);
  return (await may(path, asked)) ? "opened" : "shut";
}

async function may(path: string | Buffer, asked: number): Promise<boolean> {
  return await access(path, asked).then(
    () => true,
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
