import { type SocketModeReceiver, webApi } from "@slack/bolt";
import { askedWaitMs } from "../../core/asked-wait.ts";
import { jsonOrNull } from "../../core/text/json.ts";
import { sleep } from "../sleep.ts";
import { socketError, unsteadySocket } from "./clients.ts";

/**
 * Keeps a Socket Mode connection. The client's own reconnecting is off: it waits 5 s after every refresh, gives up for good when the
 * network is away, and rejects where nothing catches it.
 */
export interface Socket {
  stop(): Promise<void>;
}

interface SocketOptions {
  readonly receiver: SocketModeReceiver;
  readonly onConnected: () => void;
  /** `reason`: null for an ordinary close, for example to renew the connection. */
  readonly onLost: (reason: unknown) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;
const helloWithinMs = 15_000;
/** Minimum lifetime of a connection; one that is closed sooner counts as short. */
const steadyAfterMs = 5_000;
/** After this many short connections in a row, the trouble is reported once. If Socket Mode is off, it is reported at once. */
const mostShort = 6;
const socketsOff = "link_disabled";

/**
 * Connects, with a growing pause between tries, until it is stopped. Reports to `onLost` why a connection ended. When no connection stays
 * open, that is reported instead, and `onConnected` is called again only after one has stayed open for a while.
 */
export function keepSocket({ receiver, onConnected, onLost }: SocketOptions): Socket {
  const { client } = receiver;
  const stopping = new AbortController();
  let pauseMs = firstPauseMs;
  let shortOnes = 0;

  /** Runs one connection from start to end. Throws when it could not be opened. */
  async function connection(closed: Promise<void>): Promise<void> {
    const heard = hearReason(client);
    try {
      await withinTime(receiver.start(), helloWithinMs);
      const steady = new AbortController();
      const isSteady = sleep(steadyAfterMs, AbortSignal.any([steady.signal, stopping.signal])).then(() => {
        if (steady.signal.aborted || stopping.signal.aborted) return false;
        pauseMs = firstPauseMs;
        if (shortOnes >= mostShort) onConnected();
        shortOnes = 0;
        return true;
      });
      if (shortOnes < mostShort) onConnected();
      await closed;
      steady.abort();
      if (!(await isSteady)) shortOnes = heard.reason() === socketsOff ? mostShort : shortOnes + 1;
      if (!stopping.signal.aborted) onLost(shortOnes < mostShort ? null : unsteadySocket(heard.reason()));
    } finally {
      heard.stop();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let close = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      client.once("disconnected", close);
      let askedMs = 0;
      try {
        await connection(closed);
      } catch (error) {
        client.off("disconnected", close);
        if (stopping.signal.aborted) return;
        // The client rejects without a reason when the socket is closed before its hello.
        askedMs = limitMs(error);
        // That no connection stays open is more useful to report than the rate limit that follows from it.
        if (askedMs === 0 || shortOnes < mostShort) onLost(error ?? socketError(null));
        // A start that was given up must not succeed later, beside the next one.
        await Promise.race([client.disconnect().catch(() => undefined), sleep(1000, stopping.signal)]);
      }
      await sleep(Math.max(pauseMs, askedMs), stopping.signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([client.disconnect().catch(() => undefined), sleep(1000, new AbortController().signal)]);
      await Promise.race([running, sleep(1000, new AbortController().signal)]);
    },
  };
}

/** Records Slack's reason for closing a socket; null when it gives none. */
function hearReason(client: SocketModeReceiver["client"]): { reason(): string | null; stop(): void } {
  let reason: string | null = null;
  function hear(message: unknown): void {
    const said = jsonOrNull(String(message));
    if (typeof said !== "object" || said === null || !("type" in said) || said.type !== "disconnect") return;
    reason = "reason" in said && typeof said.reason === "string" ? said.reason : null;
  }
  client.on("ws_message", hear);
  return { reason: () => reason, stop: () => void client.off("ws_message", hear) };
}

/** Returns how long Slack's rate limit asks to wait; 0 without a limit. */
function limitMs(error: unknown): number {
  return error instanceof webApi.WebAPIRateLimitedError ? askedWaitMs(error.retryAfter * 1000, 0) : 0;
}

async function withinTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(socketError(new Error(`no hello within ${ms / 1000} s`))), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
