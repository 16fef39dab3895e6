import type pg from "pg";

/**
 * One time for all machines: that of their database. Deadlines, retries and what is due are written by one machine and read by
 * another, so a machine whose clock is off would hold work back, or do it too early. Leases ask the database itself.
 */
export interface Clock {
  /** The time as it was found by the last look, counted on since then: what is made of this machine's clock meanwhile is no time that passed. */
  now(): Date;
  /** Looks what time it is there; without an answer what is known stays. Never throws. */
  look(): Promise<void>;
}

/** What a machine knows of time, in milliseconds. */
export interface MachineClock {
  /** What time it is, as far as it knows; it may be set at any moment. */
  wall(): number;
  /** Since any moment; nobody sets it. It may stand still while the machine sleeps. */
  steady(): number;
}

const ownClock: MachineClock = { wall: () => Date.now(), steady: () => performance.now() };

/** Less than that is the way of a question, and of every clock. */
const margin = { ms: 2_000, longestAnswerMs: 1_000 } as const;

/** Until a database that gave no answer is asked again, where a clock that was set makes us ask. */
const restMs = 1_000;

/** Counts on from this machine's clock until the first look. */
export function openClock(pool: Pick<pg.Pool, "query">, { wall, steady }: MachineClock = ownClock): Clock {
  /** What time it was, and what time the machine said it was, when its steady clock began. */
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
    // A slow answer says little.
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
      // It was set, or the machine slept: the database knows which.
      if (Math.abs(wall() - at - saidMs) > margin.ms && at >= askAgainAt) {
        askAgainAt = at + restMs;
        void look();
      }
      return new Date(Math.round(at + beganMs));
    },
    look,
  };
}
