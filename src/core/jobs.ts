/**
 * Every job and its queue. A job is a doorbell (D6): it carries no data and only says that work may be waiting, so a lost or
 * duplicated job changes nothing. Long work and short chores use different queues.
 */
export const queueOf = {
  /** A goal is ready: claim ready goals until none is left. */
  "run-goal": "goals",
  /** The same at a later time, when a retry is due. The row has the due time; this job only saves waiting for a tick. */
  "retry-goal": "goals",
  /** A session of a campaign has ended, or a person answered a question about one. */
  "run-campaign-day": "chores",
  /** A reply waits to be read by the model. */
  "read-replies": "chores",
  /** A run has ended and was not reflected on yet. */
  reflect: "chores",
} as const;

export type JobName = keyof typeof queueOf;
