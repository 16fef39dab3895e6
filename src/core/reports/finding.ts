/** One line of `cos doctor`. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
  /** Set for an optional part that is not configured: nothing is wrong, and nothing was checked. */
  readonly isUnset?: true;
}
