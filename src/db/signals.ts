import pg from "pg";

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

/**
 * Listens on channel `cos` with a connection of its own, made again after a loss (with growing pauses up to 5 s).
 * Signals sent meanwhile are lost; whoever depends on one also looks from time to time.
 */
export function openSignals(url: string, onError: (error: Error) => void): Signals {
  const listeners = new Set<(signal: Signal) => void>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let pauseMs = 100;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    next.on("error", reconnect);
    next.on("end", () => {
      reconnect(null);
    });
    next.on("notification", ({ payload }) => {
      const signal = parseSignal(payload ?? "");
      if (signal !== null) for (const listener of listeners) listener(signal);
    });
    client = next;
    try {
      await next.connect();
      await next.query("listen cos");
      pauseMs = 100;
    } catch (error) {
      reconnect(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function reconnect(error: Error | null): void {
    if (closed || timer !== null) return;
    if (error !== null) onError(error);
    client?.removeAllListeners();
    client?.on("error", () => undefined);
    void client?.end().catch(() => undefined);
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, 5000);
  }

  void connect();
  return {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
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
