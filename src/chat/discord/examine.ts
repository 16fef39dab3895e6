import {
  type APIApplication,
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  ChannelType,
  type REST,
  Routes,
} from "discord.js";
import type { Finding } from "../../core/reports/finding.ts";
import type { SettingName } from "../../core/settings.ts";
import { hasMessageContent, inviteLink, missingPermissions } from "./permissions.ts";
import { askDiscord, askFailure } from "./ask.ts";
import { type NamedPeople, examineApprovers } from "./examine-approvers.ts";
import { errorWord, intentAdvice, missingIntent, openDiscordRest } from "./rest.ts";
import type { DiscordSettings } from "./settings.ts";

/**
 * Returns the lines of `cos doctor` about Discord (token, invite link, intent, server, channel, approvers), each with what to do.
 * `mentioned`: who is mentioned in questions and reminders, if not the approvers.
 */
export async function examineDiscord(
  settings: DiscordSettings,
  approvers: readonly string[],
  mentioned: readonly string[] = approvers,
): Promise<Finding[]> {
  const rest = openDiscordRest(settings, { waits: true });
  const bot = await examineBot(rest, settings);
  if (bot.id === null) return bot.findings;
  return [
    ...bot.findings,
    ...(await examinePlace(rest, settings, bot.id)),
    ...(await examineApprovers(rest, { ...settings, botId: bot.id }, { approvers, mentioned })),
  ];
}

/** Checks one Discord setting as soon as it is given. Empty when nothing can be checked yet. */
export async function tryDiscord(
  settings: DiscordSettings,
  name: SettingName,
  people: NamedPeople,
): Promise<Finding[]> {
  const rest = openDiscordRest(settings, { waits: true });
  if (name === "DISCORD_TOKEN") return (await examineBot(rest, settings)).findings;
  if (settings.guildId === "") return [];
  const bot = await examineBot(rest, settings);
  if (bot.id === null) return bot.findings;
  if (name === "COS_APPROVERS") return await examineApprovers(rest, { ...settings, botId: bot.id }, people);
  if (name === "DISCORD_GUILD_ID") return [(await examineServer(rest, settings, bot.id)).finding];
  if (name !== "DISCORD_CHANNEL_ID" || settings.channelId === "") return [];
  return (await examinePlace(rest, settings, bot.id)).filter((each) => each.name !== serverName || !each.ok);
}

interface ExaminedBot {
  /** Null when the token was refused. */
  readonly id: string | null;
  readonly findings: Finding[];
}

async function examineBot(rest: REST, { guildId }: DiscordSettings): Promise<ExaminedBot> {
  const application = await askDiscord<APIApplication>(() => rest.get(Routes.currentApplication()));
  if (application.type === "failed") return { id: null, findings: [askFailure("discord token", application.error)] };
  const { id, name, flags } = application.value;
  const invite = { name: "discord invite", ok: true, says: inviteLink(id, guildId) };
  return { id, findings: [{ name: "discord token", ok: true, says: name }, invite, examineIntent(flags)] };
}

function examineIntent(flags: number): Finding {
  const isOn = hasMessageContent(flags);
  const says = isOn ? "Message Content is on" : `${missingIntent}: ${intentAdvice}`;
  return { name: "discord intents", ok: isOn, says };
}

const serverName = "discord server";

/** Examines the server; `guild` is null when the bot is not in it. */
async function examineServer(
  rest: REST,
  { guildId }: DiscordSettings,
  botId: string,
): Promise<{ readonly guild: APIGuild | null; readonly finding: Finding }> {
  const guild = await askDiscord<APIGuild>(() => rest.get(Routes.guild(guildId)));
  if (guild.type === "answered")
    return { guild: guild.value, finding: { name: serverName, ok: true, says: `in ${guild.value.name}` } };
  const link = inviteLink(botId, guildId);
  const says = `${errorWord(guild.error)}: check DISCORD_GUILD_ID, and let the bot in with ${link}`;
  return { guild: null, finding: { name: serverName, ok: false, says } };
}

/** Examines the server, the channel and the bot's permissions in it. */
async function examinePlace(rest: REST, settings: DiscordSettings, botId: string): Promise<Finding[]> {
  const { guildId, channelId } = settings;
  const { guild, finding: server } = await examineServer(rest, settings, botId);
  if (guild === null) return [server];
  const channel = await askDiscord<APIChannel>(() => rest.get(Routes.channel(channelId)));
  if (channel.type === "failed") return [server, askFailure("discord channel", channel.error)];
  const member = await askDiscord<APIGuildMember>(() => rest.get(Routes.guildMember(guildId, botId)));
  if (member.type === "failed") return [server, askFailure("discord permissions", member.error)];
  const missing = missingPermissions({
    guildId,
    roles: guild.roles,
    member: { roles: member.value.roles, userId: botId },
    channel: channel.value,
  });
  const link = inviteLink(botId, guildId);
  return [server, examineChannel(channel.value, guildId), permissionsFinding(missing, link)];
}

function examineChannel(channel: APIChannel, guildId: string): Finding {
  const name = "discord channel";
  if (channel.type !== ChannelType.GuildText && channel.type !== ChannelType.GuildAnnouncement)
    return { name, ok: false, says: "not a text channel: choose another in DISCORD_CHANNEL_ID" };
  if (channel.guild_id !== guildId)
    return {
      name,
      ok: false,
      says: `#${channel.name} is of another server: check DISCORD_CHANNEL_ID and DISCORD_GUILD_ID`,
    };
  return { name, ok: true, says: `#${channel.name}` };
}

function permissionsFinding(missing: readonly string[], link: string): Finding {
  const says =
    missing.length === 0
      ? "all granted"
      : `missing ${missing.join(", ")}: use ${link}, then look at the permissions of the channel`;
  return { name: "discord permissions", ok: missing.length === 0, says };
}
