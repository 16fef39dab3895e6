import type { Db } from "../../db/connection/client.ts";
import { tasksOf, updateTask } from "../../db/tasks.ts";

/** Where a run has nothing of what a goal's tasks left they are worked again, all of them; their loop is the caller's to begin. */
export async function beginTasksAnew(tx: Db, goalId: string, now: Date): Promise<void> {
  for (const { id } of await tasksOf(tx, goalId))
    await updateTask(tx, goalId, id, { status: "pending", commit: null, updatedAt: now });
}
