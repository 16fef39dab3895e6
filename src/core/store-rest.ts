/** How long a store that did not answer is left alone by whoever puts something there. */
export interface StoreRest {
  /** Questions in a row that were not answered. */
  readonly failures: number;
  /** Null: it may be asked. */
  readonly until: Date | null;
}

export const noRest: StoreRest = { failures: 0, until: null };

/** After one more that was not answered: longer each time, up to `longestMs`. */
export function restAfter(
  { failures }: StoreRest,
  now: Date,
  bounds: { readonly firstMs: number; readonly longestMs: number },
): StoreRest {
  const ms = Math.min(bounds.firstMs * 2 ** Math.min(failures, 20), bounds.longestMs);
  return { failures: failures + 1, until: new Date(now.getTime() + ms) };
}

/** A clock that was set back makes nobody wait longer than the longest rest. */
export function isResting({ until }: StoreRest, now: Date, longestMs: number): boolean {
  return until !== null && now < until && until.getTime() - now.getTime() <= longestMs;
}
