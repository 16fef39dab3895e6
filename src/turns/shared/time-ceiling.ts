import { assumedCost } from "../../core/money.ts";
import type { Deps } from "../../deps.ts";

const minuteMs = 60_000;

interface HeldByTime {
  /** Paid at a flat rate: its time has a ceiling of its own. */
  readonly isFlat: boolean;
  readonly capMicroUsd: number;
  /** Whether the cap is met at this cost. */
  readonly isOver: (amountMicroUsd: number) => boolean;
  /** Nobody has said what it costs, up to now. */
  readonly isSilent: () => boolean;
  readonly onCap: () => void;
}

/**
 * The ceiling of an agent that says no cost is one of time: what its cap comes to at the assumed rate (D22). From now on, `workedMs` after
 * it began; `beside` work at once, whose time is counted together. Returns what ends it, for when the agent has ended.
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
      // Who shares the money of others may have more than its own part.
      if (isOver(assumedCost(atMs, rate))) onCap();
      else lookIn(minuteMs, atMs + minuteMs * beside);
    });
  }
  const overMs = Math.max(workedMs, Math.ceil(((capMicroUsd + 1) / rate) * minuteMs));
  lookIn(Math.ceil((overMs - workedMs) / beside), overMs);
  return () => end();
}
