import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { coverageIn, coverageReports } from "../core/critics/coverage.ts";
import { type Artifact, isDiff, linesOfDiff, linesOfFiles } from "../core/critics/lines.ts";
import { cleanText } from "../core/text.ts";

/** What critics are given of a path on this machine: a file, a diff, or all files of a folder (C-91). */
export interface ReviewedFiles {
  readonly text: string;
  readonly artifact: Artifact;
  readonly coverage: number | null;
}

export type ReadFiles =
  | { readonly type: "read"; readonly files: ReviewedFiles }
  | { readonly type: "refused"; readonly reason: string };

const mostFiles = 2000;
const mostBytes = 2_000_000;
const passedOver = new Set([".git", "node_modules", ".venv", "target", "dist", "coverage", ".data"]);

/** Reads it. A folder's files come in the order of their paths; links that lead out of it, and files that are no text, are left out. */
export async function readReviewed(path: string): Promise<ReadFiles> {
  try {
    const about = await stat(path);
    if (about.isDirectory()) return await readFolder(path);
    if (!about.isFile()) return { type: "refused", reason: `${path} is neither a file nor a folder` };
    if (about.size > mostBytes)
      return { type: "refused", reason: `${path} has ${about.size} bytes, at most ${mostBytes} are read` };
    const text = cleanText((await readFile(path)).toString("utf8"));
    const artifact = isDiff(text, path) ? linesOfDiff(text) : linesOfFiles([{ path: basename(path), text }]);
    return { type: "read", files: { text, artifact, coverage: await coverageNear(dirname(path)) } };
  } catch (error) {
    return {
      type: "refused",
      reason: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function readFolder(folder: string): Promise<ReadFiles> {
  const root = await realpath(folder);
  const paths = await filesBelow(root, root);
  if (paths.length > mostFiles)
    return { type: "refused", reason: `${folder} has ${paths.length} files, at most ${mostFiles} are read` };
  const files: { path: string; text: string }[] = [];
  let bytes = 0;
  for (const path of paths) {
    const content = await readFile(join(root, path));
    if (content.includes(0)) continue;
    bytes += content.length;
    if (bytes > mostBytes) return { type: "refused", reason: `${folder} has more than ${mostBytes} bytes of text` };
    files.push({ path, text: cleanText(content.toString("utf8")) });
  }
  if (files.length === 0) return { type: "refused", reason: `${folder} has no files of text` };
  const text = files.map((file) => `--- ${file.path}\n${file.text}`).join("\n");
  return { type: "read", files: { text, artifact: linesOfFiles(files), coverage: await coverageNear(root) } };
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !passedOver.has(entry.name)) found.push(...(await filesBelow(root, path)));
    if (entry.isFile()) found.push(relative(root, path).split(sep).join("/"));
  }
  return found.sort();
}

/** What the first report that is there says. */
async function coverageNear(folder: string): Promise<number | null> {
  for (const report of coverageReports) {
    const text = await readFile(join(folder, report), "utf8").catch(() => null);
    const covered = text === null ? null : coverageIn(report, text);
    if (covered !== null) return covered;
  }
  return null;
}
