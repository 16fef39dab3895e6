import { createHash } from "node:crypto";
import {
  type APIMessage,
  type APIUser,
  type RawFile,
  type REST,
  RESTJSONErrorCodes as Codes,
  Routes,
} from "discord.js";
import { pictureAlone } from "../../core/cards/picture.ts";
import { shorten } from "../../core/text.ts";
import { inChannel } from "../in-channel.ts";
import { toldCalls } from "../calls.ts";
import type { FindOutcome, Post, PostedPicture, PostOutcome } from "../platform.ts";
import type { Addresses } from "../addresses.ts";
import { addressOf, partsOf, snowflakeAt } from "./addresses.ts";
import { drawnOrNot } from "../undrawn.ts";
import { carriesMark, drawPlain, drawPosted } from "./draw.ts";
import { limits } from "./limits.ts";
import type { Permalink } from "./markdown.ts";
import { codeOf, editTroubleOf, errorWord, notNow, troubleOf } from "./rest.ts";
import { openThreads, type Threads } from "./threads.ts";

/** Posting, editing and finding messages. An address is `CHANNEL/MESSAGE`; the channel may be a thread. */
export interface Messages {
  post(post: Post): Promise<PostOutcome>;
  update(address: string, post: Post): Promise<PostOutcome>;
  find(post: Post, since: Date): Promise<FindOutcome>;
}

interface MessagesOptions {
  readonly rest: REST;
  readonly zone: string;
  readonly permalink: (addresses: Addresses) => Permalink;
  /** Called when a call has ended, with its error or null. */
  readonly onCall: (error: unknown) => void;
}

const clockMarginMs = 5 * 60_000;
const mostPages = 20;
const pageSize = 100;

/** Opens the message operations that delivery uses: post, update, find. They never reject; each outcome says what Discord answered. */
export function openMessages({ rest, zone, permalink, onCall }: MessagesOptions): Messages {
  const threads = openThreads(rest);
  const call = toldCalls(onCall);
  const draw: Draw = (post, channel) =>
    drawnOrNot(() => bodyOf(channel === post.channel ? inChannel(post) : post, zone, permalink));
  let ownId: string | null = null;

  /** Returns the bot's own id, which is requested once. Throws what the client throws. */
  async function self(): Promise<string> {
    // This route answers with the bot's own user.
    ownId ??= ((await rest.get(Routes.user())) as APIUser).id;
    return ownId;
  }

  return {
    async post(post) {
      try {
        const place = threads.channelOf(post);
        const drawn = draw(post, place);
        const drawIn: Draw = (each, channel) => (channel === place ? drawn : draw(each, channel));
        const posted = await call(() => send(rest, threads, post, drawIn).catch(pictureTrouble(post)));
        return { type: "shown", address: addressOf(posted.channel_id, posted.id) };
      } catch (error) {
        if (error instanceof NoPicture) return { type: "rejected", reason: error.message };
        return troubleOf(error);
      }
    },

    async update(address, post) {
      // A picture never changes after it was posted.
      if (isPicture(post)) return { type: "shown", address };
      const { channel, id } = partsOf(address);
      // Deleting a thread deletes its messages; the channel itself is fine.
      const isGone = (error: unknown) => channel !== post.channel && threads.isUnknown(error);
      try {
        const body = draw(post, channel);
        const edit = () => rest.patch(Routes.channelMessage(channel, id), { body });
        return await call(async () => {
          try {
            await threads.unarchived(channel, edit);
            return { type: "shown", address };
          } catch (error) {
            if (isGone(error)) return { type: "gone" };
            throw error;
          }
        });
      } catch (error) {
        return editTroubleOf(error);
      }
    },

    async find(post, since) {
      const look = async (channel: string) =>
        findByMark(rest, { channel, mark: post.key, since, author: await self() });
      const thread = threads.channelOf(post);
      try {
        const found = await call(() =>
          look(thread).catch((error: unknown) => {
            if (thread === post.channel || !threads.isUnknown(error)) throw error;
            // A thread that does not exist contains no message: the post may be in the channel.
            return look(post.channel);
          }),
        );
        return found === null
          ? { type: "absent" }
          : { type: "found", address: addressOf(found.channel_id, found.id), isPicture: found.attachments.length > 0 };
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble.type === "retry") return trouble;
        return notNow("not-let-in", 30_000, trouble.type === "rejected" ? trouble.reason : "gone", true);
      }
    },
  };
}

function isPicture({ plain, card }: Post): boolean {
  return !plain && pictureAlone(card) !== null;
}

type Body = ReturnType<typeof drawPosted>;

/** Draws a post for the thread or the channel with this id. */
type Draw = (post: Post, channel: string) => Body;

function bodyOf(post: Post, zone: string, permalink: MessagesOptions["permalink"]): Body {
  return post.plain ? drawPlain(post.card, zone, post.key) : drawPosted(post.card, permalink(post.addresses), post.key);
}

/**
 * Sends a message with an enforced nonce: for some minutes, Discord answers the same nonce with the message that it made before. A lost
 * answer or a slow first call therefore never shows a card twice. The nonce is made of the key, the version and the content: a card that
 * is posted again after somebody deleted it must not match the deleted message.
 */
async function send(rest: REST, threads: Threads, post: Post, draw: Draw): Promise<APIMessage> {
  const { attachments, files } = await pictureOf(post);
  return await threads.inThread(post, async (channel) => {
    const drawn = draw(post, channel);
    const nonce = nonceOf(post.key, `${post.version} ${JSON.stringify(drawn)}`);
    const body = { ...drawn, nonce, enforce_nonce: true, ...attachments };
    // This route answers with a message.
    return (await rest.post(Routes.channelMessages(channel), { body, files })) as APIMessage;
  });
}

function nonceOf(key: string, content: string): string {
  return `${key}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}`.slice(-limits.nonce);
}

/** The picture cannot be posted; its words are shown instead. */
class NoPicture extends Error {}

/** Turns a missing permission into NoPicture: a channel may forbid files only. If it forbids words too, posting those waits. */
function pictureTrouble(post: Post): (error: unknown) => never {
  return (error) => {
    if (!isPicture(post) || codeOf(error) !== Codes.MissingPermissions) throw error;
    throw new NoPicture(`${errorWord(error)}: let the bot attach files in the channel`);
  };
}

/** Returns the attachment of a card that is only a picture, with its words as the description. */
async function pictureOf(post: Post): Promise<{ attachments: object; files: RawFile[] }> {
  const shown = post.plain ? null : pictureAlone(post.card);
  if (shown === null || post.picture === undefined) return { attachments: {}, files: [] };
  const name = `${post.key}.png`;
  const data = await drawn(post.picture);
  const description = shorten(shown.words, limits.altText);
  return { attachments: { attachments: [{ id: 0, filename: name, description }] }, files: [{ name, data }] };
}

async function drawn(picture: PostedPicture): Promise<Buffer> {
  try {
    return await picture.draw();
  } catch (error) {
    throw new NoPicture(`the picture cannot be drawn: ${String(error)}`.slice(0, 500));
  }
}

interface Wanted {
  readonly channel: string;
  readonly mark: string;
  readonly since: Date;
  /** Our own user id: another bot may copy our message together with its mark. */
  readonly author: string;
}

/** Returns our message that carries the mark; null when there is none. Throws what the client throws. */
async function findByMark(rest: REST, { channel, mark, since, author }: Wanted): Promise<APIMessage | null> {
  const from = snowflakeAt(new Date(since.getTime() - clockMarginMs));
  let pages = 0;
  for await (const page of messagesSince(rest, channel, from)) {
    const found = page.find((message) => message.author.id === author && carriesMark(message, mark));
    if (found !== undefined) return found;
    pages += 1;
    if (pages === mostPages) return null;
  }
  return null;
}

/** Yields the messages of a channel after an id, page by page, oldest page first. Throws what the client throws. */
export async function* messagesSince(rest: REST, channel: string, from: string): AsyncGenerator<readonly APIMessage[]> {
  let after = from;
  while (true) {
    const query = new URLSearchParams({ after, limit: String(pageSize) });
    // This route answers with a list of messages, newest first.
    const page = (await rest.get(Routes.channelMessages(channel), { query })) as APIMessage[];
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page
      .map(({ id }) => BigInt(id))
      .reduce((most, id) => (id > most ? id : most), 0n)
      .toString();
  }
}
