import type { TaskRow } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** Where an attempt at a task begins. */
export interface AttemptStart {
  readonly at: string;
  /** Whether it contains the work of an earlier attempt. */
  readonly goesOn: boolean;
}

/**
 * Where the next attempt at a task begins: at the work of the last attempt, merged with the goal's current commit (`head`). It begins at
 * `head` alone if there is no such work, if the two conflict, or if the work began on a commit that `head` does not contain.
 */
export async function beginningOf(
  { git }: Pick<Deps, "git">,
  { mirror }: Pinned,
  head: string,
  task: Pick<TaskRow, "id" | "goalId" | "commit" | "commitFrom">,
): Promise<AttemptStart> {
  const anew = { at: head, goesOn: false };
  const { commit, commitFrom } = task;
  if (commit === null || commitFrom === null || commit === commitFrom) return anew;
  if (!(await git.hasCommit(mirror, commit)) || !(await isStill({ git }, mirror, head, commitFrom))) return anew;
  const message = `Put ${task.id} of ${task.goalId} on what is there now\n`;
  const put = await git.mergeCommits({ mirror, tip: head, head: commit, message });
  return put.type === "merged" ? { at: put.commit, goesOn: true } : anew;
}

/**
 * The tasks of an interrupted wave that had finished and need not be repeated: their commits are in this mirror, and `head` contains the
 * commit at which they began.
 */
export async function stillDone(
  { git }: Pick<Deps, "git">,
  { mirror }: Pinned,
  head: string,
  tasks: readonly TaskRow[],
): Promise<TaskRow[]> {
  const found: TaskRow[] = [];
  for (const task of tasks) {
    const { commit, commitFrom } = task;
    if (commit === null || commitFrom === null || !(await git.hasCommit(mirror, commit))) continue;
    if (await isStill({ git }, mirror, head, commitFrom)) found.push(task);
  }
  return found;
}

async function isStill(
  { git }: Pick<Deps, "git">,
  mirror: Pinned["mirror"],
  head: string,
  from: string,
): Promise<boolean> {
  return (await git.hasCommit(mirror, from)) && (await git.contains(mirror, head, from));
}
