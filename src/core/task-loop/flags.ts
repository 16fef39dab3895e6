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

/**
 * Consistent flags out of any: failed wins over all complete, which wins over passed with more (C-46). What is missing is
 * derived from the number of tasks that are left; where that is not known either, nothing was proven and the task fails,
 * so that no state can idle (C-45).
 */
export function normaliseFlags(flags: TaskFlags, tasksLeft: number | null): TaskFlags {
  if (flags.taskFailed === true) return failedFlags;
  if (flags.allTasksComplete === true) return passedFlags(0);
  if (flags.taskPassed !== true) return failedFlags;
  if (flags.hasMoreTasks === true) return passedFlags(1);
  return tasksLeft === null ? failedFlags : passedFlags(tasksLeft);
}
