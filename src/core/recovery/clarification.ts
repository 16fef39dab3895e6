/** A question to a person in the middle of the ladder (rung 3), and its answer. Both are in the next attempt's prompt. */
export interface Clarification {
  readonly question: string;
  /** Null when nobody answered in time. */
  readonly answer: string | null;
  readonly by: string | null;
}
