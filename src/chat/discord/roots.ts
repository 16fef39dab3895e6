import {
  type APIChannel,
  type APIMessage,
  MessageReferenceType,
  RESTJSONErrorCodes as Codes,
  Routes,
} from "discord.js";
import { addressOf, partsOf } from "./addresses.ts";
import type { Door } from "./door.ts";
import { codeOf, errorWord } from "./rest.ts";

/**
 * Which message somebody answers to: that at which their thread begins, which has the thread's id, or the one that they reply to.
 * A thread of ours lies in the channel of now or in one that was left; Discord says which where it is asked, and it stays so.
 */
export interface Roots {
  /** Its address, whoever wrote it; null: the message answers to none. */
  rootOf(message: Pick<APIMessage, "channel_id" | "message_reference">): Promise<string | null>;
  /** A message of ours at which a thread may begin. */
  learn(address: string): void;
}

const mostRemembered = 5_000;

/** Asks Discord once for each channel and thread that is not the channel of now. */
export function openRoots({ rest, settings, log }: Pick<Door, "rest" | "settings" | "log">): Roots {
  const home = settings.channelId;
  /** The channel of a thread; null: no thread. */
  const parents = new Map<string, string | null>();

  function keep(id: string, parent: string | null): void {
    parents.set(id, parent);
    const [oldest] = parents.keys();
    if (parents.size > mostRemembered && oldest !== undefined) parents.delete(oldest);
  }

  async function parentOf(id: string): Promise<string | null> {
    const known = parents.get(id);
    if (known !== undefined) return known;
    try {
      // The answer of this route is a channel.
      const channel = (await rest.get(Routes.channel(id))) as APIChannel;
      const parent = "thread_metadata" in channel ? (channel.parent_id ?? null) : null;
      keep(id, parent);
      return parent;
    } catch (error) {
      if (codeOf(error) !== Codes.UnknownChannel) log("warn", "discord.channel-unknown", { error: errorWord(error) });
      // Most threads of ours are in the channel of now.
      return home;
    }
  }

  return {
    async rootOf({ channel_id: channel, message_reference }) {
      const parent = channel === home ? null : await parentOf(channel);
      if (parent !== null) return addressOf(parent, channel);
      // What is forwarded is shown again, and answers nothing.
      const isForwarded = message_reference?.type === MessageReferenceType.Forward;
      const to = isForwarded ? undefined : message_reference?.message_id;
      return to === undefined ? null : addressOf(channel, to);
    },
    learn(address) {
      const { channel, id } = partsOf(address);
      keep(id, channel);
    },
  };
}
