import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { dropClient, openClient } from "./connections.ts";
import { failureOf } from "./failures.ts";

/** What the database tells the processes that listen; each is only a reason to look sooner. */
export type Signal =
  | { readonly type: "messages" }
  | { readonly type: "stop"; readonly goalId: string }
  | { readonly type: "answered"; readonly checkpointId: string };

export interface Signals {
  /** Calls `listener` for every signal until the returned function is called. Listeners must not throw. */
  on(listener: (signal: Signal) => void): () => void;
  close(): Promise<void>;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;
const longestStatementMs = 30_000;

/**
 * Listens on channel `cos` with a connection of its own, made again after a loss (with growing pauses up to 5 s).
 * Signals sent meanwhile are lost: so `messages` is told each time it listens again, and whoever depends on another one
 * also looks from time to time.
 */
export function openSignals(url: string, onError: (error: Error) => void): Signals {
  const listeners = new Set<(signal: Signal) => void>();
  const closing = new AbortController();

  function tell(signal: Signal): void {
    for (const listener of listeners) listener(signal);
  }

  /** Resolves when the connection has ended; rejects when none could be made. */
  async function listenOnce(): Promise<void> {
    const client = await openClient({ url, onError, longestStatementMs });
    try {
      client.on("notification", ({ payload }) => {
        const signal = parseSignal(payload ?? "");
        if (signal !== null) tell(signal);
      });
      const ended = endOf(client, closing.signal);
      await client.query("listen cos");
      tell({ type: "messages" });
      await ended;
    } finally {
      dropClient(client);
    }
  }

  async function keepListening(): Promise<void> {
    for (let pauseMs = firstPauseMs; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await listenOnce();
        pauseMs = firstPauseMs;
      } catch (error) {
        if (!closing.signal.aborted) onError(failureOf(error));
      }
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const listening = keepListening();
  return {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort();
      await listening;
    },
  };
}

async function endOf(client: pg.Client, closing: AbortSignal): Promise<void> {
  // It may have been closed while it connected.
  if (closing.aborted) return;
  await new Promise<void>((resolve) => {
    client.once("end", resolve);
    client.once("error", () => resolve());
    closing.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Signals for a process that does not listen, such as one terminal command. */
export const noSignals: Signals = { on: () => () => undefined, close: async () => undefined };

function parseSignal(payload: string): Signal | null {
  const [type, id] = payload.split(" ");
  if (type === "messages") return { type };
  if (type === "stop" && id !== undefined) return { type, goalId: id };
  if (type === "answered" && id !== undefined) return { type, checkpointId: id };
  return null;
}
