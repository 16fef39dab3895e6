import { open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { coverageLeftIn } from "../agent/verify/coverage.ts";
import { type Artifact, isDiff, isNamedDiff, linesOfDiff, linesOfFiles } from "../core/critics/lines.ts";
import { fileTrouble } from "../core/errors.ts";
import { formatBytes } from "../core/space/free.ts";
import { cleanText, firstLine, isBlank } from "../core/text.ts";

/** The files at a path on this machine that critics review: a file, a diff, or all files of a folder (C-91). */
export interface ReviewedFiles {
  readonly text: string;
  readonly artifact: Artifact;
  readonly coverage: number | null;
  /** What was left out: folders that tools fill, links, and files that are not text. */
  readonly leftOut: readonly string[];
}

export type ReadFiles =
  | { readonly type: "read"; readonly files: ReviewedFiles }
  | { readonly type: "refused"; readonly reason: string };

const mostFiles = 2000;
const mostBytes = 2_000_000;
const filledByTools = new Set([".git", "node_modules", ".venv", "target", "dist", "coverage", ".data"]);

/** Reads the files at a path. A folder's files are sorted by path; links, and files that are not text, are left out. */
export async function readReviewed(path: string): Promise<ReadFiles> {
  try {
    const about = await stat(path);
    if (about.isDirectory()) return await readFolder(path);
    if (!about.isFile()) return { type: "refused", reason: `${path} is neither a file nor a folder` };
    if (about.size > mostBytes)
      return { type: "refused", reason: `${path} has ${about.size} bytes, at most ${mostBytes} are read` };
    const text = textOf(await readFile(path));
    if (isBlank(text)) return { type: "refused", reason: `${path} is empty: there is nothing to look at` };
    const artifact = artifactOf(path, text);
    return { type: "read", files: { text, artifact, coverage: await coverageNear(dirname(path)), leftOut: [] } };
  } catch (error) {
    return { type: "refused", reason: `${path} cannot be read: ${fileTrouble(error, "read")}` };
  }
}

/** Returns a file's name in one line, without characters that control a terminal. */
function named(path: string): string {
  return cleanText(firstLine(path, 500));
}

/**
 * Returns the artifact of a file. The unchanged lines of a diff count only if nothing but its lines makes it a diff, because it could be
 * a script that runs.
 */
function artifactOf(path: string, text: string): Artifact {
  if (!isDiff(text, path)) return linesOfFiles([{ path: named(basename(path)), text }]);
  return linesOfDiff(text, isNamedDiff(path) ? "left-out" : "as-added");
}

/** Removes zero bytes, because shells ignore them. */
function textOf(content: Buffer): string {
  return cleanText(content.toString("utf8").replaceAll("\0", ""));
}

async function readFolder(folder: string): Promise<ReadFiles> {
  const root = await realpath(folder);
  const { paths, leftOut } = await filesBelow(root, root);
  if (paths.length > mostFiles)
    return { type: "refused", reason: `${folder} has more than ${mostFiles} files, the most that are read` };
  const files: { path: string; text: string }[] = [];
  let bytes = 0;
  for (const path of paths) {
    const { size } = await stat(join(root, path));
    if (size <= mostBytes) {
      const content = await readFile(join(root, path));
      // A script for a shell or an interpreter stays one with zero bytes in it.
      if (!content.includes(0) || content.toString("latin1", 0, 2) === "#!") {
        bytes += content.length;
        files.push({ path: named(path), text: textOf(content) });
      } else leftOut.push(path);
    } else if (await isText(join(root, path))) bytes += size;
    else leftOut.push(path);
    if (bytes > mostBytes)
      return { type: "refused", reason: `${folder} has more than ${formatBytes(mostBytes)} of text` };
  }
  if (files.length === 0) return { type: "refused", reason: `${folder} has no files of text` };
  if (files.every((file) => isBlank(file.text)))
    return { type: "refused", reason: `${folder} has only empty files: there is nothing to look at` };
  const text = files.map((file) => `--- ${file.path}\n${file.text}`).join("\n");
  return {
    type: "read",
    files: {
      text,
      artifact: linesOfFiles(files),
      coverage: await coverageNear(root),
      leftOut: leftOut.map(named).sort(),
    },
  };
}

/** True when a file begins like text; used for files that are too long to be read. */
async function isText(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8000), 0, 8000, 0);
    return !buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await file.close();
  }
}

/** Lists the files below a folder. Ends early when there are too many: somebody may name their home folder, with a million files. */
async function filesBelow(root: string, folder: string): Promise<{ paths: string[]; leftOut: string[] }> {
  const paths: string[] = [];
  const leftOut: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (paths.length > mostFiles) break;
    const path = join(folder, entry.name);
    const name = relative(root, path).split(sep).join("/");
    if (entry.isFile()) paths.push(name);
    else if (entry.isDirectory() && !filledByTools.has(entry.name)) {
      const below = await filesBelow(root, path);
      paths.push(...below.paths);
      leftOut.push(...below.leftOut);
    } else leftOut.push(entry.isDirectory() ? `${name}/` : name);
  }
  return { paths: paths.sort(), leftOut };
}

/** Returns the coverage in the folder's first report. A report counts only if it is a file of the folder. */
async function coverageNear(folder: string): Promise<number | null> {
  return await coverageLeftIn(folder, async () => false);
}
