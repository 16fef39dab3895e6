/** What a spec check says about its task and about the rest; null: nobody has said. */
export interface TaskFlags {
  readonly taskPassed: boolean | null;
  readonly taskFailed: boolean | null;
  readonly hasMoreTasks: boolean | null;
  readonly allTasksComplete: boolean | null;
}

export const noFlags: TaskFlags = {
  taskPassed: null,
  taskFailed: null,
  hasMoreTasks: null,
  allTasksComplete: null,
};

/** A failed check (S3-PS-01). */
export const failedFlags: TaskFlags = {
  taskPassed: false,
  taskFailed: true,
  hasMoreTasks: true,
  allTasksComplete: false,
};

/** A passed check with tasks left, and of the last task (S3-PS-02, S3-PS-03). */
export function passedFlags(tasksLeft: number): TaskFlags {
  const isLast = tasksLeft === 0;
  return { taskPassed: true, taskFailed: false, hasMoreTasks: !isLast, allTasksComplete: isLast };
}

/** Whether somebody who looked says no, beside whatever else he says: failed wins, a no is never outvoted (C-46, S3-PS-04). */
export function saysFailed(flags: Partial<TaskFlags>): boolean {
  return flags.taskFailed === true || flags.taskPassed === false;
}
