import { type APIMessage, type REST, RESTJSONErrorCodes as Codes, Routes, ThreadAutoArchiveDuration } from "discord.js";
import { cleanText, shorten } from "../../core/text.ts";
import type { Post } from "../platform.ts";
import { partsOf } from "./addresses.ts";
import { limits } from "./limits.ts";
import { codeOf } from "./rest.ts";

/**
 * Threads under messages of ours. A thread that begins at a message has that message's id, so that nothing about it needs
 * to be kept: it is made when the first message goes there, and made again when somebody deleted it.
 */
export interface Threads {
  /** Where a post goes: the channel, or the thread under the message that it answers to. */
  channelOf(post: Post): string;
  /** Sends into the post's thread, which is made if it is not there. Without the message that it hangs under, it stands by itself. */
  inThread(post: Post, send: (channel: string) => Promise<APIMessage>): Promise<APIMessage>;
  /** Does something in a channel that may be a thread which Discord has archived meanwhile. */
  unarchived<Result>(channel: string, work: () => Promise<Result>): Promise<Result>;
  isUnknown(error: unknown): boolean;
}

/** Opens the threads below our messages, and takes one out of the archive before something is written there. */
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

  /** Takes a thread out of the archive. False: a moderator has locked it, and only one may. */
  async function open(thread: string): Promise<boolean> {
    try {
      await rest.patch(Routes.channel(thread), { body: { archived: false } });
      return true;
    } catch (error) {
      if (codeOf(error) === Codes.MissingPermissions || codeOf(error) === Codes.ThreadLocked) return false;
      throw error;
    }
  }

  /** False: there is no message any more that it could hang under, or the server has as many threads as it may. */
  async function make(threadAddress: string): Promise<boolean> {
    const { channel, id } = partsOf(threadAddress);
    try {
      // The answer of this route is a message.
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
 * What a thread is called: the first line of the message, without its marks. A name is drawn as it stands, and never again: whom the
 * message mentions would be a number there, and the time until which it may be answered passes.
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
