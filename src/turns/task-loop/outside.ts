import { type FileChange, refusalOf } from "../../core/task-loop/files-allowed.ts";
import type { TaskRow } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";
import type { LoopTurn } from "./stored.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** For each task that changed files which it or its goal may not change: its id, and the reason why it is refused (S3-PS-06). Other tasks are not in the result. */
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
    // If the task merged a newer base into the work, files that are as in the base are not its own changes.
    const own = isJoined ? changes : alsoIn(await deps.git.changedFiles(base.mirror, ground, commit), changes);
    const why = refusalOf(own, { task: filesAllowed, goal: turn.goal.filesAllowed });
    if (why !== null) found[id] = why;
  }
  return found;
}

/** Those of these changes whose path the others change too. */
function alsoIn(changes: readonly FileChange[], others: readonly FileChange[]): readonly FileChange[] {
  const paths = new Set(others.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path])));
  return changes.filter(({ path, oldPath }) => paths.has(path) || (oldPath !== null && paths.has(oldPath)));
}
