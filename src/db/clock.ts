import type pg from "pg";

/**
 * One time for all machines: that of their database. Deadlines, retries and what is due are written by one machine and read by
 * another, so a machine whose clock is off would hold work back, or do it too early. Leases ask the database itself.
 */
export interface Clock {
  now(): Date;
  /** Looks how far this machine's clock is off; without an answer what is known stays. Never throws. */
  look(): Promise<void>;
}

/** Less than that is the way of a question, and of every clock. */
const margin = { ms: 2_000, longestAnswerMs: 1_000 } as const;

/** @param local this machine's clock; times are in milliseconds */
export function openClock(pool: Pick<pg.Pool, "query">, local: () => number = Date.now): Clock {
  let offMs = 0;
  return {
    now: () => new Date(local() + offMs),
    async look() {
      const askedAt = local();
      const found = await pool
        .query<{ now: number }>("select (extract(epoch from clock_timestamp()) * 1000)::float8 as now")
        .catch(() => null);
      const answeredAt = local();
      const there = found?.rows[0]?.now;
      // A slow answer says little, and a clock that was set meanwhile nothing.
      if (there === undefined || answeredAt < askedAt || answeredAt - askedAt > margin.longestAnswerMs) return;
      const differenceMs = there - (askedAt + answeredAt) / 2;
      offMs = Math.abs(differenceMs) > margin.ms ? Math.round(differenceMs) : 0;
    },
  };
}
