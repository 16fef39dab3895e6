import { typed } from "../config.ts";
import type { Finding } from "../core/reports/finding.ts";
import { formatTime } from "../core/time.ts";
import { goalsInQueue } from "../db/counts.ts";
import { knownWorkers } from "../db/workers.ts";
import type { Deps } from "../deps.ts";

/** What `cos doctor` says of workers: how many run and where, or that none does while goals wait for one. */
export async function findWorkers(deps: Pick<Deps, "database" | "config" | "now">): Promise<Finding> {
  const name = "workers";
  const machines = await whereWorkersRun(deps);
  if (machines.length > 0) {
    const says = `${machines.length} ${machines.length === 1 ? "runs" : "run"} (${machines.join(", ")})`;
    return { name, ok: true, says };
  }
  const waits = await waitingWords(deps);
  if (waits === null) return { name, ok: true, isUnset: true, says: "none runs, and no goal waits for one" };
  return { name, ok: false, says: `none runs; ${waits}` };
}

/** "2 goals wait since 04:41. What to do: …" where no worker runs at all; null: one does, or no goal waits for one. */
export async function waitingForNobody(deps: Pick<Deps, "database" | "config" | "now">): Promise<string | null> {
  return (await whereWorkersRun(deps)).length > 0 ? null : await waitingWords(deps);
}

async function whereWorkersRun({ database }: Pick<Deps, "database">): Promise<string[]> {
  return (await knownWorkers(database.db)).flatMap(({ machine, isRunning }) => (isRunning ? [machine] : []));
}

async function waitingWords({ database, config, now }: Pick<Deps, "database" | "config" | "now">) {
  const { number, since } = await goalsInQueue(database.db, now());
  if (since === null) return null;
  const waiting = number === 1 ? "1 goal waits" : `${number} goals wait`;
  const start = `${typed.start}; with COS_ROLES=worker beside a bot`;
  return `${waiting} since ${formatTime(since, config.timezone)}. What to do: start one (${start})`;
}
