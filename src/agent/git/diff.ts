import { safeBeginning, safeOutput } from "../../core/secrets/mask.ts";
import { assertCommit, GitError } from "./git.ts";
import { guardMirror, type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";

export type FileStatus = "added" | "modified" | "deleted" | "renamed";

/** One changed file. Paths are relative to the repository, with "/". */
export interface ChangedFile {
  readonly path: string;
  readonly status: FileStatus;
  /** The old path of a renamed file; null for others. */
  readonly oldPath: string | null;
}

/** Counts of files and lines. A binary file counts as a file without lines. */
export interface Diffstat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** The difference between two commits. */
export interface Difference {
  /** Sorted by path. */
  readonly files: readonly ChangedFile[];
  readonly diffstat: Diffstat;
}

/** Limits and filters for a difference that is shown. */
export interface ShownDiff {
  readonly maxBytes: number;
  /** Secrets that are masked by value. */
  readonly secrets: readonly string[];
  /** Only these paths; all when empty. */
  readonly paths?: readonly string[];
}

/** The files that differ between two commits, sorted by path. Throws `GitError`. */
export async function changedFiles(mirror: Mirror, from: string, to: string): Promise<readonly ChangedFile[]> {
  return filesIn((await diff(mirror, ["--name-status", "-M", "-z"], from, to)).split("\0"));
}

/** Files and lines that differ between two commits, read by one git process. Throws `GitError`. */
export async function differenceOf(mirror: Mirror, from: string, to: string): Promise<Difference> {
  const fields = (await diff(mirror, ["--raw", "--shortstat", "-M", "-z"], from, to)).split("\0");
  // The line counts come last and do not end with NUL. They are missing when nothing differs.
  return { files: filesIn(fields.slice(0, -1)), diffstat: diffstatIn(fields.at(-1) ?? "") };
}

/** Parses `--name-status` or `--raw` output. The last word of a file's first field is the status letter. */
function filesIn(fields: readonly string[]): readonly ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const letter = fields[at]?.split(" ").at(-1)?.charAt(0) ?? "";
    const first = fields[at + 1] ?? "";
    if (letter === "R" || letter === "C") {
      files.push({ path: fields[at + 2] ?? "", status: "renamed", oldPath: first });
      at += 3;
    } else {
      files.push({ path: first, status: statusOf(letter), oldPath: null });
      at += 2;
    }
  }
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function diffstatIn(text: string): Diffstat {
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    files: number(/\b(\d+) files? changed/),
    insertions: number(/\b(\d+) insertions?/),
    deletions: number(/\b(\d+) deletions?/),
  };
}

/**
 * The difference as text that is safe to show: cleaned, with `secrets` masked by value and others by shape. At most `maxBytes` of it;
 * `isWhole` says whether that is all. `paths` limits it to those files. Throws `GitError`.
 */
export async function diffText(
  mirror: Mirror,
  from: string,
  to: string,
  { maxBytes, secrets, paths = [] }: ShownDiff,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  assertCommit(from);
  assertCommit(to);
  await guardMirror(mirror);
  const how = ["--no-ext-diff", "--no-textconv", "--no-color", "-M", from, to];
  const args = ["--literal-pathspecs", "diff", ...how, "--", ...paths];
  const result = await tryMirrorGit(mirror, args, { maxBytes });
  if (result.type === "failed") throw new GitError(args, result);
  const { isWhole } = result;
  const text = withVisibleControls(result.stdout);
  return { text: isWhole ? safeOutput(text, secrets) : safeBeginning(text, secrets), isWhole };
}

/** Replaces control characters that look like a line end, or hide the lines after them: they could forge or hide lines. */
function withVisibleControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what sets a terminal's title begins with one
  return text.replace(/\u001b(?=\])|\r(?!\n)/g, "\uFFFD");
}

/** The unfiltered difference, for the search for secrets. Never show, store or send it as it is. Throws `GitError`. */
export async function rawDiff(
  mirror: Mirror,
  from: string,
  to: string,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  assertCommit(from);
  assertCommit(to);
  await guardMirror(mirror);
  const args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--text", "-M", from, to, "--"];
  const result = await tryMirrorGit(mirror, args, { maxBytes });
  if (result.type === "failed") throw new GitError(args, result);
  return { text: result.stdout, isWhole: result.isWhole };
}

async function diff(mirror: Mirror, how: readonly string[], from: string, to: string): Promise<string> {
  assertCommit(from);
  assertCommit(to);
  await guardMirror(mirror);
  return mirrorGit(mirror, ["diff", "--no-ext-diff", "--no-textconv", ...how, from, to, "--"]);
}

/** A changed type (a file that became a link) counts as modified. */
function statusOf(letter: string): FileStatus {
  if (letter === "A") return "added";
  if (letter === "D") return "deleted";
  return "modified";
}
