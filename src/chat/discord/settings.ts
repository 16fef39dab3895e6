import type { SettingsReader } from "../settings-reader.ts";

/** How to reach Discord; checked by the configuration. */
export interface DiscordSettings {
  readonly token: string;
  /** The server. */
  readonly guildId: string;
  /** The channel where cards are posted. */
  readonly channelId: string;
  /** Another API root, such as a test server's; null for Discord's own. */
  readonly apiUrl: string | null;
}

const snowflake = /^\d{15,22}$/;

/** Reads Discord's settings; null without a token. With a token, the server and channel are required: half a configuration is an error. */
export function readDiscordSettings({ value, problem, url }: SettingsReader): DiscordSettings | null {
  const token = value("DISCORD_TOKEN");
  const guildId = value("DISCORD_GUILD_ID") ?? "";
  const channelId = value("DISCORD_CHANNEL_ID") ?? "";
  const apiUrl = url("DISCORD_API_URL", ["http:", "https:"]);
  if (token === null) return null;

  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token))
    problem("DISCORD_TOKEN", "the bot's token: three parts with points between them (Bot, Reset Token)");
  if (!snowflake.test(guildId)) problem("DISCORD_GUILD_ID", "the server's id: 17 to 20 digits (Copy Server ID)");
  if (!snowflake.test(channelId)) problem("DISCORD_CHANNEL_ID", "the channel's id: 17 to 20 digits (Copy Channel ID)");
  return { token, guildId, channelId, apiUrl: apiUrl === null ? null : apiUrl.replace(/\/$/, "") };
}
