import { type Deviation, entryBytes, type WorklogEntry } from "./entry.ts";
import type { PhaseSummary } from "./phase.ts";
import { shorten } from "../text.ts";

/** Limits on what a session stores: entries, summaries and its plan together. Seed 000 NFR-003, S0-RT-09. */

/**
 * Bytes of a session that are reserved, however full it is: for its plan, for a summary of each phase (the row and its entry), and for
 * checks.
 */
const free = { todos: 9_000, summary: 3_400, summaries: 3 * 3_400, checks: 1_000 } as const;

/** The items whose entries still fit, in order, and the bytes used with them. `used`: bytes used before. */
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
 * A summary as it is stored. It takes at most half of the space left for it; its entry takes the other half. Only the first files and
 * deviations are stored, as many as people see. `used`: bytes of the session before it.
 */
export function keptSummary(summary: PhaseSummary, used: number, most: number): PhaseSummary {
  const room = Math.max(free.summary, most - used - free.todos - free.summaries) / 2;
  const files = within(
    summary.files_modified.slice(0, 20).map((file) => shorten(file, 100)),
    room / 4,
  );
  return { ...summary, files_modified: files, deviations: within(keptDeviations(summary.deviations), room / 2) };
}

/** The first items, as many as fit into `most` bytes. */
function within<Each>(items: readonly Each[], most: number): Each[] {
  let bytes = 0;
  return items.filter((each) => {
    bytes += bytesOf(each) + 1;
    return bytes <= most;
  });
}

/** Maximum size of the files of one entry, in bytes. */
const mostOfFiles = 6_000;

/** The files of an entry as they are stored: the first ones. */
export function filesOfEntry(files: readonly string[]): string[] {
  return within(files.slice(0, 100), mostOfFiles);
}

/** Maximum length of a deviation's words, in characters. */
export const keptWords = 150;

/** The first ten deviations, with their words cut. Callers list the worst ones first. */
export function keptDeviations(deviations: readonly Deviation[]): Deviation[] {
  return deviations.slice(0, 10).map((each) => ({ ...each, description: shorten(each.description, keptWords) }));
}

/** A plan as it is stored: every todo, with its text cut. The more space the todos need, the shorter their texts. */
export function keptTodos<Each extends { readonly content: string }>(todos: readonly Each[]): Each[] {
  for (const length of [100, 50, 25, 10]) {
    const kept = todos.map((todo) => ({ ...todo, content: shorten(todo.content, length) }));
    if (bytesOf(kept) <= free.todos) return kept;
  }
  return todos.map((todo) => ({ ...todo, content: "" }));
}

/** The size of a value as JSON, in bytes. */
export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
