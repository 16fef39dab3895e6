import type { webApi } from "@slack/bolt";
import { pictureAlone, pictureTitle, type PictureBlock } from "../../core/cards/picture.ts";
import { inChannel } from "../in-channel.ts";
import { toldCalls } from "../calls.ts";
import type { FindOutcome, Post, PostedPicture, PostOutcome } from "../platform.ts";
import type { Addresses } from "../addresses.ts";
import { errorWord, troubleOf } from "./clients.ts";
import { drawPosted, mentionsOf, smallPrint, plainUpTo } from "./draw.ts";
import { limits } from "./limits.ts";
import { pictureName, takeBack, uploadPicture } from "./pictures.ts";
import { plainSentence } from "../../core/cards/times-in.ts";
import { drawnOrNot } from "../undrawn.ts";
import { escapeMrkdwn, type Words } from "./mrkdwn.ts";

/** Posting, editing and finding messages. An address is `C0123ABCD/1700000000.000100`; for a reply, the thread's `/TS` follows. */
export interface Messages {
  post(post: Post): Promise<PostOutcome>;
  update(address: string, post: Post): Promise<PostOutcome>;
  find(post: Post, since: Date): Promise<FindOutcome>;
}

interface MessagesOptions {
  readonly client: webApi.WebClient;
  /** Returns the id of the channel for cards. Rejects with what the client rejects with. */
  readonly channelId: () => Promise<string>;
  readonly words: (addresses: Addresses) => Words;
  /** Called after each call into that channel with "ok" or Slack's error. */
  readonly onCall: (word: string) => void;
}

const metadataType = "cos_card";
const clockMarginMs = 5 * 60_000;
const mostPages = 20;

/** Slack's error for a message that does not exist. */
export const goneThread = "thread_not_found";
/** Slack's errors for a reply below a message that does not exist, below the mark that a deleted message has left, or in a channel without threads. */
const noThread = [
  goneThread,
  "message_not_found",
  "cannot_reply_to_message",
  "restricted_action_non_threadable_channel",
];

/** Opens the message operations that delivery uses: post, update, find. They never reject; each outcome says what Slack answered. */
export function openMessages(options: MessagesOptions): Messages {
  const { client, onCall, channelId } = options;
  const call = toldCalls((error) => onCall(error === null ? "ok" : errorWord(error)));
  const draw = (post: Post, threadTs: string | null) => drawnOrNot(() => bodyIn(post, threadTs, options));

  /** Finds the message that carries the post's key in a thread, or in the channel, among those posted since `oldest`. */
  async function look(post: Post, oldest: string, thread = threadTsOf(post)): Promise<FindOutcome> {
    const channel = await channelId();
    const found = await call(() => findByKey(client, { channel, thread, oldest, key: post.key }));
    if (found === null) return { type: "absent" };
    return { type: "found", address: addressOf(channel, found.ts, thread), isPicture: found.isPicture };
  }

  /** Posts into the thread, or into the channel when there is no thread or can be none. Rejects with what the client rejects with. */
  async function postIn(post: Post, channel: string, threadTs: string | null): Promise<PostOutcome> {
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    const drawn = { ...draw(post, threadTs), ...thread, unfurl_links: false, unfurl_media: false };
    try {
      const posted = await call(() => client.chat.postMessage({ channel, ...drawn }));
      return { type: "shown", address: addressOf(posted.channel ?? channel, posted.ts ?? "", threadTs) };
    } catch (error) {
      if (threadTs === null || !noThread.includes(errorWord(error))) throw error;
      return await postIn(post, channel, null);
    }
  }

  async function postPicture(post: Post, shown: PictureBlock, picture: PostedPicture): Promise<PostOutcome> {
    const outcome = await uploadPicture(client, {
      channel: await channelId(),
      threadTs: threadTsOf(post),
      name: pictureName(post.key),
      title: pictureTitle(shown),
      words: shown.words,
      draw: () => picture.draw(),
      earlier: post.underWay,
      keep: (underWay) => picture.keep(underWay),
    });
    if (outcome.type !== "uploaded") return outcome;
    // The answer of the upload does not say where the file appears, because that happens later.
    const found = await look(post, "0").catch(() => null);
    return found?.type === "found" ? { type: "shown", address: found.address } : notThereYet;
  }

  return {
    async post(post) {
      const shown = post.plain ? null : pictureAlone(post.card);
      try {
        if (shown !== null && post.picture !== undefined) return await postPicture(post, shown, post.picture);
        if (post.underWay !== undefined) await takeBack(client, post.underWay);
        return await postIn(post, await channelId(), threadTsOf(post));
      } catch (error) {
        return troubleOf(error);
      }
    },

    async update(address, post) {
      // The picture in a file never changes.
      if (!post.plain && pictureAlone(post.card) !== null) return { type: "shown", address };
      try {
        const { channel, ts, thread } = partsOf(address);
        const edited = { channel, ts, ...draw(post, thread) };
        const edit = () => client.chat.update(edited);
        // A call into an earlier channel says nothing about the current one, so it is not reported.
        await (channel === (await channelId()) ? call(edit) : edit());
        return { type: "shown", address };
      } catch (error) {
        return troubleOf(error);
      }
    },

    async find(post, since) {
      const oldest = String(Math.floor((since.getTime() - clockMarginMs) / 1000));
      return await lookInBoth(post, (thread) => look(post, oldest, thread)).catch(notSearched);
    },
  };
}

/** Looks for a post in its thread, then in the channel. In a channel without threads the search of a thread succeeds. */
async function lookInBoth(post: Post, look: (thread: string | null) => Promise<FindOutcome>): Promise<FindOutcome> {
  const thread = threadTsOf(post);
  try {
    const seen = await look(thread);
    if (seen.type !== "absent" || thread === null) return seen;
  } catch (error) {
    if (thread === null || errorWord(error) !== goneThread) throw error;
  }
  return await look(null);
}

/** Returns what a failed search means: the post may be shown. Throws an error that is not a failure of a call. */
function notSearched(error: unknown): FindOutcome {
  const trouble = troubleOf(error);
  if (trouble.type === "retry") return trouble;
  const reason = trouble.type === "rejected" ? trouble.reason : "gone";
  return { type: "retry", why: "not-let-in", afterMs: 30_000, reason, mayBeShown: true };
}

/** Draws the post for the thread, or for the channel when `threadTs` is null. */
function bodyIn(post: Post, threadTs: string | null, { words }: Pick<MessagesOptions, "words">) {
  return bodyOf(threadTs === null ? inChannel(post) : post, words(post.addresses));
}

function bodyOf(post: Post, words: Words) {
  const { text, blocks } = drawPosted(post.card, post.key, words);
  const metadata = { event_type: metadataType, event_payload: { key: post.key } };
  if (!post.plain) return { text, blocks, metadata };
  // Text without markup; the buttons stay, so that a question can still be answered.
  const summary = plainUpTo(plainSentence(post.card.summary, words.zone), limits.sectionText);
  const buttons = blocks.filter((block) => block.type === "actions");
  const mentions = mentionsOf(post.card).trim();
  const asked = mentions === "" ? [] : [smallPrint(mentions)];
  return {
    // Slack parses markup in this field, such as mentions.
    text: escapeMrkdwn(summary.text),
    blocks: [{ type: "section" as const, text: summary }, ...asked, ...buttons],
    metadata,
  };
}

/** The file was uploaded, but its message is not in the channel yet. */
const notThereYet = {
  type: "retry",
  why: "not-there-yet",
  afterMs: 2_000,
  reason: "uploaded, not shown yet",
  mayBeShown: true,
} as const;

function threadTsOf({ threadAddress }: Post): string | null {
  return threadAddress === null ? null : partsOf(threadAddress).ts;
}

interface Wanted {
  readonly channel: string;
  readonly thread: string | null;
  readonly oldest: string;
  readonly key: string;
}

/** Returns the message that carries the key; null when there is none. Throws what the client throws. */
async function findByKey(
  client: webApi.WebClient,
  { channel, thread, oldest, key }: Wanted,
): Promise<{ readonly ts: string; readonly isPicture: boolean } | null> {
  let cursor = "";
  for (let page = 0; page < mostPages; page += 1) {
    const common = { channel, oldest, limit: 200, include_all_metadata: true, ...(cursor === "" ? {} : { cursor }) };
    const answered =
      thread === null
        ? await client.conversations.history(common)
        : await client.conversations.replies({ ...common, ts: thread });
    const found = answered.messages?.find((message) => keyOf(message) === key || isPictureOf(message, key));
    if (found?.ts !== undefined) return { ts: found.ts, isPicture: isPictureOf(found, key) };
    cursor = answered.response_metadata?.next_cursor ?? "";
    if (cursor === "") return null;
  }
  return null;
}

function isPictureOf(message: { files?: { name?: string }[] }, key: string): boolean {
  return message.files?.some((file) => file.name === pictureName(key)) === true;
}

function keyOf(message: { metadata?: { event_type?: string; event_payload?: unknown } }): string | null {
  const payload = message.metadata?.event_type === metadataType ? message.metadata.event_payload : null;
  const key = typeof payload === "object" && payload !== null && "key" in payload ? payload.key : null;
  return typeof key === "string" ? key : null;
}

/** True when a channel is given as an id, not as `#name`. */
export function isChannelId(channel: string): boolean {
  return /^[CGD][A-Z0-9]{2,}$/.test(channel);
}

/** Returns the id of a channel that is given as id or `#name`; returns the given value when no channel has that name. */
export async function findChannel(client: webApi.WebClient, channel: string): Promise<string> {
  if (isChannelId(channel)) return channel;
  const name = channel.replace(/^#/, "");
  let cursor = "";
  for (let page = 0; page < mostPages; page += 1) {
    const answered = await client.conversations.list({
      types: "public_channel,private_channel",
      exclude_archived: true,
      limit: 1000,
      ...(cursor === "" ? {} : { cursor }),
    });
    const found = answered.channels?.find((each) => each.name === name);
    if (found?.id !== undefined) return found.id;
    cursor = answered.response_metadata?.next_cursor ?? "";
    if (cursor === "") break;
  }
  return channel;
}

/** Returns a message's address as it is stored: `channel/ts`, in a thread `channel/ts/thread`. */
export function addressOf(channel: string, ts: string, thread: string | null = null): string {
  return thread === null ? `${channel}/${ts}` : `${channel}/${ts}/${thread}`;
}

/** Splits an address into channel, timestamp and thread; a missing channel or timestamp is empty, a missing thread null. */
export function partsOf(address: string): { channel: string; ts: string; thread: string | null } {
  const [channel = "", ts = "", thread = null] = address.split("/");
  return { channel, ts, thread };
}
