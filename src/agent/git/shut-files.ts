import { access, chmod, constants, lstat, readdir } from "node:fs/promises";
import { placeOf } from "./names.ts";

/**
 * Repairs permissions that an agent removed with `chmod`: git leaves such files out, and stops at some. Git does not record these
 * permissions.
 */

/** Makes a folder of ours readable, but not its content. */
export async function makeReadable(dir: string): Promise<void> {
  await opens(dir, "folder");
}

/** Paths without read permission, relative to a folder, as bytes (`nameBytes`). A folder ends in "/". */
export interface Shut {
  /** Paths that are readable now. */
  readonly opened: readonly string[];
  /** Paths that stay unreadable: another user's, or too deep. */
  readonly shut: readonly string[];
}

/** Makes everything of ours in a folder readable. Follows no links. */
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

/** Makes one path readable. A missing path counts as open. */
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
