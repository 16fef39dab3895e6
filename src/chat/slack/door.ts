import type { webApi } from "@slack/bolt";
import type { Inbox } from "../inbox.ts";
import type { ChatLog } from "../platform.ts";
import type { MakeCall } from "../calls.ts";
import type { Addresses } from "../addresses.ts";
import type { OurChannel } from "./channel.ts";
import type { Homes } from "./homes.ts";
import type { Words } from "./mrkdwn.ts";
import type { RecordingTimes } from "../record-soon.ts";
import type { FindPerson } from "../people.ts";
import type { NameOf } from "./people.ts";
import type { PrivateTarget, PrivateMessage } from "./private-messages.ts";

/** What the listeners share. */
export interface Door {
  readonly inbox: Inbox;
  /** The interactions' own client: a limit on deliveries never delays a form. */
  readonly client: webApi.WebClient;
  /** Makes a call that nobody waits for within seconds: a limit of Slack's is waited for. Throws what else the client throws. */
  readonly patiently: MakeCall;
  readonly channel: OurChannel;
  readonly people: FindPerson;
  readonly nameOf: NameOf;
  readonly times: RecordingTimes;
  readonly progressAfterMs: number;
  readonly words: (addresses: Addresses) => Words;
  /** Tells one person; the id of the window that says it, if one does. A failure is logged, because what happened is recorded. */
  readonly say: (target: PrivateTarget, said: PrivateMessage) => Promise<string | null>;
  /** Which connection it is by now: Slack takes an acknowledgement only from the one that it told. */
  readonly connection: () => number;
  readonly homes: Homes;
  readonly log: ChatLog;
}
