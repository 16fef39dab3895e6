import { type APIChannel, type APIGuild, type REST, Routes } from "discord.js";
import type { Membership } from "../../core/checkpoints/approvers.ts";
import { type MemberPermissionFacts, seesChannel } from "./permissions.ts";
import type { DiscordSettings } from "./settings.ts";

/** Who sees the channel where cards are posted. */
export interface ChannelView {
  /** Never rejects: what Discord does not say in time is `unknown`. */
  membershipOf(member: MemberPermissionFacts["member"]): Promise<Membership>;
}

/** Roles and permissions of the channel are kept so long. */
const keptMs = 60_000;

type Place = Pick<MemberPermissionFacts, "roles" | "channel">;

/** Asks Discord at most `longestWaitMs` for the channel, whose roles are kept for a minute. */
export function openChannelView(
  rest: REST,
  { guildId, channelId }: Pick<DiscordSettings, "guildId" | "channelId">,
  longestWaitMs: number,
): ChannelView {
  let kept: { readonly at: number; readonly place: Promise<Place> } | null = null;

  async function read(): Promise<Place> {
    const [guild, channel] = await Promise.all([rest.get(Routes.guild(guildId)), rest.get(Routes.channel(channelId))]);
    // The answers of these routes are a server and a channel.
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
