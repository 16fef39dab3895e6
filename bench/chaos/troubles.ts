import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outside } from "./outside.ts";
import type { Kept } from "../soak/processes.ts";

/** How often each trouble comes, in milliseconds. */
export interface Troubles {
  /** One connection to the database is ended. */
  readonly terminate?: number;
  /** Every connection through the networks is cut at once. */
  readonly cut?: number;
  /** The networks are slow for some seconds. */
  readonly slow?: number;
  /** PostgreSQL is restarted. */
  readonly restart?: number;
  /** A bot, a worker, or both are killed without a warning. */
  readonly kill?: number;
  /** A bot or a worker stands still for longer than leases last, and goes on. */
  readonly freeze?: number;
  readonly redisFlush?: number;
  readonly redisRestart?: number;
  /** The clocks of all processes jump, and are right again some seconds later. */
  readonly clock?: number;
  /** The disk on which goals write is full for some seconds. */
  readonly full?: number;
  /** The platform takes nothing for some seconds. */
  readonly platform?: number;
}

/** By how much a clock is off at most. */
export const mostOffMs = 90_000;

/** How long a trouble that lasts does. */
const lastsMs = 5_000;

/** Longer than a lease. */
const frozenMs = 26_000;

/** What a platform says that takes nothing now. */
const refusals = [{ status: 503 }, { status: 429, headers: { "retry-after": "1" } }, { status: 500 }];

/** Each piece takes so long on a slow network. */
const slowMs = 150;

interface Reach {
  readonly outside: Outside;
  /** What may be killed. */
  readonly mortal: readonly Kept[];
  readonly clockFile: string;
  readonly workDir: string;
  readonly random: () => number;
}

/** How often each trouble came. */
export interface Happened {
  /** Single connections to the database that were ended. */
  readonly terminated: number;
  readonly cutNetworks: number;
  readonly slowTimes: number;
  readonly restarts: number;
  readonly freezes: number;
  readonly redisFlushed: number;
  readonly redisRestarts: number;
  readonly clockJumps: number;
  readonly fullTimes: number;
}

/** Begins them all. `end` waits for those that last and puts everything right again. */
export function beginTroubles(troubles: Troubles, reach: Reach): { end(): Promise<Happened> } {
  const { outside, mortal, clockFile, workDir, random } = reach;
  const { server, redis, networks, sink } = outside;
  const full = join(workDir, "full");
  const signal = new AbortController();
  const counts: Record<string, number> = {};
  const lasting = (ms = lastsMs): Promise<void> =>
    sleep(ms, undefined, { signal: signal.signal }).catch(() => undefined);

  const doing: Readonly<Record<keyof Troubles, () => Promise<void>>> = {
    terminate: async () => void (await server.endOneConnection((count) => Math.floor(random() * count))),
    cut: () => {
      for (const network of networks) network.cut();
      return Promise.resolve();
    },
    slow: async () => {
      for (const network of networks) network.delayMs = slowMs;
      await lasting();
      for (const network of networks) network.delayMs = 0;
    },
    restart: () => server.restart(),
    kill: async () => {
      const chosen = random();
      for (const each of mortal) if (chosen < 0.4 || (each.role === "bot") === chosen > 0.7) await each.kill();
    },
    freeze: async () => {
      await mortal[Math.floor(random() * mortal.length)]?.freeze(() => lasting(frozenMs));
    },
    redisFlush: async () => await redis?.flush(),
    redisRestart: async () => await redis?.restart(),
    clock: async () => {
      await writeFile(clockFile, String(Math.round((random() * 2 - 1) * mostOffMs)));
      await lasting();
      await rm(clockFile, { force: true });
    },
    full: async () => {
      await writeFile(full, "");
      await lasting();
      await rm(full, { force: true });
    },
    platform: async () => {
      sink.refuse(refusals[Math.floor(random() * refusals.length)] ?? null);
      await lasting();
      sink.refuse(null);
    },
  };

  async function every(name: keyof Troubles, ms: number): Promise<void> {
    while (!signal.signal.aborted) {
      await sleep(ms, undefined, { signal: signal.signal }).catch(() => undefined);
      if (signal.signal.aborted) return;
      counts[name] = (counts[name] ?? 0) + 1;
      await doing[name]();
    }
  }

  const running = (Object.keys(doing) as (keyof Troubles)[]).flatMap((name) => {
    const ms = troubles[name];
    return ms === undefined ? [] : [every(name, ms)];
  });
  return {
    async end() {
      signal.abort();
      await Promise.all(running);
      const times = (name: keyof Troubles): number => counts[name] ?? 0;
      return {
        terminated: times("terminate"),
        cutNetworks: times("cut"),
        slowTimes: times("slow"),
        restarts: times("restart"),
        freezes: times("freeze"),
        redisFlushed: times("redisFlush"),
        redisRestarts: times("redisRestart"),
        clockJumps: times("clock"),
        fullTimes: times("full"),
      };
    },
  };
}
