import { RESTJSONErrorCodes as Codes, Routes } from "discord.js";
import { isOfOnePlace, readEach, type ReadRest } from "../read-each.ts";
import { addressOf, partsOf, snowflakeAt } from "./addresses.ts";
import type { Door } from "./door.ts";
import { messagesSince } from "./messages.ts";
import type { Replies } from "./replies.ts";
import { codeOf, errorWord, troubleOf } from "./rest.ts";

/** Fetches replies that were written, edited or deleted while no process was listening. */

interface MissedSince {
  readonly replies: Pick<Replies, "fetched" | "learn">;
  readonly lookBackMs: number;
  readonly stopping: AbortSignal;
}

/**
 * Reads the channel, channels used earlier, and each thread. Returns a function that reads the places at which Discord failed, or null.
 * Throws what Discord's client throws, except for an error that concerns one place alone.
 */
export async function fetchSince(door: Door, looking: MissedSince): Promise<ReadRest | null> {
  const home = door.settings.channelId;
  const addresses = await door.inbox.openThreads();
  for (const address of addresses) looking.replies.learn(address);
  // A reading is withdrawn if somebody deleted its reply in the meantime.
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

/** Reads a channel and returns the ids of its messages. */
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

/**
 * Returns the channels used before the current one: earlier cards are there, and so are their replies. Threads are left out, because they
 * are fetched separately.
 */
function leftChannels(addresses: readonly string[], home: string): ReadonlySet<string> {
  const parts = addresses.map((address) => partsOf(address));
  const threads = new Set(parts.map(({ id }) => id));
  return new Set(parts.map(({ channel }) => channel).filter((each) => each !== home && !threads.has(each)));
}

/**
 * True when an error only means that there is nothing to read: most messages have no thread, and an earlier channel may be closed to us.
 */
async function passOver(door: Door, channel: string, error: unknown): Promise<boolean> {
  const code = codeOf(error);
  if (code === Codes.UnknownChannel) await door.inbox.deletedAll(addressOf(channel, ""));
  return code === Codes.UnknownChannel || code === Codes.MissingAccess || code === Codes.MissingPermissions;
}

async function withdrawIfGone(door: Door, message: string): Promise<void> {
  const { channel, id } = partsOf(message);
  // Earlier versions stored the message id without its channel.
  if (id !== "" && (await isGone(door.rest, channel, id))) await door.inbox.withdrawn(message);
}

/** True when a message no longer exists. Throws all other errors of the client. */
async function isGone(rest: Door["rest"], channel: string, id: string): Promise<boolean> {
  try {
    await rest.get(Routes.channelMessage(channel, id));
    return false;
  } catch (error) {
    if (codeOf(error) === Codes.UnknownMessage || codeOf(error) === Codes.UnknownChannel) return true;
    // The messages in a channel that is closed to us are unknown.
    if (codeOf(error) === Codes.MissingAccess || codeOf(error) === Codes.MissingPermissions) return false;
    throw error;
  }
}
