import { askedWaitMs } from "../asked-wait.ts";
import type { Policy } from "../policy.ts";

/** Why a platform did not show a message now. */
export type PutOffWhy =
  /** A rate limit: it said when to try again. */
  | "limit"
  /** A rate limit for this message only. */
  | "message-limit"
  /** The platform was not reached. */
  | "unreachable"
  /** It refuses us until a person changes something, such as a token. */
  | "not-let-in"
  /** Somebody has closed this thread. */
  | "thread-closed"
  /** It failed at this call, perhaps because of this message, perhaps at every call. */
  | "failed"
  /** It has accepted the message and does not show it yet. */
  | "not-there-yet";

export interface PutOffFacts {
  readonly why: PutOffWhy;
  /** Milliseconds that the platform asked for, or the shortest useful wait. */
  readonly afterMs: number;
  /** True when nothing depends on it: a picture on its way, or a search for a message that may be shown already. */
  readonly isAside: boolean;
  /** How often the platform failed at this message, including now. 0 when it did not. */
  readonly failures: number;
  /** True when it has failed at other messages since it last accepted one. */
  readonly failsAtOthers: boolean;
  /** True when it has accepted other messages since it first failed at this one. */
  readonly tookOthers: boolean;
  /** True when it is already sent as plain text. */
  readonly isPlain: boolean;
  /** How often in a row the platform was not reached, including now. */
  readonly unreachable: number;
}

export type PutOffDecision =
  /** Tried again after `ms`: only this message, or everything in its channel. */
  | { readonly type: "wait"; readonly ms: number; readonly who: "message" | "channel" }
  /** Only this message fails, so often that its content may be the reason. If the platform works, `next` follows; otherwise it is tried again. */
  | { readonly type: "suspect"; readonly ms: number; readonly next: "plain" | "give-up" };

/**
 * Decides what waits, and how long, when a platform does not show a message now (D17). Rate limits, lost connections and refusals hold
 * the whole channel; so does a platform that fails at one message after another. A closed thread, a limit for one message, a failure
 * at a single message and everything about a picture hold only that message.
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
      // A message that delays no other one is given up only when others were accepted meanwhile.
      return facts.tookOthers ? { type: "suspect", ms, next: "give-up" } : { type: "wait", ms, who: "message" };
    }
  }
}
