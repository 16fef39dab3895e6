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
  /** Hears how each call ended; null: well. */
  readonly onCall: (error: unknown) => void;
}

const clockMarginMs = 5 * 60_000;
const mostPages = 20;
const pageSize = 100;

/** What delivery does with messages of Discord: post, update, find. Never rejects; each outcome says what Discord answered. */
export function openMessages({ rest, zone, permalink, onCall }: MessagesOptions): Messages {
  const threads = openThreads(rest);
  const call = toldCalls(onCall);
  const draw = (post: Post): Body => drawnOrNot(() => bodyOf(post, zone, permalink));
  let ownId: string | null = null;

  /** The bot's own id, asked for once. Throws what the client throws. */
  async function self(): Promise<string> {
    // The answer of this route is the bot itself.
    ownId ??= ((await rest.get(Routes.user())) as APIUser).id;
    return ownId;
  }

  return {
    async post(post) {
      try {
        const body = draw(post);
        const posted = await call(() => send(rest, threads, post, body).catch(pictureTrouble(post)));
        return { type: "shown", address: addressOf(posted.channel_id, posted.id) };
      } catch (error) {
        if (error instanceof NoPicture) return { type: "rejected", reason: error.message };
        return troubleOf(error);
      }
    },

    async update(address, post) {
      // What a picture shows does not change.
      if (isPicture(post)) return { type: "shown", address };
      const { channel, id } = partsOf(address);
      // A thread that somebody deleted has taken its messages with it: nothing is wrong with the channel.
      const isGone = (error: unknown) => channel !== post.channel && threads.isUnknown(error);
      try {
        const body = draw(post);
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
      const channel = threads.channelOf(post);
      try {
        const found = await call(async () =>
          findByMark(rest, { channel, mark: post.key, since, author: await self() }),
        );
        return found === null
          ? { type: "absent" }
          : { type: "found", address: addressOf(channel, found.id), isPicture: found.attachments.length > 0 };
      } catch (error) {
        // A thread that was never made holds nothing.
        if (channel !== post.channel && threads.isUnknown(error)) return { type: "absent" };
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

function bodyOf(post: Post, zone: string, permalink: MessagesOptions["permalink"]): Body {
  return post.plain ? drawPlain(post.card, zone, post.key) : drawPosted(post.card, permalink(post.addresses), post.key);
}

/**
 * The nonce is enforced: the same one within some minutes is answered with the message that it made before, so that an
 * answer that was lost, or a slow first call, never shows a card twice. It is made of the key, the version and the
 * content: a card that somebody deleted comes back, and must not be taken for the one that is gone.
 */
async function send(rest: REST, threads: Threads, post: Post, drawn: Body): Promise<APIMessage> {
  const body = {
    ...drawn,
    nonce: nonceOf(post.key, `${post.version} ${JSON.stringify(drawn)}`),
    enforce_nonce: true,
  };
  const { attachments, files } = await pictureOf(post);
  return await threads.inThread(
    post,
    async (channel) =>
      // The answer of this route is a message.
      (await rest.post(Routes.channelMessages(channel), { body: { ...body, ...attachments }, files })) as APIMessage,
  );
}

function nonceOf(key: string, content: string): string {
  return `${key}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}`.slice(-limits.nonce);
}

/** The words are shown instead. */
class NoPicture extends Error {}

/** A channel may forbid files alone: where it forbids words too, those wait. */
function pictureTrouble(post: Post): (error: unknown) => never {
  return (error) => {
    if (!isPicture(post) || codeOf(error) !== Codes.MissingPermissions) throw error;
    throw new NoPicture(`${errorWord(error)}: let the bot attach files in the channel`);
  };
}

/** The picture of a card that is nothing else, as an attachment with its words for those who do not see it. */
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
  /** Another bot may repeat what ours says, mark and all. */
  readonly author: string;
}

/** The message of ours that carries the mark; null when none does. Throws what the client throws. */
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

/** The messages of a channel after an id, page by page, oldest page first. Throws what the client throws. */
export async function* messagesSince(rest: REST, channel: string, from: string): AsyncGenerator<readonly APIMessage[]> {
  let after = from;
  while (true) {
    const query = new URLSearchParams({ after, limit: String(pageSize) });
    // The answer of this route is a list of messages, newest first.
    const page = (await rest.get(Routes.channelMessages(channel), { query })) as APIMessage[];
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page
      .map(({ id }) => BigInt(id))
      .reduce((most, id) => (id > most ? id : most), 0n)
      .toString();
  }
}
