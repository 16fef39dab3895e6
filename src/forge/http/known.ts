/** An answer that a forge may say has not changed: https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api */
export interface KnownAnswer {
  readonly etag: string;
  readonly body: unknown;
}

/** The answers that this process knows, the oldest forgotten first; by the address that was asked. */
export interface KnownAnswers {
  get(address: string): KnownAnswer | null;
  keep(address: string, etag: string | undefined, body: unknown): void;
}

const mostKnown = 100;

/** Keeps the last answers with their ETags, at most `mostKnown`, so that what has not changed is not sent again. */
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
