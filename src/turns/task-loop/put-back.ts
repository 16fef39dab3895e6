import type { TaskStatus } from "../../core/task-loop/tasks.ts";
import type { Db } from "../../db/connection/client.ts";
import { tasksOf, updateTask } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";

/** Undoes the beginning of tasks that were stored as in progress but were not worked: sets them to `statuses` and takes back the attempt. */
export async function putBackTasks(
  tx: Db,
  deps: Pick<Deps, "now">,
  goalId: string,
  statuses: Readonly<Record<string, TaskStatus>>,
): Promise<void> {
  for (const { id, attempts } of await tasksOf(tx, goalId)) {
    const status = statuses[id];
    if (status === undefined) continue;
    await updateTask(tx, goalId, id, { status, attempts: Math.max(0, attempts - 1), updatedAt: deps.now() });
  }
}
