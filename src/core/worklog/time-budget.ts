/**
 * What the worklog may take of a phase's time. Only what is optional is ever left out: a check must not vanish because writing was
 * slow (C-20). Seed 000 NFR-002, seed 001 T4.4, C-26 to C-28.
 */
const optional: readonly string[] = ["checkpoint", "metrics_log", "summary_update"];

/** How much of its budget each phase took, in the order in which they were recorded. */
export type Utilisations = readonly { readonly phase: string; readonly share: number }[];

export type Allowance =
  | { readonly type: "run"; readonly timeoutMs: number }
  | { readonly type: "skip"; readonly reason: string };

/** Whether an operation may run, and how long. A skip is never a timeout of 0, which most timers read as none (C-27). */
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
