/** A pause in writing to a store that did not answer. */
export interface StoreRest {
  /** Consecutive requests without an answer. */
  readonly failures: number;
  /** Null when the store may be used. */
  readonly until: Date | null;
}

export const noRest: StoreRest = { failures: 0, until: null };

/** Returns the pause after another request without an answer: each pause is longer, up to `longestMs`. */
export function restAfter(
  { failures }: StoreRest,
  now: Date,
  bounds: { readonly firstMs: number; readonly longestMs: number },
): StoreRest {
  const ms = Math.min(bounds.firstMs * 2 ** Math.min(failures, 20), bounds.longestMs);
  return { failures: failures + 1, until: new Date(now.getTime() + ms) };
}

/** True while the store must not be used. After a clock was set back, the pause never exceeds `longestMs`. */
export function isResting({ until }: StoreRest, now: Date, longestMs: number): boolean {
  return until !== null && now < until && until.getTime() - now.getTime() <= longestMs;
}
