import { type Deviation, entryBytes, type WorklogEntry } from "./entry.ts";
import type { PhaseSummary } from "./phase.ts";
import { shorten } from "../text.ts";

/** What a session may keep: entries, summaries and its plan together. Seed 000 NFR-003, S0-RT-09. */

/**
 * What is kept free of a session's bytes, however full it is: for its plan, for a summary of each phase (the row and its entry), and
 * for checks.
 */
const free = { todos: 9_000, summary: 3_400, summaries: 3 * 3_400, checks: 1_000 } as const;

/** The things that there is still room for, each with its entry, in their order; what was used before and after, in bytes. */
export function fitting<Item extends { readonly entry: WorklogEntry }>(
  items: readonly Item[],
  used: number,
  most: number,
): { readonly items: readonly Item[]; readonly bytes: number } {
  let bytes = used;
  const left = items.filter(({ entry }) => {
    const size = entryBytes(entry);
    const checks = entry.action === "Verify" ? 0 : free.checks;
    if (bytes + size > most - free.todos - free.summaries - checks) return false;
    bytes += size;
    return true;
  });
  return { items: left, bytes };
}

/**
 * A summary as it is kept, in at most half of the room that is left for it (its entry takes the other): its first files and deviations,
 * which are as many as people see. `used`: bytes of the session before it.
 */
export function keptSummary(summary: PhaseSummary, used: number, most: number): PhaseSummary {
  const room = Math.max(free.summary, most - used - free.todos - free.summaries) / 2;
  const files = within(
    summary.files_modified.slice(0, 20).map((file) => shorten(file, 100)),
    room / 4,
  );
  return { ...summary, files_modified: files, deviations: within(keptDeviations(summary.deviations), room / 2) };
}

/** The first ones, as many as fit into so many bytes. */
function within<Each>(items: readonly Each[], most: number): Each[] {
  let bytes = 0;
  return items.filter((each) => {
    bytes += bytesOf(each) + 1;
    return bytes <= most;
  });
}

/** Of the files of one entry, in bytes. */
const mostOfFiles = 6_000;

/** The files of an entry as they are kept: the first ones. */
export function filesOfEntry(files: readonly string[]): string[] {
  return within(files.slice(0, 100), mostOfFiles);
}

/** Of a deviation's words, in characters. */
export const keptWords = 150;

/** The worst first. */
export function keptDeviations(deviations: readonly Deviation[]): Deviation[] {
  return deviations.slice(0, 10).map((each) => ({ ...each, description: shorten(each.description, keptWords) }));
}

/** A plan as it is kept: every todo, each in a few words; of many todos in long words, in fewer. */
export function keptTodos<Each extends { readonly content: string }>(todos: readonly Each[]): Each[] {
  for (const length of [100, 50, 25, 10]) {
    const kept = todos.map((todo) => ({ ...todo, content: shorten(todo.content, length) }));
    if (bytesOf(kept) <= free.todos) return kept;
  }
  return todos.map((todo) => ({ ...todo, content: "" }));
}

/** How many bytes something takes as JSON. */
export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
