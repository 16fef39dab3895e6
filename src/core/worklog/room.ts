import { type Deviation, entryBytes, type WorklogEntry } from "./entry.ts";
import type { PhaseSummary } from "./phases.ts";
import { shorten } from "../text.ts";

/** What a session may keep: entries, summaries and its plan together. Seed 000 NFR-003, S0-RT-09. */

/** Kept free for checks, summaries and the end, in bytes. */
const reservedBytes = 12_000;

/** The things that there is still room for, each with its entry, in their order; what was used before and after, in bytes. */
export function fitting<Item extends { readonly entry: WorklogEntry }>(
  items: readonly Item[],
  used: number,
  most: number,
): { readonly items: readonly Item[]; readonly bytes: number } {
  let bytes = used;
  const left = items.filter(({ entry }) => {
    const size = entryBytes(entry);
    const isOurs = entry.action === "Verify" || entry.action === "Checkpoint";
    if (bytes + size > (isOurs ? most : most - reservedBytes)) return false;
    bytes += size;
    return true;
  });
  return { items: left, bytes };
}

/** A summary as it is kept: its first files and deviations; their numbers are in its entry, and people see no more of them. */
export function keptSummary(summary: PhaseSummary): PhaseSummary {
  return {
    ...summary,
    files_modified: summary.files_modified.slice(0, 20).map((file) => shorten(file, 100)),
    deviations: keptDeviations(summary.deviations),
  };
}

/** Of a deviation's words, in characters. */
export const keptWords = 150;

/** The worst first. */
export function keptDeviations(deviations: readonly Deviation[]): Deviation[] {
  return deviations.slice(0, 10).map((each) => ({ ...each, description: shorten(each.description, keptWords) }));
}

/** A plan as it is kept: every todo, each in a few words. */
export function keptTodos<Each extends { readonly content: string }>(todos: readonly Each[]): Each[] {
  return todos.map((todo) => ({ ...todo, content: shorten(todo.content, 100) }));
}

/** How many bytes something takes as JSON. */
export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
