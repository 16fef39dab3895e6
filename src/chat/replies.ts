import { neverWords, notYetWords, refusalTexts } from "../core/cards/chat-words.ts";
import type { Text } from "../core/cards/card.ts";
import type { Inbox, ReplyTold, ThreadReply } from "./inbox.ts";
import { NotRecorded } from "./not-recorded.ts";
import { type RecordingTimes, recordSoon } from "./record-soon.ts";
import type { FindPerson } from "./people.ts";

/** Somebody wrote in a thread. */
export interface WrittenReply {
  readonly userId: string;
  readonly reply: ThreadReply;
}

/** How a platform takes a reply. */
export interface ReplyDoor {
  readonly inbox: Pick<Inbox, "knows" | "reply">;
  readonly people: FindPerson;
  readonly times: RecordingTimes;
  /** What somebody has typed, out of what the platform made of it; asked in threads of ours alone. */
  readonly textOf: (reply: ThreadReply) => Promise<string>;
  /** Tells whoever wrote, beside what they wrote. `of`: that it was not taken; or what else there is to say of it, or while it is not known. */
  readonly say: (written: WrittenReply, lines: readonly Text[], of: "not-taken" | "more") => Promise<void>;
  /** Somebody wrote in a thread that is none of ours. */
  readonly elsewhere?: (() => Promise<void>) | undefined;
  /** Marks what was written: it has answered a question, or is kept. */
  readonly mark: (written: WrittenReply, became: "answered" | "kept") => Promise<void>;
}

/**
 * Hands a reply on and acknowledges it where it was written: a mark, or a private line. Null: nothing was recorded, and whoever wrote it
 * was told so if the thread is ours. Throws NotRecorded where nobody could say whether it is: it is to be fetched later.
 */
export async function takeThreadReply(door: ReplyDoor, written: WrittenReply): Promise<ReplyTold | null> {
  // Nobody hears anything about a thread that may be somebody else's, unless they write to us.
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
