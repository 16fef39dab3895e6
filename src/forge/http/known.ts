/**
 * An answer with its ETag, so that the forge may answer "not modified":
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
export interface KnownAnswer {
  readonly etag: string;
  readonly body: unknown;
}

/** Cache of answers in this process, by the requested address. The oldest is dropped first. */
export interface KnownAnswers {
  get(address: string): KnownAnswer | null;
  keep(address: string, etag: string | undefined, body: unknown): void;
}

const mostKnown = 100;

/** Creates a cache for the last `mostKnown` answers with ETags, so that unchanged answers are not sent again. */
export function knownAnswers(): KnownAnswers {
  const known = new Map<string, KnownAnswer>();
  return {
    get: (address) => known.get(address) ?? null,
    keep(address, etag, body) {
      known.delete(address);
      if (etag === undefined || etag === "" || etag.length > 200) return;
      known.set(address, { etag, body });
      const [oldest] = known.keys();
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    },
  };
}
