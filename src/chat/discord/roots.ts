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
 * Finds the message that somebody answers: the one under which their thread began, which has the thread's id, or the one they reply to.
 * Our threads are in the current channel or in an earlier one. Discord is asked which, and the answer never changes.
 */
export interface Roots {
  /** The address of that message, whoever wrote it; null when the message answers none. */
  rootOf(message: Pick<APIMessage, "channel_id" | "message_reference">): Promise<string | null>;
  /** Registers a message of ours under which a thread may begin. */
  learn(address: string): void;
}

const mostRemembered = 5_000;

/** Asks Discord once for each channel or thread other than the current channel. */
export function openRoots({ rest, settings, log }: Pick<Door, "rest" | "settings" | "log">): Roots {
  const home = settings.channelId;
  /** The parent channel of a thread; null when the id is not a thread. */
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
      // This route answers with a channel.
      const channel = (await rest.get(Routes.channel(id))) as APIChannel;
      const parent = "thread_metadata" in channel ? (channel.parent_id ?? null) : null;
      keep(id, parent);
      return parent;
    } catch (error) {
      if (codeOf(error) !== Codes.UnknownChannel) log("warn", "discord.channel-unknown", { error: errorWord(error) });
      // Most of our threads are in the current channel.
      return home;
    }
  }

  return {
    async rootOf({ channel_id: channel, message_reference }) {
      const parent = channel === home ? null : await parentOf(channel);
      if (parent !== null) return addressOf(parent, channel);
      // A forwarded message answers nothing.
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
