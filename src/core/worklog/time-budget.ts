/**
 * Limits the worklog's share of a phase's time. Only optional operations are skipped: a check must not be lost because writing was slow
 * (C-20). Seed 000 NFR-002, seed 001 T4.4, C-26 to C-28.
 */
const optional: readonly string[] = ["checkpoint", "metrics_log", "summary_update"];

/** The share of its budget that each phase took, in the order of recording. */
export type Utilisations = readonly { readonly phase: string; readonly share: number }[];

export type Allowance =
  | { readonly type: "run"; readonly timeoutMs: number }
  | { readonly type: "skip"; readonly reason: string };

/**
 * Whether an operation may run, and for how long. A skip is never expressed as a timeout of 0, which most timers read as no timeout (C-27).
 */
export function allowanceFor(
  operation: string,
  timeoutMs: number,
  so: { readonly usedMs: number; readonly budgetMs: number; readonly earlier: Utilisations; readonly share: number },
): Allowance {
  if (!optional.includes(operation)) return { type: "run", timeoutMs };
  const last = so.earlier.at(-1);
  if (last !== undefined && last.share > so.share) {
    const reason = `${last.phase} took ${Math.round(last.share * 100)} % of its time`;
    return { type: "skip", reason };
  }
  const leftMs = so.budgetMs - so.usedMs;
  if (timeoutMs > leftMs)
    return { type: "skip", reason: `${Math.max(0, Math.round(leftMs))} ms are left of this phase` };
  return { type: "run", timeoutMs };
}

/** The time that a phase has used after an operation. Appending to memory uses none (S0-LT-03). */
export function usedAfter(usedMs: number, operation: "append" | "stored", tookMs: number): number {
  return operation === "append" ? usedMs : usedMs + tookMs;
}

/** The trend over the last three phases. A change of at most 0.05 is flat. Null when fewer than two are known. */
export function trend(earlier: Utilisations): "rising" | "falling" | "flat" | null {
  const [first, last] = [earlier.slice(-3)[0], earlier.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const change = last.share - first.share;
  if (Math.abs(change) <= 0.05 + Number.EPSILON * 8) return "flat";
  return change > 0 ? "rising" : "falling";
}
