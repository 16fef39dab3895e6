import { join } from "node:path";
import { openFloor } from "../floor.ts";
import { openLive } from "../live.ts";
import { nothing } from "../nothing.ts";
import { hasRedis, type OwnRedis, startRedis } from "../redis.ts";

/** What is measured: goals, so many at once, through something that was opened for it. */
export interface Subject {
  readonly name: "floor" | "PostgreSQL" | "Redis";
  /** So many goals had finished in its database before the first was measured. */
  readonly finished: number;
  readonly databaseUrl: string;
  /** What the queue is asked beside PostgreSQL, so far. */
  queueCommands(): Promise<number>;
  open(concurrency: number): Promise<Opened>;
}

export interface Opened {
  /** One goal in this lane, of as many as are open; the milliseconds from its answer until it is done. */
  cycle(lane: number): Promise<number>;
  close(): Promise<void>;
}

interface Places {
  readonly databaseUrl: string;
  /** Another one on the same server, in which goals have finished. */
  readonly full: { readonly databaseUrl: string; readonly finished: number } | null;
  readonly dataDir: string;
  readonly byAgent: boolean;
}

/** The floor, and the engine on each queue that this machine has, on each database. `close` ends what was started for them. */
export async function openSubjects(places: Places): Promise<{ subjects: readonly Subject[]; close(): void }> {
  const { databaseUrl, full } = places;
  const redis = hasRedis() ? await startRedis(places.dataDir) : null;
  const floor: Subject = {
    name: "floor",
    finished: 0,
    databaseUrl,
    queueCommands: async () => 0,
    async open(concurrency) {
      const opened = await openFloor(places.databaseUrl, concurrency);
      return { cycle: () => opened.cycle(), close: opened.close };
    },
  };
  // Empty and full follow each other, so that what else the machine does meets both.
  const on = (queue: OwnRedis | null): Subject[] =>
    [{ databaseUrl, finished: 0 }, ...(full === null ? [] : [full])].map((where) =>
      engine({ ...places, ...where }, queue),
    );
  return { subjects: [floor, ...on(null), ...(redis === null ? [] : on(redis))], close: () => redis?.stop() };
}

let opened = 0;

function engine(
  { databaseUrl, finished, dataDir, byAgent }: Omit<Places, "full"> & { readonly finished: number },
  redis: OwnRedis | null,
): Subject {
  const name = redis === null ? "PostgreSQL" : "Redis";
  return {
    name,
    finished,
    databaseUrl,
    queueCommands: async () => (redis === null ? 0 : await redis.commands()),
    async open(concurrency) {
      opened += 1;
      const folder = join(dataDir, `${name}-${opened}`);
      const live = await openLive({
        databaseUrl,
        ownUrl: databaseUrl,
        redisUrl: redis?.url ?? null,
        dataDir: folder,
        parallel: concurrency,
        byAgent,
        doors: () => nothing,
      });
      const lanes: string[] = [];
      for (let lane = 0; lane < concurrency; lane += 1) lanes.push(await live.lane(`${name}-${opened}-${lane}`));
      return {
        async cycle(lane) {
          const { decisionToDoneMs } = await live.cycle(lanes[lane] ?? "");
          return decisionToDoneMs;
        },
        close: live.close,
      };
    },
  };
}
