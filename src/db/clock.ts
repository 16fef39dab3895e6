import type pg from "pg";

/**
 * One clock for all machines: the clock of their database. One machine writes deadlines, retries and due times, another one reads them.
 * A machine whose clock is wrong would delay work or start it too early. Leases use the database's own clock.
 */
export interface Clock {
  /** The time as of the last look, advanced by the steady clock. A change of this machine's wall clock in between does not change it. */
  now(): Date;
  /** Reads the time from the database. Without an answer the known time is kept. Never throws. */
  look(): Promise<void>;
}

/** The clocks of this machine, in milliseconds. */
export interface MachineClock {
  /** The wall clock. It may be set at any moment. */
  wall(): number;
  /** Milliseconds since an arbitrary moment. Nobody sets this clock; it may stop while the machine sleeps. */
  steady(): number;
}

const ownClock: MachineClock = { wall: () => Date.now(), steady: () => performance.now() };

/** A smaller difference is ignored: it can be network delay or ordinary drift. A query slower than `longestAnswerMs` is not used. */
const margin = { ms: 2_000, longestAnswerMs: 1_000 } as const;

/** Pause before the next query after the wall clock was seen to jump: limits the queries while the database does not answer. */
const restMs = 1_000;

/** Uses this machine's clock until the first look. */
export function openClock(pool: Pick<pg.Pool, "query">, { wall, steady }: MachineClock = ownClock): Clock {
  /** `beganMs`: the database's time when the steady clock was 0. `saidMs`: this machine's wall clock at that moment. */
  let beganMs = wall() - steady();
  let saidMs = beganMs;
  let looking: Promise<void> | null = null;
  let askAgainAt = 0;

  async function ask(): Promise<void> {
    const askedAt = steady();
    const found = await pool
      .query<{ now: number }>("select (extract(epoch from clock_timestamp()) * 1000)::float8 as now")
      .catch(() => null);
    const answeredAt = steady();
    const there = found?.rows[0]?.now;
    // A slow response is too imprecise.
    if (there === undefined || answeredAt - askedAt > margin.longestAnswerMs) return;
    saidMs = wall() - answeredAt;
    const foundMs = there - (askedAt + answeredAt) / 2;
    beganMs = Math.abs(foundMs - saidMs) > margin.ms ? foundMs : saidMs;
  }

  async function look(): Promise<void> {
    looking ??= ask().finally(() => {
      looking = null;
    });
    await looking;
  }

  return {
    now() {
      const at = steady();
      // The clock was set, or the machine slept: ask the database.
      if (Math.abs(wall() - at - saidMs) > margin.ms && at >= askAgainAt) {
        askAgainAt = at + restMs;
        void look();
      }
      return new Date(Math.round(at + beganMs));
    },
    look,
  };
}
