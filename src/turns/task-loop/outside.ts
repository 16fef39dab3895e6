import { type FileChange, refusalOf } from "../../core/task-loop/files-allowed.ts";
import type { TaskRow } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";
import type { LoopTurn } from "./stored.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** Why tasks are refused that changed what they, or their goal, may not touch, by their ids; the others are missing. S3-PS-06. */
export async function outsideOf(
  deps: Pick<Deps, "git">,
  turn: LoopTurn,
  base: Pinned,
  tasks: readonly TaskRow[],
): Promise<Record<string, string>> {
  const head = turn.run.headCommit ?? turn.run.baseCommit ?? base.commit;
  const ground = turn.run.baseCommit ?? base.commit;
  const found: Record<string, string> = {};
  for (const { id, commit, commitFrom, filesAllowed } of tasks) {
    const from = commitFrom ?? head;
    if (commit === null || commit === from) continue;
    const isJoined = from === ground || (await deps.git.contains(base.mirror, from, ground));
    const changes = await deps.git.changedFiles(base.mirror, from, commit);
    // What a task has from a base that it brought together with the work is as the base has it.
    const own = isJoined ? changes : alsoIn(await deps.git.changedFiles(base.mirror, ground, commit), changes);
    const why = refusalOf(own, { task: filesAllowed, goal: turn.goal.filesAllowed });
    if (why !== null) found[id] = why;
  }
  return found;
}

/** Of these changes those whose path the others change too. */
function alsoIn(changes: readonly FileChange[], others: readonly FileChange[]): readonly FileChange[] {
  const paths = new Set(others.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path])));
  return changes.filter(({ path, oldPath }) => paths.has(path) || (oldPath !== null && paths.has(oldPath)));
}
