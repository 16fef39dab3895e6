import { assumedCost } from "../../core/money.ts";
import type { Deps } from "../../deps.ts";

const minuteMs = 60_000;

interface HeldByTime {
  /** True for a flat rate, which has a time limit of its own. */
  readonly isFlat: boolean;
  readonly capMicroUsd: number;
  /** True when this cost exceeds the cap. */
  readonly isOver: (amountMicroUsd: number) => boolean;
  /** True while no cost was reported. */
  readonly isSilent: () => boolean;
  readonly onCap: () => void;
}

/**
 * Limits the time of an agent that reports no cost to the time that its cap pays for at the assumed rate (D22). `workedMs`: the time worked
 * before now. `beside`: the number of parallel agents, whose time is added up. Returns the function that ends the limit.
 */
export function holdByTime(
  { timers, policy }: Pick<Deps, "timers" | "policy">,
  { isFlat, capMicroUsd, isOver, isSilent, onCap }: HeldByTime,
  workedMs: number,
  beside: number,
): () => void {
  const rate = policy.goals.assumedMicroUsdPerMinute;
  if (isFlat || rate <= 0) return () => {};
  let end = (): void => {};
  function lookIn(ms: number, atMs: number): void {
    end = timers.after(ms, () => {
      if (!isSilent()) return;
      // With shared money an agent may use more than its own share.
      if (isOver(assumedCost(atMs, rate))) onCap();
      else lookIn(minuteMs, atMs + minuteMs * beside);
    });
  }
  const overMs = Math.max(workedMs, Math.ceil(((capMicroUsd + 1) / rate) * minuteMs));
  lookIn(Math.ceil((overMs - workedMs) / beside), overMs);
  return () => end();
}
