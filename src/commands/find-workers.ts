import { typed } from "../config.ts";
import type { Finding } from "../core/reports/finding.ts";
import { formatTime } from "../core/time.ts";
import { goalsInQueue } from "../db/counts.ts";
import { knownWorkers } from "../db/workers.ts";
import type { Deps } from "../deps.ts";

/** What `cos doctor` says of workers: how many run and where, or that none does while goals wait for one. */
export async function findWorkers({
  database: { db },
  config,
  now,
}: Pick<Deps, "database" | "config" | "now">): Promise<Finding> {
  const name = "workers";
  const machines = (await knownWorkers(db)).flatMap(({ machine, isRunning }) => (isRunning ? [machine] : []));
  if (machines.length > 0) {
    const says = `${machines.length} ${machines.length === 1 ? "runs" : "run"} (${machines.join(", ")})`;
    return { name, ok: true, says };
  }
  const { number, since } = await goalsInQueue(db, now());
  if (since === null) return { name, ok: true, isUnset: true, says: "none runs, and no goal waits for one" };
  const waiting = number === 1 ? "1 goal waits" : `${number} goals wait`;
  const start = `${typed.start}; with COS_ROLES=worker beside a bot`;
  const says = `none runs; ${waiting} since ${formatTime(since, config.timezone)}. What to do: start one (${start})`;
  return { name, ok: false, says };
}
