/** A spec check's statement about its task and the rest; null means no statement. */
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

/** The flags after a failed check (S3-PS-01). */
export const failedFlags: TaskFlags = {
  taskPassed: false,
  taskFailed: true,
  hasMoreTasks: true,
  allTasksComplete: false,
};

/** The flags after a passed check, with tasks left or for the last task (S3-PS-02, S3-PS-03). */
export function passedFlags(tasksLeft: number): TaskFlags {
  const isLast = tasksLeft === 0;
  return { taskPassed: true, taskFailed: false, hasMoreTasks: !isLast, allTasksComplete: isLast };
}

/** True when a report says no, whatever else it says: a failure is never outvoted (C-46, S3-PS-04). */
export function saysFailed(flags: Partial<TaskFlags>): boolean {
  return flags.taskFailed === true || flags.taskPassed === false;
}
