import { isOfOnePlace, readEach, type ReadRest } from "../read-each.ts";
import { adviceFor, afterLimits, errorWord, troubleOf } from "./clients.ts";
import type { Door } from "./door.ts";
import { goneThread, partsOf } from "./messages.ts";
import { isTombstone, take } from "./threads.ts";

/** Fetches replies that were written, edited or deleted while no process was listening. */

interface Since {
  readonly since: Date;
  readonly ourUserId: string;
}

/**
 * Fetches missed replies, thread by thread; known ones are recognised by their id. Returns a function that reads the threads at which
 * Slack failed, or null. Waits for rate limits. Throws what Slack's client throws, except for an error that concerns one thread alone.
 */
export async function catchUp(door: Door, since: Since, stopping: AbortSignal): Promise<ReadRest | null> {
  const threads = await door.inbox.openThreads();
  // A reading is withdrawn if somebody deleted its reply in the meantime.
  const messages = await door.inbox.messagesRead();
  const places = [
    ...threads.map((name) => ({ name, read: () => readThread(door, name, since, stopping) })),
    ...messages.map((name) => ({ name, read: () => withdrawIfGone(door, name, stopping) })),
  ];
  return await readEach(places, {
    isOfPlace: (error) => isOfOnePlace(error, troubleOf),
    onFailing(thread, error) {
      door.log("warn", "slack.thread-not-read", { thread, error: errorWord(error) });
    },
    stopping,
  });
}

async function readThread(
  door: Door,
  address: string,
  { since, ourUserId }: Since,
  stopping: AbortSignal,
): Promise<void> {
  const oldest = String(since.getTime() / 1000);
  const { channel, ts: threadTs } = partsOf(address);
  const isOurs = await door.channel.is(channel);
  let cursor = "";
  do {
    const page = cursor === "" ? {} : { cursor };
    const asked = { channel, ts: threadTs, oldest, limit: 200, ...page };
    const asking = afterLimits(() => door.client.conversations.replies(asked), stopping);
    const answered = await asking.catch((error: unknown) => {
      const word = errorWord(error);
      // The thread's message was deleted, or an earlier channel is closed to us.
      if (word !== goneThread && (isOurs || adviceFor(word) === null)) throw error;
      return { messages: [], response_metadata: { next_cursor: "" }, isGone: word === goneThread };
    });
    const [root] = answered.messages ?? [];
    if ("isGone" in answered ? answered.isGone : isTombstone(root)) await door.inbox.deleted(address);
    for (const message of answered.messages ?? []) {
      const { user, ts, text } = message;
      if (user === undefined || ts === undefined || ts === threadTs || message.bot_id !== undefined) continue;
      // A picture of ours is a file shared by a user, and that user is the app.
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

async function withdrawIfGone(door: Door, message: string, stopping: AbortSignal): Promise<void> {
  // For the timestamp of a reply, Slack returns that reply alone.
  const { channel, ts } = partsOf(message);
  const asked = { channel, ts, limit: 1 };
  const asking = afterLimits(() => door.client.conversations.replies(asked), stopping);
  const isGone = await asking.then(
    ({ messages = [] }) => isTombstone(messages[0]),
    (error: unknown) => {
      if (errorWord(error) === goneThread) return true;
      // The messages in a channel that is closed to us are unknown.
      if (adviceFor(errorWord(error)) !== null) return false;
      throw error;
    },
  );
  if (isGone) await door.inbox.withdrawn(message);
}
