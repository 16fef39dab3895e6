import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { leadsOut } from "../../core/files/path.ts";

/** Maximum size in bytes of a file whose lines are counted. A longer one proves nothing. */
const longestBytes = 20_000_000;

/** Maximum number of paths that are checked. */
const mostPaths = 500;

/**
 * The number of lines of each file in a directory, by path as written. Missing paths, folders and paths outside are left out. `others`
 * are directories with the same files: an absolute path into one of them means the file here.
 */
export async function lineCounts(
  directory: string,
  paths: readonly string[],
  others: readonly string[] = [],
): Promise<Readonly<Record<string, number>>> {
  const top = await realpath(directory);
  const found: Record<string, number> = {};
  for (const path of paths.slice(0, mostPaths)) {
    const inside = insideOf(path, [directory, top, ...others]);
    const lines = inside === null ? null : await countIn(top, resolve(top, inside)).catch(() => null);
    if (lines !== null) found[path] = lines;
  }
  return found;
}

/** The path relative to the directory; null when it leads elsewhere. */
function insideOf(path: string, tops: readonly string[]): string | null {
  if (!isAbsolute(path)) return path;
  for (const top of tops) {
    const inside = relative(top, path);
    if (inside !== "" && !leadsOut(inside) && !isAbsolute(inside)) return inside;
  }
  return null;
}

/** Null when it is not a file in the directory. Links are resolved first. */
async function countIn(top: string, path: string): Promise<number | null> {
  const real = await realpath(path);
  if (!real.startsWith(`${top}${sep}`)) return null;
  const { size } = await stat(real);
  if (size > longestBytes) return null;
  const text = await readFile(real, "utf8");
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
