import { assumedCost } from "../money.ts";

/** What the examinations of a round came to. */
export interface Examined {
  /** What their agent told, in micro-dollars; null: it tells nothing. */
  readonly toldMicroUsd: number | null;
  /** How long it worked, all of them added up; nothing where none began. */
  readonly workedMs: number;
}

/**
 * What is charged for them: what was told, else an assumed rate for the time that they took, and no more than was reserved for
 * them. What ran beside them costs nothing.
 */
export function examinationCost(
  { toldMicroUsd, workedMs }: Examined,
  microUsdPerMinute: number,
  capMicroUsd: number,
): { readonly amountMicroUsd: number; readonly isEstimated: boolean } {
  if (toldMicroUsd !== null) return { amountMicroUsd: toldMicroUsd, isEstimated: false };
  const assumed = assumedCost(workedMs, microUsdPerMinute);
  return { amountMicroUsd: Math.min(assumed, capMicroUsd), isEstimated: workedMs > 0 };
}
