import { typed } from "../installed.ts";
import type { Finding } from "../core/reports/finding.ts";
import { formatTime } from "../core/time.ts";
import type { Db } from "../db/connection/client.ts";
import { goalsInQueue } from "../db/counts.ts";
import { knownWorkers } from "../db/workers.ts";
import type { Deps } from "../deps.ts";

/** Returns the line of `cos doctor` about workers: how many run and where, or that none runs while goals wait. */
export async function findWorkers(deps: Pick<Deps, "database" | "config" | "now">): Promise<Finding> {
  const name = "workers";
  const machines = await whereWorkersRun(deps.database.db);
  if (machines.length > 0) {
    const says = `${machines.length} ${machines.length === 1 ? "runs" : "run"} (${machines.join(", ")})`;
    return { name, ok: true, says };
  }
  const waits = await waitingForWorker(deps);
  if (waits === null) return { name, ok: true, isUnset: true, says: "none runs, and no goal waits for one" };
  return { name, ok: false, says: `none runs; ${waits}` };
}

/** Returns the words of `waitingForWorker` when no worker runs at all; otherwise null. */
export async function waitingForNobody(deps: Pick<Deps, "database" | "config" | "now">): Promise<string | null> {
  return (await whereWorkersRun(deps.database.db)).length > 0 ? null : await waitingForWorker(deps);
}

/** Returns the machines on which workers run. */
export async function whereWorkersRun(db: Db): Promise<string[]> {
  return (await knownWorkers(db)).flatMap(({ machine, isRunning }) => (isRunning ? [machine] : []));
}

/** Returns "1 goal waits since 04:41. What to do: …"; null when no goal waits for a worker. */
export async function waitingForWorker({
  database,
  config,
  now,
}: Pick<Deps, "database" | "config" | "now">): Promise<string | null> {
  const { number, since } = await goalsInQueue(database.db, now());
  if (since === null) return null;
  const waiting = number === 1 ? "1 goal waits" : `${number} goals wait`;
  const start = `${typed.start}; with COS_ROLES=worker beside a bot`;
  return `${waiting} since ${formatTime(since, config.timezone)}. What to do: start one (${start})`;
}
