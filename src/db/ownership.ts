import pg from "pg";

/** What one process at a time may own, by name. */
export interface Ownership {
  /** Whether this process owns it now, taking it when it is free. False also when the database does not answer. */
  owns(name: string): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Owns through session-level advisory locks on a connection of its own: a process that dies, or loses its connection,
 * owns nothing any more, and another one may take it (D17).
 */
export function openOwnership(url: string, onError: (error: Error) => void): Ownership {
  let client: pg.Client | null = null;
  let owned = new Set<string>();

  function lose(): void {
    client?.removeAllListeners();
    client?.on("error", () => undefined);
    void client?.end().catch(() => undefined);
    client = null;
    owned = new Set();
  }

  async function connected(): Promise<pg.Client> {
    if (client !== null) return client;
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    next.on("error", lose);
    next.on("end", lose);
    await next.connect();
    client = next;
    return next;
  }

  return {
    async owns(name) {
      try {
        const connection = await connected();
        if (owned.has(name)) return true;
        const { rows } = await connection.query<{ got: boolean }>(
          "select pg_try_advisory_lock(hashtext('cos ownership'), hashtext($1)) as got",
          [name],
        );
        if (rows[0]?.got !== true) return false;
        owned.add(name);
        return true;
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
        lose();
        return false;
      }
    },
    async release() {
      lose();
    },
  };
}
