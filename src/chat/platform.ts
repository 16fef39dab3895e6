import type { Card } from "../core/cards/card.ts";

/**
 * A place where cards are shown: Slack, Discord, the console. Draws what it is given; knows no database. Every method
 * resolves to a value for what the platform says; only programming errors throw.
 */
export interface Platform {
  readonly name: string;
  /** Posting the same key twice shows it once, so delivery need not look for a lost post first. */
  readonly isIdempotent: boolean;
  post(post: Post): Promise<PostOutcome>;
  /** Replaces the message at `address`. */
  update(address: string, post: Post): Promise<PostOutcome>;
  /** The address of the message that carries this key, when an earlier post reached the channel; null when none did. */
  find(channel: string, key: string): Promise<FindOutcome>;
  /** One word for health: "connected", or what is wrong. */
  status(): string;
  stop(): Promise<void>;
}

export interface Post {
  readonly channel: string;
  /** Our own id; travels with the message so that it can be found again. */
  readonly key: string;
  /** The address of the message this one answers to; null at top level. */
  readonly threadAddress: string | null;
  readonly card: Card;
  /** Draw only the summary: the platform rejected the full card. */
  readonly plain: boolean;
}

export type PostOutcome =
  | { readonly type: "shown"; readonly address: string }
  /** Not now: rate limited, unreachable, or the answer was lost. */
  | { readonly type: "retry"; readonly afterMs: number; readonly reason: string }
  /** Never like this: the card itself is refused. */
  | { readonly type: "rejected"; readonly reason: string };

export type FindOutcome =
  | { readonly type: "found"; readonly address: string }
  | { readonly type: "absent" }
  | { readonly type: "retry"; readonly afterMs: number; readonly reason: string };

/** Where every card goes: one entry a mirror. */
export interface Channel {
  readonly platform: string;
  readonly channel: string;
}
