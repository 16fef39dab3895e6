import type pg from "pg";
import { dropClient, openDatabaseClient } from "./connections.ts";
import { databaseFailure } from "./failures.ts";
import { keepAsking, type Stillness, usualStillness } from "./standing-still.ts";

/** Names that only one process at a time may own. */
export interface Ownership {
  /** True when this process owns the name now. Takes the name when it is free. False also when the database does not answer. */
  owns(name: string): Promise<boolean>;
  release(): Promise<void>;
}

/** A connection with the names that it owns. `answeredMs`: when the last answered query was sent. */
interface Held {
  readonly client: pg.Client;
  readonly believedMs: number;
  readonly names: Set<string>;
  answeredMs: number;
  /** Resolves with the last query: queries are sent one after another. */
  line: Promise<unknown>;
}

/** How long an answer of the server is trusted, and never so long that the server could have given our names to another process. */
const believedMs = 1_000;
/** A server that takes longer may have given our names to another process. */
const longestStatementMs = 10_000;

/**
 * Owns names through session-level advisory locks on a connection of its own. A process that dies, loses its connection or stands still
 * owns nothing any more, and another one may take over (D17). The server knows of the loss before we do. So it is asked again when its
 * last answer is older than a second.
 */
export function openOwnership(
  url: string,
  onError: (error: Error) => void,
  stillness: Stillness = usualStillness,
): Ownership {
  // One connection for all names: our own locks on a second connection would look like those of another process.
  let current: Promise<Held> | null = null;

  function held(): Promise<Held> {
    if (current !== null) return current;
    const mine = connect(url, onError, stillness);
    current = mine;
    mine.then(
      ({ client }) => {
        client.once("end", keepAsking(client, stillness));
        client.once("error", () => forget(mine));
        client.once("end", () => forget(mine));
      },
      () => forget(mine),
    );
    return mine;
  }

  function forget(mine: Promise<Held>): void {
    if (current === mine) current = null;
    mine.then(
      ({ client }) => dropClient(client),
      () => undefined,
    );
  }

  return {
    async owns(name) {
      const mine = held();
      try {
        return (await takes(await mine, name)) && current === mine;
      } catch (error) {
        forget(mine);
        onError(databaseFailure(error));
        return false;
      }
    },
    async release() {
      if (current !== null) forget(current);
    },
  };
}

async function connect(url: string, onError: (error: Error) => void, { endsAfterMs }: Stillness): Promise<Held> {
  const client = await openDatabaseClient({ url, onError, longestStatementMs });
  await client.query(`set idle_session_timeout = ${endsAfterMs}`).catch((error: unknown) => {
    dropClient(client);
    throw error;
  });
  return {
    client,
    believedMs: Math.min(believedMs, endsAfterMs / 2),
    names: new Set(),
    answeredMs: Number.NEGATIVE_INFINITY,
    line: Promise.resolve(),
  };
}

/** True when this connection holds the name. Rejects when the connection is lost. */
async function takes(held: Held, name: string): Promise<boolean> {
  const mine = held.line.then(() => takeNow(held, name));
  held.line = mine.catch(() => undefined);
  return await mine;
}

async function takeNow(held: Held, name: string): Promise<boolean> {
  const { client, names } = held;
  const isOurs = names.has(name);
  if (isOurs && performance.now() - held.answeredMs < held.believedMs) return true;
  const askedMs = performance.now();
  const { rows } = isOurs
    ? await client.query<{ got: boolean }>("select true as got")
    : await client.query<{ got: boolean }>(
        "select pg_try_advisory_lock(hashtext('cos ownership'), hashtext($1)) as got",
        [name],
      );
  held.answeredMs = askedMs;
  if (rows[0]?.got !== true) return false;
  names.add(name);
  return true;
}
