/** One line of `cos doctor`. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
  /** Optional, and not set up: nothing is wrong, and nothing was looked at. */
  readonly isUnset?: true;
}
