import type { Db } from "../../db/connection/client.ts";
import { tasksOf, updateTask } from "../../db/tasks.ts";

/**
 * Where a run has nothing of what a goal's tasks left they are worked again, all of them; their loop is the caller's to begin. Nothing is
 * known any more of a task that had passed; what has not keeps its attempts and its own work, which is gone on from where the ground holds it.
 */
export async function beginTasksAnew(tx: Db, goalId: string, now: Date): Promise<void> {
  for (const { id, status, attempts } of await tasksOf(tx, goalId)) {
    const changes =
      status === "passed"
        ? ({ status: "pending", attempts: 0, commit: null, commitFrom: null, feedback: null } as const)
        : // It was no attempt: its wave goes with the loop.
          status === "in_progress"
          ? ({ status: "pending", attempts: Math.max(0, attempts - 1) } as const)
          : {};
    await updateTask(tx, goalId, id, { ...changes, updatedAt: now });
  }
}
