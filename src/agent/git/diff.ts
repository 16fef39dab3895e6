import { safeBeginning, safeOutput } from "../../core/secrets/mask.ts";
import { assertCommit, GitError } from "./git.ts";
import { guardMirror, type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";

export type FileStatus = "added" | "modified" | "deleted" | "renamed";

/** One changed file; paths are relative to the repository, with "/". */
export interface ChangedFile {
  readonly path: string;
  readonly status: FileStatus;
  /** Where a renamed file was; null for the others. */
  readonly oldPath: string | null;
}

/** Lines; a binary file counts as a file without lines. */
export interface Diffstat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** What differs between two commits. */
export interface Difference {
  /** In the order of their paths. */
  readonly files: readonly ChangedFile[];
  readonly diffstat: Diffstat;
}

/** How much of a difference is shown, and what of it is not. */
export interface ShownDiff {
  readonly maxBytes: number;
  /** Known by value. */
  readonly secrets: readonly string[];
  /** None: all of them. */
  readonly paths?: readonly string[];
}

/** The files that differ between two commits, in the order of their paths. Throws `GitError`. */
export async function changedFiles(mirror: Mirror, from: string, to: string): Promise<readonly ChangedFile[]> {
  return filesIn((await diff(mirror, ["--name-status", "-M", "-z"], from, to)).split("\0"));
}

/** Files and lines that differ between two commits, by one process. Throws `GitError`. */
export async function differenceOf(mirror: Mirror, from: string, to: string): Promise<Difference> {
  const fields = (await diff(mirror, ["--raw", "--shortstat", "-M", "-z"], from, to)).split("\0");
  // Lines are told last, and end with no NUL; where nothing differs, they are not.
  return { files: filesIn(fields.slice(0, -1)), diffstat: diffstatIn(fields.at(-1) ?? "") };
}

/** Of what `--name-status` or `--raw` says: of the first of a file's fields the last word tells what became of it. */
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
 * The difference as text, safe to show (cleaned, secrets masked: those of `secrets` by value, others by shape), at most
 * `maxBytes` of it: `isWhole` says whether that was all. `paths`: only theirs. Throws `GitError`.
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

/** A file's characters that would be taken for the end of a line, or away with the lines behind them: these would be forged, or hidden. */
function withVisibleControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what sets a terminal's title begins with one
  return text.replace(/\u001b(?=\])|\r(?!\n)/g, "\uFFFD");
}

/** The difference as git says it, for who looks for secrets in it: never shown, stored or sent anywhere as it is. Throws `GitError`. */
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

/** A changed type (a file that became a link) is a modification. */
function statusOf(letter: string): FileStatus {
  if (letter === "A") return "added";
  if (letter === "D") return "deleted";
  return "modified";
}
