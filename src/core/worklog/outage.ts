import type { Tier } from "../goals/goal.ts";
import { tierTable } from "./tiers.ts";

/**
 * What is said when a goal's worklog cannot be stored; the goal goes on. Each notice is posted once, in these words, in the thread of the
 * goal if its tier says so, else only written to the process log. Seed 000 FR-003, NFR-004, C-22.
 */
export const outageNotices = {
  /** A batch of entries could not be written, but each single one could. */
  unbatched: "Accountability overhead increased due to batching unavailability",
  /** A write failed while the goal was worked. */
  unwritten: "Worklog unavailable, continuing with session-only logging",
  /** The todos could not be read back in time, twice. */
  unverified: "Verification timed out, proceeding without state confirmation",
  /** The store did not answer when the worklog was opened. */
  fallback: [
    "⚠️ Memory system unavailable. Continuing with session-only logging.",
    "Audit trail will not persist beyond this session.",
    "To retry with full logging, use: /sc:task --retry-memory",
  ].join("\n"),
} as const;
export type OutageNotice = keyof typeof outageNotices;

/** The words of a notice for a tier. Null when nobody is told (C-22). */
export function outageTierWords(tier: Tier, notice: OutageNotice): readonly string[] | null {
  if (!tierTable[tier].tellsOutage) return null;
  const effect = tier === "STRICT" && notice !== "unverified" ? ["The account of this STRICT goal has a gap."] : [];
  const retry = notice === "fallback" ? ["In cos: cos goal edit GOAL --retry-memory"] : [];
  return [outageNotices[notice], ...effect, ...retry];
}

/** How entries are written: in batches, one by one, or only kept by this process while it works the goal. */
export type WriteMode = "batched" | "per-entry" | "session-only";

/**
 * What follows when a batch could not be written twice and its entries were then tried one by one (S0-BF-10, S0-GD-01). `written`: how many
 * of those succeeded.
 */
export function afterFailedBatch(written: number): { readonly mode: WriteMode; readonly notice: OutageNotice } {
  return written > 0 ? { mode: "per-entry", notice: "unbatched" } : { mode: "session-only", notice: "unwritten" };
}

/** What happens to an entry that took this long to make: it is kept, kept with a warning, or dropped and counted (C-10). */
export function appendVerdict(
  tookMs: number,
  policy: { readonly appendTargetMs: number; readonly appendTimeoutMs: number },
): "keep" | "warn" | "drop" {
  if (tookMs > policy.appendTimeoutMs) return "drop";
  return tookMs > policy.appendTargetMs ? "warn" : "keep";
}
