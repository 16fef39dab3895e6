import { execFileSync } from "node:child_process";
import { cpuMs } from "../postgres.ts";
import type { Kept } from "../soak/processes.ts";
import type { Outside } from "./outside.ts";

/** What the goals cost. */
export interface Figures {
  readonly seconds: number;
  readonly goalsAnHour: number;
  /** Of the first, second and last third of the goals, in the order in which they ended. */
  readonly goalsAnHourByThirds: string;
  /** CPU seconds for a goal, by who used it; `servers`: git's, the store's and the
   * platform's, which the bench is itself. */
  readonly cpuSecondsAGoal: string;
  /** Of each process at the end, in MB. */
  readonly memoryMb: string;
  readonly databaseMb: number;
  readonly storeKb: number;
  readonly remotesMb: number;
}

export interface Meter {
  end(goals: number): Promise<Figures>;
}

/** Begins to measure. */
export async function startMeter(outside: Outside, kept: readonly Kept[]): Promise<Meter> {
  const { server } = outside;
  const beganAt = performance.now();
  const before = { postgres: server.cpuMs(), own: cpuMs(process.pid) };
  const startMb = await databaseMb(outside);
  return {
    async end(goals) {
      const seconds = (performance.now() - beganAt) / 1000;
      const used = (role: Kept["role"]): number =>
        kept.filter((each) => each.role === role).reduce((sum, each) => sum + each.cpuMs(), 0);
      const cpu = {
        workers: used("worker"),
        bots: used("bot"),
        postgres: server.cpuMs() - before.postgres,
        servers: cpuMs(process.pid) - before.own,
      };
      return {
        seconds: Math.round(seconds),
        goalsAnHour: Math.round((goals * 3600) / seconds),
        goalsAnHourByThirds: await byThirds(outside),
        cpuSecondsAGoal: Object.entries(cpu)
          .map(([who, ms]) => `${who} ${(ms / 1000 / goals).toFixed(2)}`)
          .join(", "),
        memoryMb: kept.map((each) => `${each.name} ${each.memoryMb() ?? "?"}`).join(", "),
        databaseMb: round((await databaseMb(outside)) - startMb),
        storeKb: Math.round([...outside.bucket.objects.values()].reduce((sum, { length }) => sum + length, 0) / 1e3),
        remotesMb: folderMb(outside.served.folder),
      };
    },
  };
}

async function databaseMb({ server }: Outside): Promise<number> {
  const [row] = await server.rows<{ mb: number }>("select (pg_database_size(current_database()) / 1e6)::float8 as mb");
  return round(row?.mb ?? 0);
}

async function byThirds({ server }: Outside): Promise<string> {
  const rows = await server.rows<{ at: Date }>("select at from cos.timeline where event = 'goal.complete' order by at");
  const third = Math.floor(rows.length / 3);
  const rates = [0, third, 2 * third].map((from) => {
    const [first, last] = [rows[from]?.at, rows[Math.min(from + third, rows.length - 1)]?.at];
    const ms = (last?.getTime() ?? 0) - (first?.getTime() ?? 0);
    return ms > 0 ? String(Math.round((third * 3_600_000) / ms)) : "?";
  });
  return rates.join(", ");
}

/** What a folder takes on disk. */
export function folderMb(folder: string): number {
  const [kilobytes = "0"] = execFileSync("du", ["-sk", folder]).toString().split("\t");
  return round(Number(kilobytes) / 1024);
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
