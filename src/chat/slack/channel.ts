import type { webApi } from "@slack/bolt";
import type { ChannelId } from "../inbox.ts";
import { findChannel, isChannelId } from "./messages.ts";

/** The channel in which cards are posted, and its members. Rejects with what the client rejects with. */
export interface OurChannel {
  /** The channel's id in Slack; the name from the settings when no channel has it. */
  id(): Promise<string>;
  is(channelId: string): Promise<boolean>;
  includes(userId: string): Promise<boolean>;
}

/** How long a cached membership counts; somebody may have left since. */
const keptMs = 60_000;
/** How long a cached absence counts; somebody may have joined since. */
const missingMs = 5_000;
const mostPages = 100;

/** Opens the channel. One call reads the member list for all who ask at the same time, and the list is cached for a minute. */
export function openChannel(client: webApi.WebClient, given: string, channelId: ChannelId): OurChannel {
  let id: string | null = null;
  let kept: { readonly at: number; readonly list: Promise<ReadonlySet<string>> } | null = null;

  /** Resolves the channel's name until it is found once. After that, the channel may be renamed (F-403). */
  async function ourId(): Promise<string> {
    if (id !== null) return id;
    const known = isChannelId(given) ? given : await channelId.known();
    const found = known ?? (await findChannel(client, given));
    if (!isChannelId(found)) return found;
    await channelId.learn(found);
    id = found;
    return found;
  }

  function listNow(): Promise<ReadonlySet<string>> {
    const list = ourId().then((channel) => readMembers(client, channel));
    const mine = { at: Date.now(), list };
    kept = mine;
    list.catch(() => {
      if (kept === mine) kept = null;
    });
    return list;
  }

  return {
    id: ourId,
    is: async (channelId) => (await ourId()) === channelId,
    async includes(userId) {
      const known = kept;
      const ageMs = known === null ? Number.POSITIVE_INFINITY : Date.now() - known.at;
      if (known === null || ageMs > keptMs) return (await listNow()).has(userId);
      if ((await known.list).has(userId)) return true;
      return ageMs > missingMs && (await listNow()).has(userId);
    },
  };
}

async function readMembers(client: webApi.WebClient, channel: string): Promise<ReadonlySet<string>> {
  const members = new Set<string>();
  let cursor = "";
  for (let page = 0; page < mostPages; page += 1) {
    const asked = { channel, limit: 1000, ...(cursor === "" ? {} : { cursor }) };
    const answered = await client.conversations.members(asked);
    for (const each of answered.members ?? []) members.add(each);
    cursor = answered.response_metadata?.next_cursor ?? "";
    if (cursor === "") break;
  }
  return members;
}
