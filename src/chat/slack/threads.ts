import { type App, webApi } from "@slack/bolt";
import type { ReplyTold, ThreadReply } from "../inbox.ts";
import type { Door } from "./door.ts";
import { addressOf, partsOf } from "./messages.ts";
import { unescapeMrkdwn } from "./mrkdwn.ts";
import { recordSoon } from "./patience.ts";
import { sleep } from "./socket.ts";
import { never, notYet, refusal } from "./whisper.ts";

/** Replies in threads, also those that were written while we were away. */

/** A message of a thread, as far as it matters here. */
interface Written {
  readonly channel: string;
  readonly threadTs: string;
  readonly ts: string;
  readonly userId: string;
  readonly text: string;
  readonly change: ThreadReply["change"];
  /** When a change was made: what tells two changes of one message apart. */
  readonly changedTs: string | null;
}

export function listenToThreads(app: App, door: Door): void {
  app.event("message", async ({ event }) => {
    const written = readEvent(event);
    if (written !== null) await take(door, written);
  });
}

/** Hands a reply on and acknowledges it where it was written: a mark, or a private line. */
async function take(door: Door, written: Written): Promise<ReplyTold | null> {
  const { channel, ts, threadTs, change } = written;
  // Nobody hears anything about a thread that may be somebody else's.
  const known = await recordSoon(() => door.inbox.knows(addressOf(channel, threadTs)), door.patience);
  if (!(known.type === "recorded" ? known.result : await known.later)) return null;

  const person = await door.people(written.userId);
  const ear = { userId: person.id, channel, threadTs, triggerId: null };
  const reply = replyOf(written);
  const soon = await recordSoon(() => door.inbox.reply(person, reply), door.patience);
  if (soon.type === "not-yet") await door.say(ear, notYet);
  const told = soon.type === "recorded" ? soon.result : await soon.later;
  if (soon.type === "not-yet" && told === null) await door.say(ear, never);
  if (told === null || told.type === "repeated" || change !== "said") return told;
  if (told.type === "refused") await door.say(ear, refusal(told));
  else await mark(door, channel, ts, told.type === "answered" ? "white_check_mark" : "eyes");
  return told;
}

async function mark(door: Door, channel: string, timestamp: string, name: string): Promise<void> {
  await door.client.reactions.add({ channel, timestamp, name }).catch((error: unknown) => {
    door.log("warn", "slack.reaction-failed", { error: String(error) });
  });
}

function replyOf(written: Written): ThreadReply {
  const { channel, ts, threadTs, change, changedTs } = written;
  const about = changedTs === null ? change : `${change}:${changedTs}`;
  return {
    eventId: `slack:message:${channel}:${ts}:${about}`,
    threadAddress: addressOf(channel, threadTs),
    text: written.text.trim() === "" ? "(a file without words)" : unescapeMrkdwn(written.text),
    change,
    at: new Date(Number(changedTs ?? ts) * 1000),
  };
}

/** Runs a call again after the time that Slack names, until it is not limited any more. Throws what else it throws. */
async function afterLimits<Result>(call: () => Promise<Result>, stopping: AbortSignal): Promise<Result> {
  while (true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof webApi.WebAPIRateLimitedError) || stopping.aborted) throw error;
      await sleep(error.retryAfter * 1000, stopping);
    }
  }
}

/**
 * What was written while nobody listened, thread by thread: what is known already is recognised by its id. Throws what
 * Slack's client throws, but for its limits, which are waited for.
 */
export async function catchUp(
  door: Door,
  { since, ourUserId }: { readonly since: Date; readonly ourUserId: string },
  stopping: AbortSignal,
): Promise<void> {
  const oldest = String(since.getTime() / 1000);
  for (const address of await door.inbox.openThreads()) {
    const { channel, ts: threadTs } = partsOf(address);
    let cursor = "";
    do {
      const page = cursor === "" ? {} : { cursor };
      const asked = { channel, ts: threadTs, oldest, limit: 200, ...page };
      const answered = await afterLimits(() => door.client.conversations.replies(asked), stopping);
      for (const message of answered.messages ?? []) {
        const { user, ts, text } = message;
        if (user === undefined || ts === undefined || ts === threadTs || message.bot_id !== undefined) continue;
        // A picture of ours is a file that a user shared, and that user is the app.
        if (user === ourUserId) continue;
        const said = { channel, threadTs, ts, userId: user, text: text ?? "" };
        const told = await take(door, { ...said, change: "said", changedTs: null });
        const editedTs = message.edited?.ts;
        if (told?.type === "repeated" && editedTs !== undefined) {
          await take(door, { ...said, change: "edited", changedTs: editedTs });
        }
      }
      cursor = answered.response_metadata?.next_cursor ?? "";
    } while (cursor !== "");
  }
}

interface RawMessage {
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly text?: string;
  readonly edited?: { readonly ts?: string };
}

/** A message event as a reply; null for everything that is none: top level, bots, joins, changes without a new text. */
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
      // Slack also "changes" a message when it adds a preview to it.
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
