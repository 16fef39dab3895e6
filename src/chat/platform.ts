import type { Card } from "../core/cards/card.ts";
import type { PictureUnderWay } from "../core/cards/picture.ts";
import type { PutOffWhy } from "../core/delivery/put-off.ts";
import type { Addresses } from "./addresses.ts";
import type { ChatCommand } from "./commands.ts";
import type { Inbox } from "./inbox.ts";
import type { RecordingTimes } from "./record-soon.ts";

/**
 * A place where cards are shown: Slack, Discord, the console. Draws what it is given; knows no database. Every method
 * resolves to a value for what the platform says; only programming errors throw. What people do there arrives through
 * an `Inbox`.
 */
export interface Platform {
  readonly name: string;
  /** Posting the same key twice shows it once, so delivery need not look for a lost post first. */
  readonly isIdempotent: boolean;
  /** The least time between two calls into one channel. */
  readonly everyMs: number;
  /** How long a picture may take to appear after its call: until then it is looked for and not posted again. */
  readonly picturesAppearWithinMs: number;
  /** Learns what it calls its channel, before anything is posted there (F-403); what it cannot learn now, a post will say. */
  locate(): Promise<void>;
  post(post: Post): Promise<PostOutcome>;
  /** Replaces the message at `address`. */
  update(address: string, post: Post): Promise<PostOutcome>;
  /** The address of the message that carries this post's key, when an earlier attempt since `since` reached the channel. */
  find(post: Post, since: Date): Promise<FindOutcome>;
  /** Whether it works for other messages than the one that keeps failing. */
  isWell(): Promise<boolean>;
  /** One word for health: "connected", or what is wrong. */
  status(): string;
  stop(): Promise<void>;
}

/** What every chat platform is opened with, besides its own settings. */
export interface PlatformOptions extends RecordingTimes {
  /** For readers whose client draws no times in their own zone. */
  readonly zone: string;
  readonly inbox: Inbox;
  /** The groups whose members settings name, as the platform names them: they are looked up where a person's profile does not say. */
  readonly groups: readonly string[];
  /** Who may decide, as settings name them, on all platforms. */
  readonly approvers: readonly string[];
  /** What is listed where a platform knows commands by name. */
  readonly commands: readonly ChatCommand[];
  readonly everyMs: number;
  readonly personWaitMs: number;
  readonly progressAfterMs: number;
  readonly lookBackMs: number;
  readonly log: ChatLog;
  /** Hears every change of the connection, in words for people. */
  readonly onStatus: (status: string) => void;
}

export type ChatLog = (level: "info" | "warn" | "error", event: string, fields: Record<string, unknown>) => void;

export interface Post {
  readonly channel: string;
  /** Our own id; travels with the message so that it can be found again. */
  readonly key: string;
  /** Another number whenever its card changes, and whenever it is posted anew because somebody deleted it. */
  readonly version: number;
  /** The address of the message this one answers to; null at top level. */
  readonly threadAddress: string | null;
  readonly card: Card;
  /** Absent unless the card is a picture and nothing else. Platforms without pictures show its words. */
  readonly picture?: PostedPicture;
  /** What an earlier attempt at its picture left on the platform; absent when it left nothing. */
  readonly underWay?: EarlierPicture;
  /** Draw only the summary: the platform rejected the full card. */
  readonly plain: boolean;
  /** Where the messages lie that the card's links name, by subject; others are drawn as words. */
  readonly addresses: Addresses;
}

export interface PostedPicture {
  /** As PNG. */
  draw(): Promise<Buffer>;
  /** Remembers how far it has come, before the call that may show it and after the answer. */
  keep(underWay: PictureUnderWay): Promise<void>;
}

export interface EarlierPicture extends PictureUnderWay {
  /** The platform was asked to show it, and what came of that is not known. */
  readonly mayBeShown: boolean;
}

export type PostOutcome =
  | { readonly type: "shown"; readonly address: string }
  | NotNow
  /** Never like this: the card itself is refused. */
  | { readonly type: "rejected"; readonly reason: string }
  /** The message to update is not there any more: somebody deleted it. */
  | { readonly type: "gone" };

/** Not shown now; `why` decides who waits with it (`decidePutOff`). */
export interface NotNow {
  readonly type: "retry";
  readonly why: PutOffWhy;
  readonly afterMs: number;
  /** In words, for the log. */
  readonly reason: string;
  /** It may have been shown all the same: the answer was lost. */
  readonly mayBeShown: boolean;
}

export type FindOutcome =
  /** `isPicture`: what lies there is a picture, which cannot be edited. */
  | { readonly type: "found"; readonly address: string; readonly isPicture: boolean }
  | { readonly type: "absent" }
  | NotNow;

/** Where every card goes: one entry a mirror. */
export interface Channel {
  readonly platform: string;
  readonly channel: string;
  /** Its page reads the rows: what is stored is shown with that. */
  readonly showsRows?: true;
}
