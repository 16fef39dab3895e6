import { stat } from "node:fs/promises";
import { join } from "node:path";
import { tryGit } from "./git.ts";
import { type Mirror, mirrorGit } from "./mirror.ts";

/** Refs under `refs/cos/` that are kept for a while: whose they are, and since when. */

export interface RefOfGoal {
  readonly ref: string;
  readonly goalId: string;
}

/** The refs of all kept attempts of a mirror, and whose they are. Throws `GitError`. */
export async function keptAttempts(mirror: Mirror): Promise<RefOfGoal[]> {
  const names = (await mirrorGit(mirror, ["for-each-ref", "--format=%(refname)", "refs/cos"])).split("\n");
  return ofGoals(names, /^refs\/cos\/([^/]+)\/attempt-\d+$/);
}

/** Commits of branches that another run's branch has replaced, in the person's repository. Empty where it cannot be read. */
export async function keptReplaced(repositoryPath: string): Promise<RefOfGoal[]> {
  const listed = await tryGit(["for-each-ref", "--format=%(refname)", "refs/cos/replaced"], {
    cwd: repositoryPath,
    configuration: "person's",
  });
  return listed.type === "ok" ? ofGoals(listed.stdout.split("\n"), /^refs\/cos\/replaced\/([^/]+)\/[^/]+$/) : [];
}

function ofGoals(names: readonly string[], shape: RegExp): RefOfGoal[] {
  return names.flatMap((ref) => {
    const goalId = shape.exec(ref)?.[1];
    return goalId === undefined ? [] : [{ ref, goalId }];
  });
}

/** What a backup gave to commits while it read them. */
export interface HeldRef {
  readonly ref: string;
  /** Of a ref that git has packed: when it did so last. */
  readonly since: Date;
}

/** The refs that a backup has left in a mirror, or holds just now. Throws `GitError`. */
export async function heldForBackup(mirror: Mirror): Promise<HeldRef[]> {
  const names = await mirrorGit(mirror, ["for-each-ref", "--format=%(refname)", "refs/cos/backup"]);
  const held: HeldRef[] = [];
  for (const ref of names.split("\n").filter((name) => name !== "")) {
    const own = await stat(join(mirror.dir, ref)).catch(() => null);
    const file = own ?? (await stat(join(mirror.dir, "packed-refs")).catch(() => null));
    if (file !== null) held.push({ ref, since: file.mtime });
  }
  return held;
}
