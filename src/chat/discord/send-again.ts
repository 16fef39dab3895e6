import { tryAgain } from "../try-again.ts";
import { troubleOf } from "./rest.ts";

export interface AgainLimits {
  readonly forMs: number;
  /** What people see of a call that Discord gets twice: one that may have arrived is made again only where that is seen once. */
  readonly twice: "seen-once" | "seen-twice";
  readonly stopping: AbortSignal;
}

/** Makes a call again while the network loses it, or Discord fails. Throws what the last call throws. */
export async function sendAgain<Result>(
  call: () => Promise<Result>,
  { forMs, twice, stopping }: AgainLimits,
): Promise<Result> {
  const isWorth = (error: unknown): boolean => isLost(error) && (twice === "seen-once" || !mayBeShown(error));
  return await tryAgain(call, { forMs, isWorth, stopping });
}

/** Limits are waited for by the client itself. */
function isLost(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.type === "retry" && (trouble.why === "unreachable" || trouble.why === "failed");
}

/** Whether Discord may have done what a call asked for, though it failed. */
export function mayBeShown(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.type === "retry" && trouble.mayBeShown;
}
