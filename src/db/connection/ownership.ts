import type pg from "pg";
import { dropClient, openDatabaseClient } from "./connections.ts";
import { databaseFailure } from "./failures.ts";
import { keepAsking, type Stillness, usualStillness } from "./standing-still.ts";

/** What one process at a time may own, by name. */
export interface Ownership {
  /** Whether this process owns it now, taking it when it is free. False also when the database does not answer. */
  owns(name: string): Promise<boolean>;
  release(): Promise<void>;
}

/** A connection with what it owns; `answeredMs` is when the server last answered on it. */
interface Held {
  readonly client: pg.Client;
  readonly believedMs: number;
  readonly names: Set<string>;
  answeredMs: number;
  /** Ends with the last question: one after another is asked. */
  line: Promise<unknown>;
}

/** So long an answer of the server is believed, and never until it could have given what we own to somebody else. */
const believedMs = 1_000;
/** A server that takes longer may have given what we own to somebody else. */
const longestStatementMs = 10_000;

/**
 * Owns through session-level advisory locks on a connection of its own: a process that dies, or loses its connection,
 * owns nothing any more, and another one may take it (D17); one that stands still loses it. The server knows of the loss before we do, so it is asked
 * again where its last answer is older than a second.
 */
export function openOwnership(
  url: string,
  onError: (error: Error) => void,
  stillness: Stillness = usualStillness,
): Ownership {
  // One connection for everything that is owned: to a second one our own locks would be somebody else's.
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

/** Whether the name is held on this connection, now or still. Rejects when the connection is lost. */
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
