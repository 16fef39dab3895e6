import type pg from "pg";
import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../src/db/connection/client.ts";
import { lockSession } from "../../src/db/sessions.ts";
import type { Deps } from "../../src/deps.ts";
import { decideSessions } from "../../src/turns/shared/next.ts";
import type { TestWorld } from "./deps.ts";

/** Another process on a world's database: the same code, whose statements a test holds up or changes on their way. */

type Send = (text: string) => Promise<pg.QueryResult>;

/** Sends a statement, or something else, sooner or later. */
export type Through = (text: string, send: Send) => Promise<pg.QueryResult>;

/** The doors of that process. It is closed when the test ends. */
export function processBeside(world: TestWorld, through: Through, searchPath = "public"): Deps {
  const url = new URL(world.databaseUrl);
  url.searchParams.set("options", `-c search_path=${searchPath}`);
  const database = openDatabase(url.href, () => undefined);
  onTestFinished(() => database.close());
  passThrough(database, through);
  const deps = { ...world.deps, database };
  decideSessions(database, deps);
  return deps;
}

function passThrough({ pool }: Database, through: Through): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (statement: unknown, values?: unknown) => Promise<pg.QueryResult>;
    client.query = ((statement: string | pg.QueryConfig, values?: unknown) => {
      if (typeof statement === "string") return through(statement, (text) => query(text, values));
      return through(statement.text, (text) => query({ ...statement, text }, values));
    }) as typeof client.query;
  });
}

/** A process that stands still where a test holds it. */
export interface Held {
  readonly deps: Deps;
  /** Resolves when it stands. */
  readonly stands: Promise<void>;
  /** Lets it go on. */
  go(): void;
}

/** It stands before its first statement like this. `sends`: what it asks instead of each of its statements. */
export function heldBeside(world: TestWorld, before: RegExp, sends: (text: string) => string = asItIs): Held {
  const standing = gate();
  const going = gate();
  let isHeld = false;
  const deps = processBeside(world, async (text, send) => {
    if (!isHeld && before.test(text)) {
      isHeld = true;
      standing.open();
    }
    // What follows it stands behind it.
    if (isHeld) await going.opened;
    return await send(sends(text));
  });
  onTestFinished(going.open);
  return { deps, stands: standing.opened, go: going.open };
}

/** A promise and what resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const asItIs = (text: string): string => text;

/** A statement that locks no row before it reads or changes it: what holds our races, taken out. */
export function withoutRowLocks(text: string): string {
  return text.replaceAll(/\sfor (?:no key )?update\b(?: of [a-z]+(?:, [a-z]+)*)?(?: skip locked)?/g, "");
}

/** What most transactions write with their end: they have read and decided before it. */
export const itsEnd = /insert into "cos"\."timeline"/;

/** Calls both while the session's row is somebody else's: they wait for it one behind the other. Throws where one does not. */
export async function behindEachOther<One, Other>(
  world: TestWorld,
  sessionId: string,
  [one, other]: readonly [() => Promise<One>, () => Promise<Other>],
): Promise<[One, Other]> {
  const waiting = await world.deps.database.transaction(async (tx) => {
    await lockSession(tx, sessionId);
    const first = one();
    const isFirst = await waitsOrEnds(world, first);
    const second = other();
    const isSecond = await waitsOrEnds(world, second, 2);
    if (isFirst === "ended" || isSecond === "ended") throw new Error("it does not wait for the session");
    return [first, second] as const;
  });
  return await Promise.all(waiting);
}

/** Until so many wait for locks, or this one has ended. */
export async function waitsOrEnds(world: TestWorld, call: Promise<unknown>, count = 1): Promise<"waits" | "ended"> {
  let isOver = false;
  const note = () => {
    isOver = true;
  };
  call.then(note, note);
  for (;;) {
    const { rows } = await world.deps.database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length >= count) return "waits";
    if (isOver) return "ended";
  }
}
