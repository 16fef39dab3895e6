import { type APIMessage, type REST, RESTJSONErrorCodes as Codes, Routes, ThreadAutoArchiveDuration } from "discord.js";
import { cleanText, shorten } from "../../core/text.ts";
import type { Post } from "../platform.ts";
import { partsOf } from "./addresses.ts";
import { limits } from "./limits.ts";
import { codeOf } from "./rest.ts";

/**
 * Threads under messages of ours. A thread has the id of the message under which it begins, so nothing about it needs to be stored. It is
 * created when its first message is posted, and again if somebody deleted it.
 */
export interface Threads {
  /** Returns where a post goes: the channel, or the thread under the message that it answers. */
  channelOf(post: Post): string;
  /** Sends into the post's thread and creates it if needed. If its first message is gone, the post goes to the channel. */
  inThread(post: Post, send: (channel: string) => Promise<APIMessage>): Promise<APIMessage>;
  /** Does something in a channel; if that is a thread that Discord has archived, opens it first. */
  unarchived<Result>(channel: string, work: () => Promise<Result>): Promise<Result>;
  isUnknown(error: unknown): boolean;
}

/** Opens the operations on threads under our messages. */
export function openThreads(rest: REST): Threads {
  function channelOf({ channel, threadAddress }: Post): string {
    return threadAddress === null ? channel : partsOf(threadAddress).id;
  }

  function isUnknown(error: unknown): boolean {
    return codeOf(error) === Codes.UnknownChannel;
  }

  async function unarchived<Result>(channel: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== Codes.InvalidActionOnArchivedThread) throw error;
      if (!(await open(channel))) throw error;
      return await work();
    }
  }

  /** Takes a thread out of the archive. False when a moderator has locked it, so that only a moderator may. */
  async function open(thread: string): Promise<boolean> {
    try {
      await rest.patch(Routes.channel(thread), { body: { archived: false } });
      return true;
    } catch (error) {
      if (codeOf(error) === Codes.MissingPermissions || codeOf(error) === Codes.ThreadLocked) return false;
      throw error;
    }
  }

  /** Creates the thread. False when its first message is gone, or the server has reached its limit of threads. */
  async function make(threadAddress: string): Promise<boolean> {
    const { channel, id } = partsOf(threadAddress);
    try {
      // This route answers with a message.
      const root = (await rest.get(Routes.channelMessage(channel, id))) as APIMessage;
      const body = { name: threadName(root), auto_archive_duration: ThreadAutoArchiveDuration.OneWeek };
      await rest.post(Routes.threads(channel, id), { body });
      return true;
    } catch (error) {
      if (codeOf(error) === Codes.ThreadAlreadyCreatedForMessage) return true;
      if (codeOf(error) === Codes.UnknownMessage || codeOf(error) === Codes.MaximumActiveThreads) return false;
      throw error;
    }
  }

  return {
    channelOf,
    isUnknown,
    unarchived,
    async inThread(post, send) {
      const { channel, threadAddress } = post;
      if (threadAddress === null) return await send(channel);
      const thread = channelOf(post);
      try {
        return await unarchived(thread, () => send(thread));
      } catch (error) {
        if (!isUnknown(error)) throw error;
        return await send((await make(threadAddress)) ? thread : channel);
      }
    },
  };
}

/**
 * Returns the name of a thread: the first line of the message without its marks. A name is shown as it is and never updated. A mention
 * would appear as a number, and a deadline would become outdated, so both are removed.
 */
export function threadName(root: Pick<APIMessage, "content">): string {
  const [line = ""] = cleanText(root.content)
    .replace(/ ?<@[!&]?\d+>/g, "")
    .replace(/ Answer by <t:\d+:f>\.?/g, "")
    .replace(/<t:\d+:f>/g, "…")
    .replace(/\\(?=.)|\*\*|-# /g, "")
    .split("\n");
  return shorten(line.trim() === "" ? "Card" : line.trim(), limits.threadName);
}
