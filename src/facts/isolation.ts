import { z } from "zod";
import { everythingKept, type Isolation } from "../core/isolation/isolation.ts";
import type { Evidence } from "../db/evidence.ts";

const isolationSchema = z.object({ shown: z.array(z.enum(everythingKept)), next: z.string().nullable() });

/** What kept a command apart whose evidence this is; null where that was not written down. */
export function isolationOf({ detail }: Pick<Evidence, "detail">): Isolation | null {
  const parsed = isolationSchema.safeParse(detail["isolation"]);
  return parsed.success ? parsed.data : null;
}

/** The least isolated of what a run has executed and verified; null when nothing of it says. */
export function leastIsolated(runId: string | null, kept: readonly Evidence[]): Isolation | null {
  const known = kept.flatMap((row) => (row.runId === runId ? (isolationOf(row) ?? []) : []));
  return known.toSorted((one, other) => one.shown.length - other.shown.length)[0] ?? null;
}
