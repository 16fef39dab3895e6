import type { Tier } from "../goals/goal.ts";
import { tierTable } from "./tiers.ts";

/**
 * What a goal does when its worklog cannot be kept: it goes on. Told once each, in these words, to the thread of a goal whose
 * tier says so, else to the process log only. Seed 000 FR-003, NFR-004, C-22.
 */
export const outageNotices = {
  /** Several entries at once could not be written; each by itself can. */
  unbatched: "Accountability overhead increased due to batching unavailability",
  /** A write failed while the goal was worked. */
  unwritten: "Worklog unavailable, continuing with session-only logging",
  /** The todos could not be read back in time, twice. */
  unverified: "Verification timed out, proceeding without state confirmation",
  /** The store did not answer when the worklog was to be opened. */
  fallback: [
    "⚠️ Memory system unavailable. Continuing with session-only logging.",
    "Audit trail will not persist beyond this session.",
    "To retry with full logging, use: /sc:task --retry-memory",
  ].join("\n"),
} as const;
export type OutageNotice = keyof typeof outageNotices;

/** What that means for a tier; null: nobody is told (C-22). */
export function outageTierWords(tier: Tier, notice: OutageNotice): readonly string[] | null {
  if (!tierTable[tier].tellsOutage) return null;
  const effect = tier === "STRICT" && notice !== "unverified" ? ["The account of this STRICT goal has a gap."] : [];
  const retry = notice === "fallback" ? ["In cos: cos goal edit GOAL --retry-memory"] : [];
  return [outageNotices[notice], ...effect, ...retry];
}

/** How entries are written: together; one by one; or kept by this process only, for as long as it works the goal. */
export type WriteMode = "batched" | "per-entry" | "session-only";

/** What follows from writes that failed: first the whole batch twice, then each entry by itself (S0-BF-10, S0-GD-01). */
export function afterFailedBatch(written: number): { readonly mode: WriteMode; readonly notice: OutageNotice } {
  return written > 0 ? { mode: "per-entry", notice: "unbatched" } : { mode: "session-only", notice: "unwritten" };
}

/** What becomes of an entry that took this long to make: kept, kept with a warning, or dropped and counted (C-10). */
export function appendVerdict(
  tookMs: number,
  policy: { readonly appendTargetMs: number; readonly appendTimeoutMs: number },
): "keep" | "warn" | "drop" {
  if (tookMs > policy.appendTimeoutMs) return "drop";
  return tookMs > policy.appendTargetMs ? "warn" : "keep";
}
