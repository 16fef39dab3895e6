import type { SocketModeReceiver } from "@slack/bolt";
import { sleep } from "../sleep.ts";
import { socketError } from "./clients.ts";

/**
 * Keeps a Socket Mode connection. The client's own reconnecting is off: it waits 5 s after every refresh, gives up for
 * good when the network is away, and rejects where nobody listens.
 */
export interface Socket {
  stop(): Promise<void>;
}

interface SocketOptions {
  readonly receiver: SocketModeReceiver;
  readonly onConnected: () => void;
  /** `reason` null: closed as usual, for example to be renewed. */
  readonly onLost: (reason: unknown) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 15_000;
const helloWithinMs = 15_000;

/** Keeps a connection in socket mode, with a growing pause between tries, until it is stopped. Says `onLost` why one ended. */
export function keepSocket({ receiver, onConnected, onLost }: SocketOptions): Socket {
  const { client } = receiver;
  const stopping = new AbortController();
  let pauseMs = firstPauseMs;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let close = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      client.once("disconnected", close);
      try {
        await withinTime(receiver.start(), helloWithinMs);
        pauseMs = firstPauseMs;
        onConnected();
        await closed;
        if (!stopping.signal.aborted) onLost(null);
      } catch (error) {
        client.off("disconnected", close);
        if (stopping.signal.aborted) return;
        // Where it is closed before its hello, the client rejects without a reason.
        onLost(error ?? socketError(null));
        // A start that was given up must not come alive later beside the next one.
        await Promise.race([client.disconnect().catch(() => undefined), sleep(1000, stopping.signal)]);
      }
      await sleep(pauseMs, stopping.signal);
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

async function withinTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(socketError(new Error(`no hello within ${ms / 1000} s`))), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
