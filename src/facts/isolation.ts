import { z } from "zod";
import { everythingKept, type Isolation } from "../core/isolation/isolation.ts";
import type { Evidence } from "../db/evidence.ts";

const isolationSchema = z.object({ shown: z.array(z.enum(everythingKept)), next: z.string().nullable() });

/** How the command of an evidence row was isolated. Null when that was not recorded. */
export function isolationOf({ detail }: Pick<Evidence, "detail">): Isolation | null {
  const parsed = isolationSchema.safeParse(detail["isolation"]);
  return parsed.success ? parsed.data : null;
}

/** The weakest isolation of what a run has executed and verified. Null when none was recorded. */
export function leastIsolated(runId: string | null, kept: readonly Evidence[]): Isolation | null {
  const known = kept.flatMap((row) => (row.runId === runId ? (isolationOf(row) ?? []) : []));
  return known.toSorted((one, other) => one.shown.length - other.shown.length)[0] ?? null;
}
