/**
 * Every job and the queue it waits in. A job is a doorbell (D6): it carries nothing, says only that somebody should
 * look, and so a lost or doubled one changes nothing. Long work and short chores wait in different queues.
 */
export const queueOf = {
  /** Some goal is ready: claim ready goals until none is left. */
  "run-goal": "goals",
  /** The same a while from now: a retry is due then. Its due time is the row's; this only saves waiting for a tick. */
  "retry-goal": "goals",
  /** A session of a campaign has ended, or somebody answered a question about one. */
  "run-campaign-day": "chores",
  /** Some reply waits for the model to read it. */
  "read-replies": "chores",
  /** Some run has ended, and nobody has thought about it yet. */
  reflect: "chores",
} as const;

export type JobName = keyof typeof queueOf;
