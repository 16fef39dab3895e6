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

/** What the listeners share. */
export interface Door {
  readonly inbox: Inbox;
  readonly settings: DiscordSettings;
  /** The interactions' own client: a limit on deliveries never delays a form. */
  readonly rest: REST;
  readonly people: FindPerson;
  readonly view: ChannelView;
  readonly times: RecordingTimes;
  /** The platform stops: what was lost is not sent again. */
  readonly stopping: AbortSignal;
  readonly progressAfterMs: number;
  readonly commands: readonly ChatCommand[];
  readonly permalink: (addresses: Addresses) => Permalink;
  readonly log: ChatLog;
}
