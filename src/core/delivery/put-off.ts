import { askedWaitMs } from "../asked-wait.ts";
import type { Policy } from "../policy.ts";

/** Why a platform does not show something now. */
export type PutOffWhy =
  /** It said when to come back. */
  | "limit"
  /** It said when to come back about this message; others it takes. */
  | "message-limit"
  /** Nobody was reached. */
  | "unreachable"
  /** It does not let us in until a person has changed something. */
  | "not-let-in"
  /** It lets us in, but for this thread, which somebody has closed. */
  | "thread-closed"
  /** It failed at this call: perhaps at every one, perhaps because of what it was given. */
  | "failed"
  /** It has taken it and does not show it yet. */
  | "not-there-yet";

export interface PutOffFacts {
  readonly why: PutOffWhy;
  /** What the platform asked for, or the least that is worth waiting. */
  readonly afterMs: number;
  /** About something that nothing else depends on: a picture on its way, or a look for what may be shown already. */
  readonly isAside: boolean;
  /** How often the platform failed at this very message, this time included; 0 when it did not. */
  readonly failures: number;
  /** It failed at other messages too since it took one last. */
  readonly failsAtOthers: boolean;
  /** It took other messages since it failed at this one first. */
  readonly tookOthers: boolean;
  /** It goes out as plain words already. */
  readonly isPlain: boolean;
  /** How often in a row nobody was reached, this time included. */
  readonly unreachable: number;
}

export type PutOffDecision =
  /** Tried again after `ms`: this message, or with it everything that its channel has to show. */
  | { readonly type: "wait"; readonly ms: number; readonly who: "message" | "channel" }
  /** It alone fails, and so often that it may be its own fault: if the platform is well, `next`; else tried again. */
  | { readonly type: "suspect"; readonly ms: number; readonly next: "plain" | "give-up" };

/**
 * Who waits for what a platform does not show now, and how long (D17). Limits, lost connections and closed doors hold for
 * the whole channel, and so does a platform that fails at one message after another. A closed thread holds what belongs there,
 * and a limit of one message holds that message. A failure at a single message is
 * its own, and so is everything about a picture.
 */
export function decidePutOff(facts: PutOffFacts, policy: Pick<Policy, "delivery">): PutOffDecision {
  const { why, isAside, failures } = facts;
  const afterMs = askedWaitMs(facts.afterMs, 1);
  const { longestPauseMs, attemptsBeforePoisoned } = policy.delivery;
  const growing = (times: number): number => {
    const grownMs = afterMs * 2 ** Math.min(Math.max(times - 1, 0), 10);
    return Math.max(afterMs, Math.min(longestPauseMs, grownMs));
  };
  const others = isAside ? "message" : "channel";
  switch (why) {
    case "limit":
    case "not-let-in":
      return { type: "wait", ms: afterMs, who: others };
    case "thread-closed":
    case "message-limit":
      return { type: "wait", ms: afterMs, who: "message" };
    case "unreachable":
      return { type: "wait", ms: growing(facts.unreachable), who: others };
    case "failed":
    case "not-there-yet": {
      const ms = growing(failures);
      if (facts.failsAtOthers && !isAside) return { type: "wait", ms, who: "channel" };
      if (failures < attemptsBeforePoisoned) return { type: "wait", ms, who: "message" };
      if (!facts.isPlain) return { type: "suspect", ms, next: "plain" };
      // Alone in its channel it is in nobody's way: given up only when others were taken meanwhile.
      return facts.tookOthers ? { type: "suspect", ms, next: "give-up" } : { type: "wait", ms, who: "message" };
    }
  }
}
