import type { REST } from "discord.js";
import type { ChatCommand } from "../commands.ts";
import type { Inbox } from "../inbox.ts";
import type { RecordingTimes } from "../record-soon.ts";
import type { FindPerson } from "../people.ts";
import type { ChatLog } from "../platform.ts";
import type { Addresses } from "../addresses.ts";
import type { ChannelView } from "./channel-view.ts";
import type { Permalink } from "./markdown.ts";
import type { DiscordSettings } from "./settings.ts";

/** What the event listeners share. */
export interface Door {
  readonly inbox: Inbox;
  readonly settings: DiscordSettings;
  /** A client of its own for interactions, so that a rate limit on deliveries never delays a form. */
  readonly rest: REST;
  readonly people: FindPerson;
  readonly view: ChannelView;
  readonly times: RecordingTimes;
  /** Aborted when the platform stops; lost calls are then not retried. */
  readonly stopping: AbortSignal;
  readonly progressAfterMs: number;
  readonly commands: readonly ChatCommand[];
  readonly permalink: (addresses: Addresses) => Permalink;
  readonly log: ChatLog;
}
