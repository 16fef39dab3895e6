import { basename } from "node:path";
import type { Traced } from "../../core/callers.ts";
import { argumentsOf, environmentOf, guardMarkOf, type ProcessEntry, processEntry } from "./processes.ts";

/** No chain of parents is this long; a limit against a table that changes while it is read. */
const longestChain = 1_000;

/**
 * A process and its ancestors, from itself upwards; empty when it is gone. A parent that ends while we look is replaced by
 * who adopted the child. It ends where there is no parent, or one that cannot be seen (another user's under hidepid).
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

/** The sessions of a process and of its ancestors but the first of all: nobody gets into one of them from below. */
export function sessionsAbove(pid: number): ReadonlySet<number> {
  return new Set(
    ancestry(pid)
      .filter((entry) => entry.parent > 0)
      .map((entry) => entry.session),
  );
}

/**
 * Whose process it is, as far as it shows. A run's process is known by `COS_RUN` in its own environment or an ancestor's,
 * or in that of whoever leads its session or group; a descendant of the bot is nobody's but the bot's. What was let go by a
 * guard that somebody ended is known by its mark, though not whose it is.
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
  // The kernel's own first thread has no parent either, and no arguments.
  const isFromOutside = top.parent === 0 && top.pid !== 1 && argumentsOf(top.pid).length > 0;
  // Whoever adopts orphans has none; the first process of a container may.
  const hasTerminal = chain.some((entry) => entry.hasTerminal && entry.pid !== 1);
  return { type: "unmarked", session: self.session, hasTerminal, isFromOutside };
}

/** The process whose environment marks a chain as a run's: where its file for refused calls is named, too. */
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

/** `node bin/start.mjs`: whatever it starts is of its own making. */
function isBot(pid: number): boolean {
  const [program = "", ...words] = argumentsOf(pid);
  if (!basename(program).startsWith("node")) return false;
  return words.slice(0, 3).some((word) => /(?:^|[/\\])bin[/\\]start\.mjs$/.test(word));
}
