import { setTimeout as sleep } from "node:timers/promises";
import { argumentsOf, environmentOf, guardMarkOf, pids, processEntry, processes, programFile } from "./processes.ts";

/**
 * Processes found by what their environment says, which survives `setsid`, double forks and our own death (D5). Needs
 * Linux's `/proc`; elsewhere everything here finds nothing.
 */

/** What carries a mark and cannot be killed is given up after this; a guard that stays without reason is killed sooner. */
const longestKillingMs = 5_000;
const patienceMs = 3_000;

/** The living processes whose environment holds `name=value`; never ourselves. */
export function processesWith(name: string, value: string): readonly number[] {
  return pids().filter((pid) => pid !== process.pid && environmentOf(pid, name) === value);
}

/** The living processes of a run, by `COS_RUN`. */
export function processesOf(runId: string): readonly number[] {
  return processesWith("COS_RUN", runId);
}

/** Kills what is left of a run, wherever it went. Returns how many processes; safe to call again. */
export function killRun(runId: string): Promise<number> {
  return killWith("COS_RUN", runId);
}

/**
 * The same of what this process has started, and of what nobody is above any more: another worker of this machine, who has the
 * run by now, has begun his own.
 */
export function killOwn(runId: string): Promise<number> {
  return killWith("COS_RUN", runId, null, (pid) => !isOfAnother(pid));
}

/** Whether the nearest process of our program above it, which belongs to no run, is not this one. */
function isOfAnother(pid: number): boolean {
  const program = programFile(process.pid);
  for (let at = processEntry(pid); at !== null; at = processEntry(at.parent)) {
    if (at.parent === process.pid) return false;
    // The first process takes whoever has lost his parent.
    if (at.parent <= 1) return false;
    if (programFile(at.parent) === program && environmentOf(at.parent, "COS_RUN") === null) return true;
  }
  return false;
}

/**
 * Kills every process whose environment holds `name=value`, and what they start meanwhile, for up to 5 s; with it what has
 * the same guard's mark as one of them, or `mark`. A guard comes last: it ends by itself with what it guards.
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

/** Whether anything but the unburied dead is left in a process group. */
export function isGroupAlive(group: number): boolean {
  if (!sendSignal(-group, 0)) return false;
  const known = processes();
  if (known.length === 0) return true;
  return known.some((entry) => entry.group === group && isAlive(entry.pid));
}

/** Sends a signal; false when there is nobody to take it. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
