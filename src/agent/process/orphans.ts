import { setTimeout as sleep } from "node:timers/promises";
import { argumentsOf, environmentOf, guardMarkOf, pids, processEntry, processes, programFile } from "./processes.ts";

/**
 * Finds processes by their environment, which survives `setsid`, double forks and our own death (D5). Needs Linux's `/proc`; elsewhere
 * nothing is found.
 */

/** Time after which a marked process that cannot be killed is given up, and time after which a guard that stays is killed. */
const longestKillingMs = 5_000;
const patienceMs = 3_000;

/** The living processes whose environment has `name=value`, except ourselves. */
export function processesWith(name: string, value: string): readonly number[] {
  return pids().filter((pid) => pid !== process.pid && environmentOf(pid, name) === value);
}

/** The living processes of a run, by `COS_RUN`. */
export function processesOf(runId: string): readonly number[] {
  return processesWith("COS_RUN", runId);
}

/** Kills all processes left of a run, wherever they are. Returns their number. Safe to repeat. */
export function killRun(runId: string): Promise<number> {
  return killWith("COS_RUN", runId);
}

/**
 * Like `killRun`, but only for processes that this process has started, or that have no worker above them. Another worker of this
 * machine may have the run by now, with processes of its own.
 */
export function killOwn(runId: string): Promise<number> {
  return killWith("COS_RUN", runId, null, (pid) => !isOfAnother(pid));
}

/** True when the nearest ancestor that runs our program and belongs to no run is another process. */
function isOfAnother(pid: number): boolean {
  const program = programFile(process.pid);
  for (let at = processEntry(pid); at !== null; at = processEntry(at.parent)) {
    if (at.parent === process.pid) return false;
    // The first process adopts orphans.
    if (at.parent <= 1) return false;
    if (programFile(at.parent) === program && environmentOf(at.parent, "COS_RUN") === null) return true;
  }
  return false;
}

/**
 * Kills every process whose environment has `name=value`, and those that they start meanwhile, for up to 5 s. Also kills processes with
 * the same guard mark as one of them, or with `mark`. Guards are killed last: they end by themselves with what they guard.
 */
export async function killWith(
  name: string,
  value: string,
  mark: string | null = null,
  isMeant: (pid: number) => boolean = () => true,
): Promise<number> {
  const killed = new Set<number>();
  const marks = new Set(mark === null ? [] : [mark]);
  const own = guardMarkOf("self");

  function left(): readonly number[] {
    const named = processesWith(name, value).filter(isMeant);
    for (const each of named.map(guardMarkOf)) if (each !== null && each !== own) marks.add(each);
    const marked = marks.size === 0 ? [] : pids().filter((pid) => marks.has(guardMarkOf(pid) ?? "") && isAlive(pid));
    return [...new Set([...named, ...marked])];
  }

  const begin = Date.now();
  for (let living = left(); living.length > 0; living = left()) {
    const waited = Date.now() - begin;
    for (const pid of living) {
      if (isGuard(pid) && waited < patienceMs) continue;
      if (sendSignal(pid, "SIGKILL")) killed.add(pid);
    }
    if (waited > longestKillingMs) break;
    await sleep(5);
  }
  return killed.size;
}

function isAlive(pid: number): boolean {
  const state = processEntry(pid)?.state ?? "X";
  return state !== "Z" && state !== "X";
}

function isGuard(pid: number): boolean {
  return argumentsOf(pid)[1]?.endsWith("/guard.pl") === true;
}

/** True when a process group has members other than zombies. */
export function isGroupAlive(group: number): boolean {
  if (!sendSignal(-group, 0)) return false;
  const known = processes();
  if (known.length === 0) return true;
  return known.some((entry) => entry.group === group && isAlive(entry.pid));
}

/** Sends a signal. False when the process does not exist or may not be signalled. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
