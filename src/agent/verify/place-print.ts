import { createHash } from "node:crypto";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * What lies under these paths of a folder, hashed without reading it: kind, size, mode, inode and times of each file. The
 * time of its last change is among them, which no process can set back: equal prints mean that nothing was touched.
 */
export async function printOf(folder: string, paths: readonly string[]): Promise<string> {
  const lines = await Promise.all([...paths].sort().map((path) => linesOf(folder, path.replace(/\/$/, ""))));
  return createHash("sha256").update(lines.flat().join("\n")).digest("hex");
}

async function linesOf(folder: string, path: string): Promise<readonly string[]> {
  const found = await lstat(join(folder, path), { bigint: true }).catch(() => null);
  if (found === null) return [`${path}\0is not there`];
  const { mode, size, ino, mtimeNs, ctimeNs } = found;
  const target = found.isSymbolicLink() ? await readlink(join(folder, path)).catch(() => "") : "";
  const line = [path, mode, found.isDirectory() ? 0n : size, ino, mtimeNs, ctimeNs, target].join("\0");
  if (!found.isDirectory()) return [line];
  const names = (await readdir(join(folder, path))).sort();
  const below = await Promise.all(names.map((name) => linesOf(folder, `${path}/${name}`)));
  return [line, ...below.flat()];
}
