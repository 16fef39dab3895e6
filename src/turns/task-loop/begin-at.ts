import type { TaskRow } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** Where an attempt at a task begins. */
export interface AttemptStart {
  readonly at: string;
  /** What an earlier attempt left is in it. */
  readonly goesOn: boolean;
}

/**
 * Where the next attempt at a task begins: at what its last one left, put on the goal's commit as it is now; at that alone where there is nothing
 * to go on from, or where the two conflict. What began on a ground that the goal has left is not taken along.
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

/** The tasks of a wave that had finished when it was interrupted, as far as what they left is here and the goal still stands on where they began. */
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
