import { tryAgain } from "../try-again.ts";
import { troubleOf } from "./rest.ts";

export interface AgainLimits {
  readonly forMs: number;
  /** What people see when Discord gets the call twice. A call that may have arrived is retried only for "seen-once". */
  readonly twice: "seen-once" | "seen-twice";
  readonly stopping: AbortSignal;
}

/** Retries a call while the network loses it or Discord fails. Throws what the last call throws. */
export async function sendAgain<Result>(
  call: () => Promise<Result>,
  { forMs, twice, stopping }: AgainLimits,
): Promise<Result> {
  const isWorth = (error: unknown): boolean => isLost(error) && (twice === "seen-once" || !mayBeShown(error));
  return await tryAgain(call, { forMs, isWorth, stopping });
}

/** True when the call failed and a retry may help. Rate limits are waited for by the client itself. */
function isLost(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.type === "retry" && (trouble.why === "unreachable" || trouble.why === "failed");
}

/** True when Discord may have executed a call although it failed. */
export function mayBeShown(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.type === "retry" && trouble.mayBeShown;
}
