import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { dropClient, openDatabaseClient } from "./connections.ts";
import { databaseFailure } from "./failures.ts";
import { openOutbox, sendOn } from "./outbox.ts";
import { openPeers } from "./peers.ts";
import type { Signal } from "./signalled.ts";

/**
 * How processes report changes to each other. Listeners in the process that made a change are called at once, after the COMMIT. Other
 * processes, if there are any, are notified by NOTIFY: in a statement of its own, because as a part of a commit it would delay it
 * (D40).
 */
export interface Signals {
  /** Calls `listener` for every signal until the returned function is called. Listeners must not throw. */
  on(listener: (signal: Signal) => void): () => void;
  /** Reports changes, here and to other processes. Never throws and does not wait: a lost signal is found by the next look. */
  tell(signals: readonly Signal[]): void;
  /** Sends what waits, and stops listening. */
  close(): Promise<void>;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;
const longestStatementMs = 30_000;

/**
 * Listens on channel `cos` with a connection of its own, which is made again after a loss (with growing pauses up to 5 s). Signals sent
 * meanwhile are lost. So `messages` is reported each time it listens again, and whoever depends on another signal also looks from time
 * to time.
 *
 * Each process greets the others when it begins to listen, and they greet back: a process that is alone sends nothing.
 */
export function openSignals(url: string, onError: (error: Error) => void): Signals {
  const own = `@${randomBytes(6).toString("hex")}`;
  const listeners = new Set<(signal: Signal) => void>();
  const closing = new AbortController();
  let listening: pg.Client | null = null;
  const outbox = openOutbox(async (payloads) => {
    if (listening !== null) await sendOn(listening, payloads);
  }, onError);

  const peers = openPeers(own, outbox.add, () => listening !== null);

  function tellHere(signal: Signal): void {
    for (const listener of listeners) listener(signal);
  }

  function tell(signals: readonly Signal[]): void {
    for (const signal of signals) {
      if (peers.areThere()) outbox.add(`${wordsOf(signal)} ${own}`);
      tellHere(signal);
    }
  }

  function hear(payload: string): void {
    const { what, id, sender } = parse(payload);
    if (sender === own) return;
    if (sender !== null) peers.hear(what, sender);
    const signal = signalOf(what, id);
    if (signal !== null) tellHere(signal);
  }

  /** Resolves when the connection has ended; rejects when none could be made. */
  async function listenOnce(): Promise<void> {
    const client = await openDatabaseClient({ url, onError, longestStatementMs });
    try {
      client.on("notification", ({ payload }) => hear(payload ?? ""));
      const ended = endOf(client, closing.signal);
      await client.query("listen cos");
      listening = client;
      peers.greet();
      // Other processes look as well: signals to them were lost meanwhile.
      tell([{ type: "messages" }]);
      await ended;
      if (closing.signal.aborted) await outbox.sent();
    } finally {
      listening = null;
      dropClient(client);
    }
  }

  async function keepListening(): Promise<void> {
    for (let pauseMs = firstPauseMs; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await listenOnce();
        pauseMs = firstPauseMs;
      } catch (error) {
        if (!closing.signal.aborted) onError(databaseFailure(error));
      }
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const kept = keepListening();
  return {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell,
    async close() {
      peers.leave();
      closing.abort();
      await kept;
    },
  };
}

async function endOf(client: pg.Client, closing: AbortSignal): Promise<void> {
  // It may have been closed while it connected.
  if (closing.aborted) return;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = () => resolve();
  });
  client.once("end", end);
  client.once("error", end);
  closing.addEventListener("abort", end, { once: true });
  await ended;
  // Otherwise listeners would accumulate: connections are made again as long as the process runs.
  closing.removeEventListener("abort", end);
}

/** For a process that does not listen, such as one terminal command: it reports its changes to the others. */
export function openTeller(pool: pg.Pool, onError: (error: Error) => void): Signals {
  const outbox = openOutbox((payloads) => sendOn(pool, payloads), onError);
  return {
    on: () => () => undefined,
    tell(signals) {
      for (const signal of signals) outbox.add(wordsOf(signal));
    },
    close: () => outbox.sent(),
  };
}

function wordsOf(signal: Signal): string {
  switch (signal.type) {
    case "messages":
      return "messages";
    case "stop":
      return `stop ${signal.goalId}`;
    case "answered":
      return `answered ${signal.checkpointId}`;
  }
}

/** A payload is the kind of change, the id that it is about, and its sender: `stop goal-1 @9f`, `messages @9f`, `messages`. */
function parse(payload: string): { readonly what: string; readonly id: string | null; readonly sender: string | null } {
  const [what = "", ...words] = payload.split(" ");
  const isSender = (word: string): boolean => word.startsWith("@");
  return { what, id: words.find((word) => !isSender(word)) ?? null, sender: words.find(isSender) ?? null };
}

function signalOf(what: string, id: string | null): Signal | null {
  if (what === "messages") return { type: what };
  if (what === "stop" && id !== null) return { type: what, goalId: id };
  if (what === "answered" && id !== null) return { type: what, checkpointId: id };
  return null;
}
