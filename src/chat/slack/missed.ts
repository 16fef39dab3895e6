import { isOfOnePlace, readEach, type ReadRest } from "../read-each.ts";
import { adviceFor, afterLimits, errorWord, troubleOf } from "./clients.ts";
import type { Door } from "./door.ts";
import { partsOf } from "./messages.ts";
import { isTombstone, take } from "./threads.ts";

/** Replies that were written, edited and deleted while nobody listened. */

/** What Slack says of a message that is not there. */
const goneThread = "thread_not_found";

interface Since {
  readonly since: Date;
  readonly ourUserId: string;
}

/**
 * What was written while nobody listened, thread by thread: what is known already is recognised by its id. Returns what reads those at
 * which Slack failed. Throws what Slack's client throws, but for its limits, which are waited for, and for what it says of one thread alone.
 */
export async function catchUp(door: Door, since: Since, stopping: AbortSignal): Promise<ReadRest | null> {
  const threads = await door.inbox.openThreads();
  // What was read from replies that somebody deleted meanwhile is taken back.
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
      // Its message was deleted; and a channel that was left may let nobody in any more.
      if (word !== goneThread && (isOurs || adviceFor(word) === null)) throw error;
      return { messages: [], response_metadata: { next_cursor: "" }, isGone: word === goneThread };
    });
    const [root] = answered.messages ?? [];
    if ("isGone" in answered ? answered.isGone : isTombstone(root)) await door.inbox.deleted(address);
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

async function withdrawIfGone(door: Door, message: string, stopping: AbortSignal): Promise<void> {
  // Of a reply's own time Slack lists that reply alone.
  const asked = { ...partsOf(message), limit: 1 };
  const asking = afterLimits(() => door.client.conversations.replies(asked), stopping);
  const isGone = await asking.then(
    ({ messages = [] }) => isTombstone(messages[0]),
    (error: unknown) => {
      if (errorWord(error) === goneThread) return true;
      // Nobody knows what lies in a channel that lets us in no more.
      if (adviceFor(errorWord(error)) !== null) return false;
      throw error;
    },
  );
  if (isGone) await door.inbox.withdrawn(message);
}
