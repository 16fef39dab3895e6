import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { databaseFailure } from "./failures.ts";

/** Messages to other processes: sent at most every 20 ms in one statement, without duplicates. */
export interface Outbox {
  add(payload: string): void;
  /** Resolves when everything was sent, or after one second. */
  sent(): Promise<void>;
}

const everyMs = 20;
const longestEndMs = 1_000;

/** `send` may fail: then `onError` is called, and its payloads are not sent again. */
export function openOutbox(
  send: (payloads: readonly string[]) => Promise<void>,
  onError: (error: Error) => void,
): Outbox {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;
  let pause: NodeJS.Timeout | null = null;

  async function sendAll(): Promise<void> {
    const payloads = [...waiting];
    waiting.clear();
    await send(payloads).catch((error: unknown) => onError(databaseFailure(error)));
    sending = null;
    // The pause comes after `send`, so that a caller that waits for `sending` does not wait for the pause.
    pause = setTimeout(() => {
      pause = null;
      if (waiting.size > 0) sending = sendAll();
    }, everyMs).unref();
  }

  async function sendTheRest(): Promise<void> {
    await sending;
    if (pause !== null) clearTimeout(pause);
    pause = null;
    if (waiting.size > 0) await sendAll();
  }

  return {
    add(payload) {
      waiting.add(payload);
      if (sending === null && pause === null) sending = sendAll();
    },
    sent: () => Promise.race([sendTheRest(), sleep(longestEndMs, undefined, { ref: false })]),
  };
}

/** Sends a statement of its own, never as a part of a commit (D40). */
export async function sendOn(connection: pg.ClientBase | pg.Pool, payloads: readonly string[]): Promise<void> {
  await connection.query("select pg_notify('cos', payload) from unnest($1::text[]) as payload", [payloads]);
}
