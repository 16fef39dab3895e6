import type { Db } from "../../db/connection/client.ts";
import { tasksOf, updateTask } from "../../db/tasks.ts";

/**
 * Prepares all tasks of a goal to be worked again in a run that contains none of their work. The caller begins their loop. A passed task loses
 * its attempts and its work. Other tasks keep theirs, and continue from their work if the goal still stands on the commit where it began.
 */
export async function beginTasksAnew(tx: Db, goalId: string, now: Date): Promise<void> {
  for (const { id, status, attempts } of await tasksOf(tx, goalId)) {
    const changes =
      status === "passed"
        ? ({ status: "pending", attempts: 0, commit: null, commitFrom: null, feedback: null } as const)
        : // Its attempt does not count, because its wave ends with the loop.
          status === "in_progress"
          ? ({ status: "pending", attempts: Math.max(0, attempts - 1) } as const)
          : {};
    await updateTask(tx, goalId, id, { ...changes, updatedAt: now });
  }
}
