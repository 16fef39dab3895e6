import type { GitOptions, GitResult } from "./git.ts";

/** Runs a git command in one repository. */
export type AskGit = (args: readonly string[], more?: Pick<GitOptions, "input" | "maxBytes">) => Promise<GitResult>;

/** A change identified without its place, so that it is equal in a squashed or picked commit. */
export interface Patch {
  readonly patchId: string;
  readonly commit: string;
}

export interface Changes {
  /** The branch as one change; null when it changes nothing. */
  readonly whole: Patch | null;
  /** One change for each commit, newest first. */
  readonly own: readonly Patch[];
  /** Changes of the base, newest first. */
  readonly base: readonly Patch[];
}

/** Maximum number of base commits whose changes are compared with one branch. */
const mostCompared = 1_000;

/** Maximum size in bytes, enough for the changes of hundreds of commits; larger ones are not compared. */
const longestPatch = 16 * 1024 * 1024;

/** No programs of a configuration run. */
const plainDiff = ["diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color"];

/** For each file, by its name as git quotes it: the commits that touch it, in the order given. Merges touch nothing. */
export type Touched = ReadonlyMap<string, readonly string[]>;

/** Finds the files that commits touch, by one git command. Null when git did not answer, or there is too much output. */
export async function touchedBy(ask: AskGit, commits: readonly string[]): Promise<Touched | null> {
  const listed = await ask([...plainDiff, "--name-only", "--root", "--stdin"], {
    input: `${commits.join("\n")}\n`,
    maxBytes: 2 * longestPatch,
  });
  if (listed.type === "failed" || !listed.isWhole) return null;
  const isCommit = new Set(commits);
  const touched = new Map<string, string[]>();
  let commit = "";
  for (const line of gitLines(listed.stdout)) {
    if (isCommit.has(line)) commit = line;
    else if (touched.get(line)?.push(commit) === undefined) touched.set(line, [commit]);
  }
  return touched;
}

/** The commits that touch a file which differs between two commits. Null when git did not answer. */
export async function touchingTheSame(
  ask: AskGit,
  touched: Touched,
  from: string,
  to: string,
): Promise<ReadonlySet<string> | null> {
  const named = await ask([...plainDiff, "--name-only", from, to]);
  if (named.type === "failed") return null;
  return new Set(gitLines(named.stdout).flatMap((file) => touched.get(file) ?? []));
}

/** The changes of a branch since it left its base, and those of the candidate commits. Null when git did not answer. */
export async function changesIn(
  ask: AskGit,
  { fork, head, candidates }: { readonly fork: string; readonly head: string; readonly candidates: readonly string[] },
): Promise<Changes | null> {
  const owned = await ask(["rev-list", "--no-merges", `--max-count=${mostCompared}`, head, `^${fork}`]);
  if (owned.type === "failed") return null;
  const [whole, own, base] = [
    await idsOf(ask, await ask([...plainDiff, "-p", fork, head], { maxBytes: longestPatch })),
    await idsOf(ask, await patchesOf(ask, gitLines(owned.stdout))),
    await idsOf(ask, await patchesOf(ask, candidates.slice(0, mostCompared))),
  ];
  if (whole === null || own === null || base === null) return null;
  return { whole: whole[0] ?? null, own, base };
}

async function patchesOf(ask: AskGit, commits: readonly string[]): Promise<GitResult> {
  const input = `${commits.join("\n")}\n`;
  return await ask([...plainDiff, "-p", "--root", "--stdin"], { input, maxBytes: longestPatch });
}

async function idsOf(ask: AskGit, patches: GitResult): Promise<Patch[] | null> {
  if (patches.type === "failed" || !patches.isWhole) return null;
  const identified = await ask(["patch-id", "--stable"], { input: patches.stdout });
  if (identified.type === "failed") return null;
  return gitLines(identified.stdout).map((line) => {
    const [patchId = "", commit = ""] = line.split(" ");
    return { patchId, commit };
  });
}

/** Returns the non-empty lines of git's output. */
export function gitLines(output: string): string[] {
  return output.split("\n").filter((line) => line !== "");
}
