import {
  type APIMessage,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteDispatchData,
  type GatewayMessageUpdateDispatchData,
  MessageType,
  RESTJSONErrorCodes as Codes,
  Routes,
} from "discord.js";
import { wordless } from "../../core/replies/wordless.ts";
import type { ReplyTold, ThreadReply } from "../inbox.ts";
import { hearDeleted } from "../record-soon.ts";
import { personOf, type People } from "../people.ts";
import { takeReply, type Written } from "../replies.ts";
import { addressOf, momentOf, partsOf, snowflakeAt } from "./addresses.ts";
import type { Door } from "./door.ts";
import { drawLines } from "./draw.ts";
import { messagesSince } from "./messages.ts";
import { codeOf, errorWord } from "./rest.ts";
import { openRoots, type Roots } from "./roots.ts";

/** Replies in threads and to messages, also those that were written while we were away. */

/** What Discord sends of a message, as far as it matters here. */
type Raw = Pick<
  APIMessage,
  "id" | "channel_id" | "author" | "content" | "type" | "edited_timestamp" | "message_reference"
> &
  Pick<GatewayMessageCreateDispatchData, "member">;

export interface Replies {
  said(message: GatewayMessageCreateDispatchData): Promise<void>;
  edited(message: GatewayMessageUpdateDispatchData): Promise<void>;
  deleted(message: Pick<GatewayMessageDeleteDispatchData, "id" | "channel_id">): Promise<void>;
  /** With all that lay in it. */
  threadDeleted(id: string): Promise<void>;
  /** What was written and deleted while nobody listened. Throws what Discord's client throws. */
  fetchSince(since: Date): Promise<void>;
}

const mostRemembered = 500;

/** Hears what people write, edit and delete in threads below our messages; of bots, and elsewhere, nothing is heard. */
export function openReplies(door: Door): Replies {
  const home = door.settings.channelId;
  const heard = openHeard();
  const roots = openRoots(door);

  async function take(raw: Raw, change: "said" | "edited"): Promise<ReplyTold | null> {
    const isOfPeople = raw.author.bot !== true && [MessageType.Default, MessageType.Reply].includes(raw.type);
    const threadAddress = isOfPeople ? await roots.rootOf(raw) : null;
    if (threadAddress === null) return null;
    const about = change === "said" ? "said" : `edited:${raw.edited_timestamp ?? ""}`;
    const reply: ThreadReply = {
      eventId: `discord:message:${raw.channel_id}:${raw.id}:${about}`,
      threadAddress,
      message: addressOf(raw.channel_id, raw.id),
      text: raw.content.trim() === "" ? wordless : raw.content,
      change,
      at: momentOf(raw.id),
    };
    const told = await hand(door, raw, { userId: raw.author.id, reply });
    if (told !== null) heard.keep(raw.id, { userId: raw.author.id, reply });
    return told;
  }

  return {
    async said(message) {
      await take(message, "said");
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
    async fetchSince(since) {
      const addresses = await door.inbox.openThreads();
      for (const address of addresses) roots.learn(address);
      const there = await fetchChannel(home, since);
      for (const channel of leftChannels(addresses, home)) await fetchChannel(channel, since);
      for (const address of addresses) {
        const { channel, id } = partsOf(address);
        await fetchChannel(id, since);
        if (!there.has(id) && (await isGone(door.rest, channel, id))) await door.inbox.deleted(address);
      }
      await withdrawGone(door);
    },
  };

  /** The ids of what lies there. */
  async function fetchChannel(channel: string, since: Date): Promise<ReadonlySet<string>> {
    const there = new Set<string>();
    try {
      for await (const page of messagesSince(door.rest, channel, snowflakeAt(since))) {
        for (const raw of [...page].reverse()) {
          there.add(raw.id);
          const told = await take(raw, "said");
          if (told?.type === "repeated" && raw.edited_timestamp !== null) await take(raw, "edited");
        }
      }
    } catch (error) {
      if (channel === home || !(await passOver(door, channel, error))) throw error;
    }
    return there;
  }
}

/** What was posted before the channel was changed lies elsewhere, and is replied to there; threads are fetched by themselves. */
function leftChannels(addresses: readonly string[], home: string): ReadonlySet<string> {
  const parts = addresses.map((address) => partsOf(address));
  const threads = new Set(parts.map(({ id }) => id));
  return new Set(parts.map(({ channel }) => channel).filter((each) => each !== home && !threads.has(each)));
}

/** Under most messages there is no thread, and never was; a channel that was left may be shut. False: it is another trouble. */
async function passOver(door: Door, channel: string, error: unknown): Promise<boolean> {
  const code = codeOf(error);
  if (code === Codes.UnknownChannel) await door.inbox.deletedAll(addressOf(channel, ""));
  return code === Codes.UnknownChannel || code === Codes.MissingAccess || code === Codes.MissingPermissions;
}

/** What was read from replies that somebody deleted while nobody listened is taken back. Throws what the client throws. */
async function withdrawGone(door: Door): Promise<void> {
  for (const message of await door.inbox.messagesRead()) {
    const { channel, id } = partsOf(message);
    // Earlier versions kept it without its channel.
    if (id !== "" && (await isGone(door.rest, channel, id))) await door.inbox.withdrawn(message);
  }
}

/** Whether a message is not there any more. Throws what else the client throws. */
async function isGone(rest: Door["rest"], channel: string, id: string): Promise<boolean> {
  try {
    await rest.get(Routes.channelMessage(channel, id));
    return false;
  } catch (error) {
    if (codeOf(error) === Codes.UnknownMessage || codeOf(error) === Codes.UnknownChannel) return true;
    // Nobody knows what lies in a channel that lets us in no more.
    if (codeOf(error) === Codes.MissingAccess || codeOf(error) === Codes.MissingPermissions) return false;
    throw error;
  }
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
  place: { readonly channel_id: string; readonly id: string } & Partial<Raw>,
  written: Written,
): Promise<ReplyTold | null> {
  const isSaid = place.member !== undefined || written.userId === nobody;
  const people: People = isSaid ? async () => memberIn(place, written) : door.people;
  return await takeReply(
    {
      inbox: door.inbox,
      people,
      times: door.times,
      async say({ userId }, lines) {
        // Who takes no direct messages sees at least that it was not taken.
        if (!(await sendPrivately(door, userId, drawLines(lines)))) await mark(door, place, "🚫");
      },
      mark: (_, became) => mark(door, place, became === "answered" ? "✅" : "👀"),
    },
    written,
  );
}

/** Whose id is not known. */
const nobody = "";

async function memberIn({ member, author }: Partial<Raw>, { userId }: Written) {
  const groups = (member?.roles ?? []).map((role) => `@${role}`);
  const names = [member?.nick, author?.global_name, author?.username, userId === nobody ? "somebody" : null];
  return personOf(userId, { names, isActive: true, groups, membership: "member" });
}

async function mark(
  door: Door,
  place: { readonly channel_id: string; readonly id: string },
  emoji: string,
): Promise<void> {
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
    door.log("warn", "discord.whisper-failed", { error: errorWord(error) });
    return false;
  }
}
