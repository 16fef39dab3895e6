import { RESTJSONErrorCodes as Codes, Routes } from "discord.js";
import { isOfOnePlace, readEach, type ReadRest } from "../read-each.ts";
import { addressOf, partsOf, snowflakeAt } from "./addresses.ts";
import type { Door } from "./door.ts";
import { messagesSince } from "./messages.ts";
import type { Replies } from "./replies.ts";
import { codeOf, errorWord, troubleOf } from "./rest.ts";

/** Replies that were written, edited and deleted while nobody listened. */

interface MissedSince {
  readonly replies: Pick<Replies, "fetched" | "learn">;
  readonly lookBackMs: number;
  readonly stopping: AbortSignal;
}

/**
 * Reads the channel, those that were left, and each thread. Returns what reads those at which Discord failed. Throws what Discord's client
 * throws, but for what it says of one of them alone.
 */
export async function fetchSince(door: Door, looking: MissedSince): Promise<ReadRest | null> {
  const home = door.settings.channelId;
  const addresses = await door.inbox.openThreads();
  for (const address of addresses) looking.replies.learn(address);
  // What was read from replies that somebody deleted meanwhile is taken back.
  const messages = await door.inbox.messagesRead();
  const since = new Date(Date.now() - looking.lookBackMs);
  const there = new Set<string>();
  const readChannel = async (channel: string): Promise<void> => {
    const found = await fetchChannel(door, looking.replies, { channel, since });
    if (channel === home) for (const id of found) there.add(id);
  };
  const readThread = async (address: string): Promise<void> => {
    const { channel, id } = partsOf(address);
    await fetchChannel(door, looking.replies, { channel: id, since });
    if (!there.has(id) && (await isGone(door.rest, channel, id))) await door.inbox.deleted(address);
  };
  const places = [
    ...[home, ...leftChannels(addresses, home)].map((name) => ({ name, read: () => readChannel(name) })),
    ...addresses.map((name) => ({ name, read: () => readThread(name) })),
    ...messages.map((name) => ({ name, read: () => withdrawIfGone(door, name) })),
  ];
  return await readEach(places, {
    isOfPlace: (error) => isOfOnePlace(error, troubleOf),
    onFailing(place, error) {
      door.log("warn", "discord.place-not-read", { place, error: errorWord(error) });
    },
    stopping: looking.stopping,
  });
}

/** The ids of what lies there. */
async function fetchChannel(
  door: Door,
  replies: MissedSince["replies"],
  { channel, since }: { readonly channel: string; readonly since: Date },
): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  try {
    for await (const page of messagesSince(door.rest, channel, snowflakeAt(since))) {
      for (const raw of [...page].reverse()) {
        there.add(raw.id);
        await replies.fetched(raw);
      }
    }
  } catch (error) {
    if (channel === door.settings.channelId || !(await passOver(door, channel, error))) throw error;
  }
  return there;
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

async function withdrawIfGone(door: Door, message: string): Promise<void> {
  const { channel, id } = partsOf(message);
  // Earlier versions kept it without its channel.
  if (id !== "" && (await isGone(door.rest, channel, id))) await door.inbox.withdrawn(message);
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
