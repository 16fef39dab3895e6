import { basename } from "node:path";
import type { Traced } from "../../core/callers.ts";
import { argumentsOf, environmentOf, guardMarkOf, type ProcessEntry, processEntry } from "./processes.ts";

/** Limit of the number of ancestors, in case the process table changes while it is read. */
const longestChain = 1_000;

/**
 * A process and its ancestors, from the process upwards; empty when it is gone. A parent that ends meanwhile is replaced by the process
 * that adopted the child. The list ends at a process without a parent, or whose parent is invisible (another user's under hidepid).
 */
export function ancestry(pid: number): readonly ProcessEntry[] {
  const chain: ProcessEntry[] = [];
  let next = pid;
  for (let steps = 0; next > 0 && steps < longestChain; steps += 1) {
    const entry = processEntry(next);
    const last = chain.at(-1);
    if (entry !== null) {
      chain.push(entry);
      next = entry.parent;
    } else {
      const again = last === undefined ? null : processEntry(last.pid);
      if (again === null) return [];
      if (again.parent === next) break;
      next = again.parent;
    }
  }
  return chain;
}

/** The sessions of a process and its ancestors, except the first of all. No descendant can join one of them. */
export function sessionsAbove(pid: number): ReadonlySet<number> {
  return new Set(
    ancestry(pid)
      .filter((entry) => entry.parent > 0)
      .map((entry) => entry.session),
  );
}

/**
 * Finds whose process it is. A run's process has `COS_RUN` in its own environment, in an ancestor's, or in that of its session or group
 * leader. A descendant of the bot is always the bot's. A process whose guard was killed is recognized by the guard's mark, without the
 * run.
 */
export function traceProcess(pid: number): Traced {
  const chain = ancestry(pid);
  const [self] = chain;
  const top = chain.at(-1);
  if (self === undefined || top === undefined || self.state === "Z") return { type: "gone" };
  for (const entry of chain) {
    const mark = markedBy(entry);
    if (mark !== null) return { type: "marked", runId: environmentOf(mark, "COS_RUN") };
    if (isBot(entry.pid)) return { type: "marked", runId: null };
  }
  if (chain.some((entry) => guardMarkOf(entry.pid) !== null)) return { type: "marked", runId: null };
  // The kernel's first thread has no parent either, but no arguments.
  const isFromOutside = top.parent === 0 && top.pid !== 1 && argumentsOf(top.pid).length > 0;
  // The process that adopts orphans has no terminal, except as the first process of a container.
  const hasTerminal = chain.some((entry) => entry.hasTerminal && entry.pid !== 1);
  return { type: "unmarked", session: self.session, hasTerminal, isFromOutside };
}

/** The process whose environment marks a chain as a run's. That environment also names the file for refused calls. */
export function markedAncestor(pid: number): number | null {
  for (const entry of ancestry(pid)) {
    const mark = markedBy(entry);
    if (mark !== null) return mark;
  }
  return null;
}

function markedBy({ pid, session, group }: ProcessEntry): number | null {
  return [pid, session, group].find((each) => (environmentOf(each, "COS_RUN") ?? "") !== "") ?? null;
}

/** True for `node bin/start.mjs`, which marks all processes that it starts. */
function isBot(pid: number): boolean {
  const [program = "", ...words] = argumentsOf(pid);
  if (!basename(program).startsWith("node")) return false;
  return words.slice(0, 3).some((word) => /(?:^|[/\\])bin[/\\]start\.mjs$/.test(word));
}
