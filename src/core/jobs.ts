/**
 * Every job and the queue it waits in. A job is a doorbell (D6): it carries nothing, says only that somebody should
 * look, and so a lost or doubled one changes nothing. Long work and short chores wait in different queues.
 */
export const queueOf = {
  /** Some goal is ready: claim ready goals until none is left. */
  "run-goal": "goals",
} as const;

export type JobName = keyof typeof queueOf;
