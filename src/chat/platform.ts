import type { Card } from "../core/cards/card.ts";
import type { PictureUnderWay } from "../core/cards/picture.ts";
import type { PutOffWhy } from "../core/delivery/put-off.ts";
import type { Addresses } from "./addresses.ts";
import type { ChatCommand } from "./commands.ts";
import type { Inbox } from "./inbox.ts";
import type { RecordingTimes } from "./record-soon.ts";

/**
 * A place where cards are shown: Slack, Discord, the console. Draws the cards it gets and does not use the database. Every method
 * resolves to a value for what the platform answers; only programming errors throw. People's actions arrive through an `Inbox`.
 */
export interface Platform {
  readonly name: string;
  /** True when posting the same key twice shows it once, so that delivery need not search for a lost post first. */
  readonly isIdempotent: boolean;
  /** Minimum time between two calls into one channel. */
  readonly everyMs: number;
  /** How long a picture may take to appear after its call. Until then it is searched for, and not posted again. */
  readonly picturesAppearWithinMs: number;
  /** Learns the platform's id of its channel before anything is posted there (F-403). If that fails now, a post will report it. */
  locate(): Promise<void>;
  post(post: Post): Promise<PostOutcome>;
  /** Replaces the message at `address`. */
  update(address: string, post: Post): Promise<PostOutcome>;
  /** Returns the address of the message that carries this post's key, if an attempt after `since` reached the channel. */
  find(post: Post, since: Date): Promise<FindOutcome>;
  /** True when the platform works for messages other than the one that keeps failing. */
  isWell(): Promise<boolean>;
  /** The status for health: "connected", or what is wrong. */
  status(): string;
  stop(): Promise<void>;
}

/** Options with which every chat platform is opened, besides its own settings. */
export interface PlatformOptions extends RecordingTimes {
  /** The time zone for readers whose client does not show times in their own zone. */
  readonly zone: string;
  readonly inbox: Inbox;
  /** The groups that settings name, in the platform's notation. They are looked up when a person's profile does not list groups. */
  readonly groups: readonly string[];
  /** Who may decide, as settings name them, on all platforms. */
  readonly approvers: readonly string[];
  /** The commands to register, on platforms that list commands by name. */
  readonly commands: readonly ChatCommand[];
  readonly everyMs: number;
  readonly personWaitMs: number;
  readonly progressAfterMs: number;
  readonly lookBackMs: number;
  readonly log: ChatLog;
  /** Called with every change of the connection's status, in words for people. */
  readonly onStatus: (status: string) => void;
}

export type ChatLog = (level: "info" | "warn" | "error", event: string, fields: Record<string, unknown>) => void;

export interface Post {
  readonly channel: string;
  /** Our own id; sent with the message so that it can be found again. */
  readonly key: string;
  /** Changes whenever the card changes, and whenever it is posted again because somebody deleted it. */
  readonly version: number;
  /** The address of the message that this post answers; null at top level. */
  readonly threadAddress: string | null;
  /** The name of the message that this post answers, for a post that cannot be shown in its thread. Absent at top level. */
  readonly belongsTo?: string;
  readonly card: Card;
  /** Absent unless the card is only a picture. Platforms without pictures show its words. */
  readonly picture?: PostedPicture;
  /** What an earlier attempt to post the picture left on the platform; absent when it left nothing. */
  readonly underWay?: EarlierPicture;
  /** True when only the summary is drawn, because the platform rejected the full card. */
  readonly plain: boolean;
  /** The addresses of the messages that the card's links name, by subject; other links are drawn as words. */
  readonly addresses: Addresses;
}

export interface PostedPicture {
  /** Draws the picture as PNG. */
  draw(): Promise<Buffer>;
  /** Stores the progress, before the call that may show the picture and after its answer. */
  keep(underWay: PictureUnderWay): Promise<void>;
}

export interface EarlierPicture extends PictureUnderWay {
  /** The platform was asked to show the picture, and the result is not known. */
  readonly mayBeShown: boolean;
}

export type PostOutcome =
  | { readonly type: "shown"; readonly address: string }
  | NotNow
  /** The platform refused the card itself; a retry is useless. */
  | { readonly type: "rejected"; readonly reason: string }
  /** The message to update no longer exists: somebody deleted it. */
  | { readonly type: "gone" };

/** Not shown now; `why` decides what else waits (`decidePutOff`). */
export interface NotNow {
  readonly type: "retry";
  readonly why: PutOffWhy;
  readonly afterMs: number;
  /** The reason in words, for the log. */
  readonly reason: string;
  /** It may have been shown all the same, because the answer was lost. */
  readonly mayBeShown: boolean;
}

export type FindOutcome =
  /** `isPicture`: the message is a picture, which cannot be edited. */
  | { readonly type: "found"; readonly address: string; readonly isPicture: boolean }
  | { readonly type: "absent" }
  | NotNow;

/** A channel to which every card is posted; more than one channel mirrors the cards. */
export interface Channel {
  readonly platform: string;
  readonly channel: string;
  /** Set when the channel's page reads the rows: a stored card is shown at once. */
  readonly showsRows?: true;
}
