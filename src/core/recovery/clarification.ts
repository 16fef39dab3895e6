/** One question to a person in the middle of the ladder (rung 3), and the answer; both reach the next attempt's prompt. */
export interface Clarification {
  readonly question: string;
  /** Null: nobody answered in time. */
  readonly answer: string | null;
  readonly by: string | null;
}
