import { neverWords, notYetWords, refusalTexts } from "../core/cards/chat-words.ts";
import type { Text } from "../core/cards/card.ts";
import type { Inbox, ReplyTold, ThreadReply } from "./inbox.ts";
import { NotRecorded } from "./not-recorded.ts";
import { type RecordingTimes, recordSoon } from "./record-soon.ts";
import type { FindPerson } from "./people.ts";

/** A reply that somebody wrote in a thread. */
export interface WrittenReply {
  readonly userId: string;
  readonly reply: ThreadReply;
}

/** The operations of a platform that handling a reply needs. */
export interface ReplyDoor {
  readonly inbox: Pick<Inbox, "knows" | "reply">;
  readonly people: FindPerson;
  readonly times: RecordingTimes;
  /** Returns what the person typed, from the text that the platform delivers. Called only for threads of ours. */
  readonly textOf: (reply: ThreadReply) => Promise<string>;
  /**
   * Tells the author something in the thread, privately. `of`: "not-taken" when the reply was not taken; "more" for anything else, also
   * that recording takes longer.
   */
  readonly say: (written: WrittenReply, lines: readonly Text[], of: "not-taken" | "more") => Promise<void>;
  /** Called when the thread is not one of ours. */
  readonly elsewhere?: (() => Promise<void>) | undefined;
  /** Marks the reply: it answered a question, or it is kept. */
  readonly mark: (written: WrittenReply, became: "answered" | "kept") => Promise<void>;
}

/**
 * Passes a reply to the engine and acknowledges it in place: with a mark or a private line. Returns null when nothing was recorded; if
 * the thread is ours, the author was told so. Throws NotRecorded when the database could not say whether the thread is ours; the reply
 * must then be fetched later.
 */
export async function takeThreadReply(door: ReplyDoor, written: WrittenReply): Promise<ReplyTold | null> {
  // In a thread that may not be ours nothing is posted, unless the author mentions the bot.
  const known = await recordSoon(() => door.inbox.knows(written.reply.threadAddress), door.times);
  const isOurs = known.type === "recorded" ? known.result : await known.later;
  if (isOurs === null) throw new NotRecorded("the database is not available");
  if (!isOurs) {
    await door.elsewhere?.();
    return null;
  }

  const [person, text] = await Promise.all([door.people(written.userId), door.textOf(written.reply)]);
  const reply = { ...written.reply, text };
  const soon = await recordSoon(() => door.inbox.reply(person, reply), door.times);
  if (soon.type === "not-yet") await door.say(written, [[notYetWords]], "more");
  const told = soon.type === "recorded" ? soon.result : await soon.later;
  if (soon.type === "not-yet" && told === null) await door.say(written, [[neverWords]], "not-taken");
  if (told === null || told.type === "repeated" || reply.change !== "said") return told;
  if (told.type === "refused") await door.say(written, refusalTexts(told), "not-taken");
  else await door.mark(written, told.type);
  if (told.type === "answered" && told.said !== undefined) await door.say(written, told.said, "more");
  return told;
}
