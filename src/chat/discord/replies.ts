import {
  type APIMessage,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteDispatchData,
  type GatewayMessageUpdateDispatchData,
  MessageType,
  Routes,
} from "discord.js";
import type { Text } from "../../core/cards/card.ts";
import { wordless } from "../../core/replies/wordless.ts";
import type { ReplyTold, ThreadReply } from "../inbox.ts";
import { hearDeleted } from "../record-soon.ts";
import { personOf, type FindPerson } from "../people.ts";
import { openFirstTimes, spokenToUs } from "../mentions.ts";
import { type ReplyDoor, takeThreadReply, type WrittenReply } from "../replies.ts";
import { addressOf, momentOf } from "./addresses.ts";
import type { Door } from "./door.ts";
import { drawLines } from "./draw.ts";
import { errorWord } from "./rest.ts";
import { sendAgain } from "./send-again.ts";
import { openRoots, type Roots } from "./roots.ts";

/** Replies in threads and to messages, as they arrive. Those that were written while no process was listening: `missed.ts`. */

/** The used fields of a Discord message. */
type Raw = Pick<
  APIMessage,
  "id" | "channel_id" | "author" | "content" | "type" | "edited_timestamp" | "message_reference"
> &
  Pick<GatewayMessageCreateDispatchData, "member">;

export interface Replies {
  /** `us`: the bot's own id; empty while it is not known. */
  said(message: GatewayMessageCreateDispatchData, us: string): Promise<void>;
  edited(message: GatewayMessageUpdateDispatchData): Promise<void>;
  deleted(message: Pick<GatewayMessageDeleteDispatchData, "id" | "channel_id">): Promise<void>;
  /** A thread was deleted with all its messages. */
  threadDeleted(id: string): Promise<void>;
  /** Handles a message that was fetched later; a known one is recognised by its id. */
  fetched(message: APIMessage): Promise<void>;
  /** Registers a message of ours under which a thread may begin. */
  learn(address: string): void;
}

const mostRemembered = 500;

/**
 * Handles what people write, edit and delete in threads under our messages. Elsewhere only a message that mentions the bot is answered.
 * Messages of bots are ignored.
 */
export function openReplies(door: Door): Replies {
  const heard = openHeard();
  const roots = openRoots(door);
  const isFirst = openFirstTimes();

  async function take(raw: Raw, change: "said" | "edited", elsewhere?: () => Promise<void>): Promise<ReplyTold | null> {
    const isOfPeople = raw.author.bot !== true && [MessageType.Default, MessageType.Reply].includes(raw.type);
    if (!isOfPeople) return null;
    const threadAddress = await roots.rootOf(raw);
    if (threadAddress === null) {
      await elsewhere?.();
      return null;
    }
    const about = change === "said" ? "said" : `edited:${raw.edited_timestamp ?? ""}`;
    const reply: ThreadReply = {
      eventId: `discord:message:${raw.channel_id}:${raw.id}:${about}`,
      threadAddress,
      message: addressOf(raw.channel_id, raw.id),
      text: raw.content.trim() === "" ? wordless : raw.content,
      change,
      at: momentOf(raw.id),
    };
    const told = await hand(door, { ...raw, elsewhere }, { userId: raw.author.id, reply });
    if (told !== null) heard.keep(raw.id, { userId: raw.author.id, reply });
    return told;
  }

  async function answerMention(message: Raw, text: string): Promise<void> {
    if (!isFirst(message.id)) return;
    await tellOrMark(door, { ...message, userId: message.author.id }, door.inbox.mentioned(text));
  }

  return {
    async said(message, us) {
      const isHere = us !== "" && message.guild_id === door.settings.guildId;
      const text = isHere ? spokenToUs(message.content, [`<@${us}>`, `<@!${us}>`]) : null;
      await take(message, "said", text === null ? undefined : () => answerMention(message, text));
    },
    async edited(message) {
      // Discord also sends an update when it adds a preview to a message.
      if (message.edited_timestamp != null) await take(message, "edited");
    },
    async deleted({ id, channel_id }) {
      // The message may be a card of ours or a reply of somebody; that cannot always be told apart. Both are handled, independent of each
      // other.
      const ours = hearDeleted(() => door.inbox.deleted(addressOf(channel_id, id)), door.times);
      const said = heard.of(id) ?? (await unheard(roots, id, channel_id));
      if (said === null) return await ours;
      const reply: ThreadReply = {
        ...said.reply,
        eventId: `discord:message:${channel_id}:${id}:deleted`,
        change: "deleted",
        at: new Date(),
      };
      await Promise.all([ours, hand(door, { id, channel_id }, { userId: said.userId, reply })]);
    },
    async threadDeleted(id) {
      await hearDeleted(() => door.inbox.deletedAll(addressOf(id, "")), door.times);
    },
    async fetched(raw) {
      const told = await take(raw, "said");
      if (told?.type === "repeated" && raw.edited_timestamp !== null) await take(raw, "edited");
    },
    learn: (address) => roots.learn(address),
  };
}

interface Said {
  readonly userId: string;
  readonly reply: ThreadReply;
}

/** Remembers the authors of messages in this process: Discord does not say who wrote a deleted message. */
function openHeard() {
  const heard = new Map<string, Said>();
  return {
    keep(id: string, said: Said): void {
      // Setting an existing key does not move it to the end of a Map.
      heard.delete(id);
      heard.set(id, said);
      const [oldest] = heard.keys();
      if (heard.size > mostRemembered && oldest !== undefined) heard.delete(oldest);
    },
    of: (id: string): Said | null => heard.get(id) ?? null,
  };
}

/**
 * Returns a deleted reply that another process heard; its reading is found by the message id. Null in the channel itself: there Discord
 * does not say which card the reply was for.
 */
async function unheard(roots: Roots, id: string, channel: string): Promise<Said | null> {
  const threadAddress = await roots.rootOf({ channel_id: channel });
  if (threadAddress === null) return null;
  const message = addressOf(channel, id);
  const reply = { eventId: "", threadAddress, message, text: "", change: "deleted", at: new Date() } as const;
  return { userId: nobody, reply };
}

async function hand(
  door: Door,
  place: Place & Partial<Raw> & Pick<ReplyDoor, "elsewhere">,
  written: WrittenReply,
): Promise<ReplyTold | null> {
  const isSaid = place.member !== undefined || written.userId === nobody;
  const people: FindPerson = isSaid ? async () => memberIn(place, written) : door.people;
  return await takeThreadReply(
    {
      inbox: door.inbox,
      people,
      times: door.times,
      textOf: async ({ text }) => text,
      async say({ userId }, lines, of) {
        if (of === "not-taken") await tellOrMark(door, { ...place, userId }, lines);
        else await sendPrivately(door, userId, drawLines(lines));
      },
      elsewhere: place.elsewhere,
      mark: (_, became) => mark(door, place, became === "answered" ? "✅" : "👀"),
    },
    written,
  );
}

interface Place {
  readonly channel_id: string;
  readonly id: string;
}

/** Sends somebody the reason why something was not taken. If they accept no direct messages, a reaction shows at least that. */
async function tellOrMark(
  door: Door,
  { userId, ...place }: Place & { readonly userId: string },
  lines: readonly Text[],
): Promise<void> {
  if (!(await sendPrivately(door, userId, drawLines(lines)))) await mark(door, place, "🚫");
}

/** The user id when the author is not known. */
const nobody = "";

async function memberIn({ member, author }: Partial<Raw>, { userId }: WrittenReply) {
  const groups = (member?.roles ?? []).map((role) => `@${role}`);
  const names = [member?.nick, author?.global_name, author?.username, userId === nobody ? "somebody" : null];
  return personOf(userId, { names, isActive: true, groups, membership: "member" });
}

async function mark(door: Door, place: Place, emoji: string): Promise<void> {
  const route = Routes.channelMessageOwnReaction(place.channel_id, place.id, encodeURIComponent(emoji));
  // A reaction is seen once, however often it is added.
  const again = { forMs: markedWithinMs, twice: "seen-once", stopping: door.stopping } as const;
  await sendAgain(() => door.rest.put(route), again).catch((error: unknown) => {
    door.log("warn", "discord.reaction-failed", { error: errorWord(error) });
  });
}

const markedWithinMs = 10_000;

/** Sends somebody a direct message: only interactions can be answered privately in place. Returns false when it failed. */
async function sendPrivately(door: Door, userId: string, body: object): Promise<boolean> {
  try {
    // This route answers with a channel.
    const channel = (await door.rest.post(Routes.userChannels(), { body: { recipient_id: userId } })) as { id: string };
    await door.rest.post(Routes.channelMessages(channel.id), { body });
    return true;
  } catch (error) {
    door.log("warn", "discord.private-failed", { error: errorWord(error) });
    return false;
  }
}
