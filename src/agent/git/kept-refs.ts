import { stat } from "node:fs/promises";
import { join } from "node:path";
import { tryGit } from "./git.ts";
import { type Mirror, mirrorGit } from "./mirror.ts";

/** Lists refs under `refs/cos/` that are kept for a while, with their goals or their age. */

export interface RefOfGoal {
  readonly ref: string;
  readonly goalId: string;
}

/** The refs of all kept attempts of a mirror, with their goals. Throws `GitError`. */
export async function keptAttempts(mirror: Mirror): Promise<RefOfGoal[]> {
  const names = (await mirrorGit(mirror, ["for-each-ref", "--format=%(refname)", "refs/cos"])).split("\n");
  return ofGoals(names, /^refs\/cos\/([^/]+)\/attempt-\d+$/);
}

/** Refs of commits that another run's branch has replaced, in the person's repository. Empty when it cannot be read. */
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

/** A ref that a backup created while it read commits. */
export interface HeldRef {
  readonly ref: string;
  /** The time of the ref's file; for a packed ref, of git's last packing. */
  readonly since: Date;
}

/** The refs that a backup has left in a mirror, or holds right now. Throws `GitError`. */
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
