import type { webApi } from "@slack/bolt";
import type { Inbox } from "../inbox.ts";
import type { ChatLog } from "../platform.ts";
import type { Addresses } from "../addresses.ts";
import type { OurChannel } from "./channel.ts";
import type { Homes } from "./homes.ts";
import type { Words } from "./mrkdwn.ts";
import type { Patience } from "../patience.ts";
import type { People } from "../people.ts";
import type { Ear, Whispered } from "./whisper.ts";

/** What the listeners share. */
export interface Door {
  readonly inbox: Inbox;
  /** The interactions' own client: a limit on deliveries never delays a form. */
  readonly client: webApi.WebClient;
  readonly channel: OurChannel;
  readonly people: People;
  readonly patience: Patience;
  readonly progressAfterMs: number;
  readonly words: (addresses: Addresses) => Words;
  /** Tells one person; a failure is logged, because what happened is recorded. */
  readonly say: (ear: Ear, said: Whispered) => Promise<void>;
  readonly homes: Homes;
  readonly log: ChatLog;
}
