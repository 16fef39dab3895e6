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
import { openRoots, type Roots } from "./roots.ts";

/** Replies in threads and to messages, as they are written; those of while we were away: `missed.ts`. */

/** What Discord sends of a message, as far as it matters here. */
type Raw = Pick<
  APIMessage,
  "id" | "channel_id" | "author" | "content" | "type" | "edited_timestamp" | "message_reference"
> &
  Pick<GatewayMessageCreateDispatchData, "member">;

export interface Replies {
  /** `us`: our own id; empty before it is known. */
  said(message: GatewayMessageCreateDispatchData, us: string): Promise<void>;
  edited(message: GatewayMessageUpdateDispatchData): Promise<void>;
  deleted(message: Pick<GatewayMessageDeleteDispatchData, "id" | "channel_id">): Promise<void>;
  /** With all that lay in it. */
  threadDeleted(id: string): Promise<void>;
  /** One that was looked for: what is known already is recognised by its id. */
  fetched(message: APIMessage): Promise<void>;
  /** A message of ours at which a thread may begin. */
  learn(address: string): void;
}

const mostRemembered = 500;

/** Hears what people write, edit and delete in threads below our messages; elsewhere what they write to us, which is answered alone. Bots are not heard. */
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
      // Discord also "changes" a message when it adds a preview to it.
      if (message.edited_timestamp != null) await take(message, "edited");
    },
    async deleted({ id, channel_id }) {
      // A card of ours, or what somebody wrote: which it was cannot always be told. Neither waits for the other, nor falls with it.
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

/** Discord does not say whose a message was that is deleted: remembered while this process lives. */
function openHeard() {
  const heard = new Map<string, Said>();
  return {
    keep(id: string, said: Said): void {
      // A key keeps its place in a map, however often it is set.
      heard.delete(id);
      heard.set(id, said);
      const [oldest] = heard.keys();
      if (heard.size > mostRemembered && oldest !== undefined) heard.delete(oldest);
    },
    of: (id: string): Said | null => heard.get(id) ?? null,
  };
}

/** One that another process heard: what was read from it is found by its id. Null in the channel itself: under which card it was is not said. */
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

/** Says why something was not taken. Who takes no direct messages sees at least that it was not. */
async function tellOrMark(
  door: Door,
  { userId, ...place }: Place & { readonly userId: string },
  lines: readonly Text[],
): Promise<void> {
  if (!(await sendPrivately(door, userId, drawLines(lines)))) await mark(door, place, "🚫");
}

/** Whose id is not known. */
const nobody = "";

async function memberIn({ member, author }: Partial<Raw>, { userId }: WrittenReply) {
  const groups = (member?.roles ?? []).map((role) => `@${role}`);
  const names = [member?.nick, author?.global_name, author?.username, userId === nobody ? "somebody" : null];
  return personOf(userId, { names, isActive: true, groups, membership: "member" });
}

async function mark(door: Door, place: Place, emoji: string): Promise<void> {
  const route = Routes.channelMessageOwnReaction(place.channel_id, place.id, encodeURIComponent(emoji));
  await door.rest.put(route).catch((error: unknown) => {
    door.log("warn", "discord.reaction-failed", { error: errorWord(error) });
  });
}

/** Tells one person in a direct message: only interactions can be answered privately where they happened. False: they could not be told. */
async function sendPrivately(door: Door, userId: string, body: object): Promise<boolean> {
  try {
    // The answer of this route is a channel.
    const channel = (await door.rest.post(Routes.userChannels(), { body: { recipient_id: userId } })) as { id: string };
    await door.rest.post(Routes.channelMessages(channel.id), { body });
    return true;
  } catch (error) {
    door.log("warn", "discord.private-failed", { error: errorWord(error) });
    return false;
  }
}
