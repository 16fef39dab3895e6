import type { App } from "@slack/bolt";
import type { Text } from "../../core/cards/card.ts";
import { wordless } from "../../core/replies/wordless.ts";
import { hearOrFetch } from "../catch-up.ts";
import type { ReplyTold, ThreadReply } from "../inbox.ts";
import { hearDeleted } from "../record-soon.ts";
import { openFirstTimes, spokenToUs } from "../mentions.ts";
import { takeThreadReply } from "../replies.ts";
import { tryAgain } from "../try-again.ts";
import { errorWord, troubleOf } from "./clients.ts";
import type { Door } from "./door.ts";
import { addressOf } from "./messages.ts";
import { readTyped } from "./typed.ts";
import { type PrivateTarget, privateMessage } from "./private-messages.ts";

/** Replies in threads, as they arrive. Those that were written while no process was listening: `missed.ts`. */

/** The used fields of a message in a thread. */
interface Written {
  readonly channel: string;
  readonly threadTs: string;
  readonly ts: string;
  readonly userId: string;
  readonly text: string;
  readonly change: ThreadReply["change"];
  /** When the change was made; it distinguishes two changes of one message. */
  readonly changedTs: string | null;
}

/** The app's identity, and how to fetch replies later that could not be recorded. */
export interface ReplySource {
  /** The bot's own id; empty while it is not known. */
  readonly who: () => string;
  readonly fetchReplies: () => void;
}

/** Handles what people write, edit and delete in threads under our messages. Elsewhere only a message that mentions the bot is answered. */
export function listenToThreads(app: App, door: Door, { who, fetchReplies }: ReplySource): void {
  const isFirst = openFirstTimes();

  async function answer({ channel, threadTs, ts, userId, text }: Mention): Promise<void> {
    if (!isFirst(addressOf(channel, ts))) return;
    const lines = door.inbox.mentioned(await readTyped(text, door.nameOf));
    const place = { userId, channel, threadTs, triggerId: null, viewId: null, responseUrl: null };
    await tellOrMark(door, place, ts, lines);
  }

  async function hear(event: object): Promise<void> {
    const gone = deletedByPeople(event);
    if (gone !== null) return await hearDeleted(() => door.inbox.deleted(gone), door.times);
    const written = readEvent(event);
    const mention = mentionIn(event, who());
    const elsewhere = mention === null ? undefined : () => answer(mention);
    if (written === null) await elsewhere?.();
    else await take(door, written, elsewhere);
  }
  app.event("message", async ({ event }) => await hearOrFetch(hear(event), fetchReplies));
}

/** Handles a reply. Its mark is a reaction; a private line appears beside it. */
export async function take(door: Door, written: Written, elsewhere?: () => Promise<void>): Promise<ReplyTold | null> {
  const { channel, ts, threadTs, userId } = written;
  const { inbox, people, nameOf, times } = door;
  const target = { userId, channel, threadTs, triggerId: null, viewId: null, responseUrl: null };
  return await takeThreadReply(
    {
      inbox,
      people,
      times,
      textOf: ({ text }) => readTyped(text, nameOf),
      async say(_, lines, of) {
        if (of === "not-taken") await tellOrMark(door, target, ts, lines);
        else await door.say(target, privateMessage(lines));
      },
      elsewhere,
      mark: (_, became) => mark(door, channel, ts, became === "answered" ? "white_check_mark" : "eyes"),
    },
    { userId, reply: replyOf(written) },
  );
}

/** Tells somebody privately why the message at `ts` was not taken. If Slack does not take that, a reaction shows at least so much. */
async function tellOrMark(
  door: Door,
  target: PrivateTarget & { readonly channel: string },
  ts: string,
  lines: readonly Text[],
): Promise<void> {
  if (!(await door.reach(target, privateMessage(lines)))) await mark(door, target.channel, ts, "no_entry_sign");
}

/** Adds a reaction, which is seen once however often it is added. */
async function mark(door: Door, channel: string, timestamp: string, name: string): Promise<void> {
  const add = () => door.patiently(() => door.client.reactions.add({ channel, timestamp, name }));
  await tryAgain(add, { forMs: markedWithinMs, isWorth: isPassing, stopping: null }).catch((error: unknown) => {
    // An earlier call arrived; only its answer was lost.
    if (errorWord(error) === "already_reacted") return;
    door.log("warn", "slack.reaction-failed", { error: errorWord(error) });
  });
}

const markedWithinMs = 10_000;

/** True when another try of the same call may succeed. Limits are waited for elsewhere. */
function isPassing(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.type === "retry" && (trouble.why === "failed" || trouble.why === "unreachable");
}

function replyOf(written: Written): ThreadReply {
  const { channel, ts, threadTs, change, changedTs } = written;
  const about = changedTs === null ? change : `${change}:${changedTs}`;
  return {
    eventId: `slack:message:${channel}:${ts}:${about}`,
    threadAddress: addressOf(channel, threadTs),
    message: addressOf(channel, ts),
    text: written.text.trim() === "" ? wordless : written.text,
    change,
    at: new Date(Number(ts) * 1000),
  };
}

/** True for the message that Slack puts in place of a deleted message that has replies. */
export function isTombstone(message: object | undefined): boolean {
  return message !== undefined && "subtype" in message && message.subtype === "tombstone";
}

interface RawMessage {
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly text?: string;
  readonly edited?: { readonly ts?: string };
}

/**
 * Returns the address of an app's message that was deleted; null for every other event. A message with replies is changed into a
 * tombstone.
 */
function deletedByPeople(event: object & { channel?: string; subtype?: string | undefined }): string | null {
  const raw = event as typeof event & { message?: RawMessage; previous_message?: RawMessage };
  const { channel = "", subtype, message, previous_message: before } = raw;
  const isDeleted = subtype === "message_deleted" || (subtype === "message_changed" && isTombstone(message));
  const isApps = isDeleted && before?.bot_id !== undefined && before.ts !== undefined;
  return isApps ? addressOf(channel, before.ts ?? "") : null;
}

type Mention = Pick<Written, "channel" | "ts" | "userId" | "text"> & { readonly threadTs: string | null };

/** Returns a new message of a person that mentions the bot, without the mention; null for every other event. */
function mentionIn(event: object & { channel?: string; subtype?: string | undefined }, us: string): Mention | null {
  const raw: typeof event & RawMessage = event;
  const { channel = "", subtype, ts, user, thread_ts: threadTs = null } = raw;
  const isSaid = subtype === undefined || subtype === "thread_broadcast" || subtype === "file_share";
  if (us === "" || !isSaid || raw.bot_id !== undefined || ts === undefined || user === undefined) return null;
  const text = spokenToUs(raw.text ?? "", [`<@${us}>`]);
  return text === null ? null : { channel, ts, threadTs, userId: user, text };
}

/** Reads a message event as a reply; null for all others: top level, bots, joins, changes without a new text. */
function readEvent(event: object & { channel?: string; subtype?: string | undefined }): Written | null {
  const raw = event as RawMessage & {
    readonly channel?: string;
    readonly subtype?: string;
    readonly event_ts?: string;
    readonly message?: RawMessage;
    readonly previous_message?: RawMessage;
  };
  const channel = raw.channel ?? "";
  switch (raw.subtype) {
    case undefined:
    case "thread_broadcast":
    case "file_share":
      return written(channel, raw, "said", null);
    case "message_changed": {
      // Slack also sends a change when it adds a preview to a message.
      const isNewText = raw.message?.text !== raw.previous_message?.text;
      if (raw.message === undefined || !isNewText) return null;
      return written(channel, raw.message, "edited", raw.message.edited?.ts ?? raw.event_ts ?? null);
    }
    case "message_deleted":
      if (raw.previous_message === undefined) return null;
      return written(channel, raw.previous_message, "deleted", raw.event_ts ?? null);
    default:
      return null;
  }
}

function written(
  channel: string,
  message: RawMessage,
  change: ThreadReply["change"],
  changedTs: string | null,
): Written | null {
  const { ts, thread_ts: threadTs, user: userId, text = "" } = message;
  if (message.bot_id !== undefined || userId === undefined || ts === undefined) return null;
  if (threadTs === undefined || threadTs === ts) return null;
  return { channel, threadTs, ts, userId, text, change, changedTs };
}
