import { type APIChannel, type APIGuild, type REST, Routes } from "discord.js";
import type { Membership } from "../../core/checkpoints/approvers.ts";
import { type MemberPermissionFacts, seesChannel } from "./permissions.ts";
import type { DiscordSettings } from "./settings.ts";

/** Tells who can see the channel in which cards are posted. */
export interface ChannelView {
  /** Never rejects: returns `unknown` when Discord does not answer in time. */
  membershipOf(member: MemberPermissionFacts["member"]): Promise<Membership>;
}

/** How long the roles and permissions of the channel are cached. */
const keptMs = 60_000;

type Place = Pick<MemberPermissionFacts, "roles" | "channel">;

/** Opens the view of the channel. A lookup waits at most `longestWaitMs` for Discord; the channel and roles are cached for a minute. */
export function openChannelView(
  rest: REST,
  { guildId, channelId }: Pick<DiscordSettings, "guildId" | "channelId">,
  longestWaitMs: number,
): ChannelView {
  let kept: { readonly at: number; readonly place: Promise<Place> } | null = null;

  async function read(): Promise<Place> {
    const [guild, channel] = await Promise.all([rest.get(Routes.guild(guildId)), rest.get(Routes.channel(channelId))]);
    // These routes answer with a server and a channel.
    return { roles: (guild as APIGuild).roles, channel: channel as APIChannel };
  }

  function place(): Promise<Place> {
    if (kept !== null && Date.now() - kept.at <= keptMs) return kept.place;
    const mine = { at: Date.now(), place: read() };
    kept = mine;
    mine.place.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.place;
  }

  return {
    async membershipOf(member) {
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestWaitMs).unref());
      const found = await Promise.race([place().catch(() => null), late]);
      if (found === null) return "unknown";
      return seesChannel({ guildId, member, ...found }) ? "member" : "outside";
    },
  };
}
