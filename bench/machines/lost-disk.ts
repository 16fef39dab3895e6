import { setTimeout as sleep } from "node:timers/promises";
import { loseDiskOf, type Machine } from "../soak/machine.ts";
import type { Kept } from "../soak/processes.ts";
import type { Server } from "../soak/server.ts";

/** The goals that a machine worked when its disk was deleted: only these may have lost anything. */
export type Lost = ReadonlySet<string>;

/** How long the process goes on with nothing on its disk before it dies too. */
const withoutDiskMs = 3_000;

/**
 * Deletes all that a machine has, its home and its data directory, while its worker runs; kills the worker a moment later, and starts
 * another one on the empty disk. `whenEnded`: once so many goals have
 * ended; not at all when the signal comes first.
 */
export async function loseDisk(
  server: Server,
  { machine, worker }: { readonly machine: Machine; readonly worker: Kept },
  whenEnded: number,
  signal: AbortSignal,
): Promise<Lost> {
  if (!(await haveEnded(server, whenEnded, signal))) return new Set();
  const before = await workedOn(server, machine);
  await loseDiskOf(machine);
  await sleep(withoutDiskMs);
  const after = await workedOn(server, machine);
  await worker.kill(() => loseDiskOf(machine));
  return new Set([...before, ...after]);
}

/** False when the signal came first. */
async function haveEnded(server: Server, goals: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const [row] = await server.rows<{ ended: number }>(
      "select count(*)::int as ended from cos.goals where status = 'complete'",
    );
    if ((row?.ended ?? 0) >= goals) return true;
    await sleep(500);
  }
  return false;
}

/** What it has claimed, and what it printed that is not in the store yet. */
async function workedOn(server: Server, { name, uid }: Machine): Promise<string[]> {
  const rows = await server.rows<{ id: string }>(
    `select goal_id as id from cos.goals where leased_by like $1
     union select goal_id from cos.kept_outputs where stored_at is null`,
    [uid === null ? "%" : `${name}/%`],
  );
  return rows.map((row) => row.id);
}
