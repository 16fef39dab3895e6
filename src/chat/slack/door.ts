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

/** What the event listeners share. */
export interface Door {
  readonly inbox: Inbox;
  /** A client of its own for interactions, so that a rate limit on deliveries never delays a form. */
  readonly client: webApi.WebClient;
  /** Makes a call for which nobody waits within seconds, and waits for Slack's rate limits. Throws every other error of the client. */
  readonly patiently: MakeCall;
  readonly channel: OurChannel;
  readonly people: FindPerson;
  readonly nameOf: NameOf;
  readonly times: RecordingTimes;
  readonly progressAfterMs: number;
  readonly words: (addresses: Addresses) => Words;
  /**
   * Tells one person something. Returns the id of the window that shows it, if there is one. A failure is only logged, because the action
   * is already recorded.
   */
  readonly say: (target: PrivateTarget, said: PrivateMessage) => Promise<string | null>;
  /** Like `say`, in a channel. Returns false when it failed. */
  readonly reach: (target: PrivateTarget, said: PrivateMessage) => Promise<boolean>;
  /** The number of the current connection: Slack accepts an acknowledgement only on the connection that delivered the event. */
  readonly connection: () => number;
  readonly homes: Homes;
  readonly log: ChatLog;
}
