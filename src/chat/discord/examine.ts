import {
  type APIApplication,
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type APIRole,
  ChannelType,
  type REST,
  Routes,
} from "discord.js";
import type { Finding } from "../../core/reports/finding.ts";
import type { SettingName } from "../../core/settings.ts";
import { hasMessageContent, inviteLink, missingPermissions, notifies } from "./permissions.ts";
import type { Account } from "../people.ts";
import { findMember } from "./people.ts";
import { adviceFor, errorWord, intentAdvice, missingIntent, openRest } from "./rest.ts";
import type { DiscordSettings } from "./settings.ts";

/** What `cos doctor` says of Discord: token, invite link, intent, server, channel, approvers; one line each, with what to do. */
export async function examineDiscord(settings: DiscordSettings, approvers: readonly string[]): Promise<Finding[]> {
  const rest = openRest(settings, { waits: true });
  const bot = await examineBot(rest, settings);
  if (bot.id === null) return bot.findings;
  return [
    ...bot.findings,
    ...(await examinePlace(rest, settings, bot.id)),
    ...(await examineApprovers(rest, { ...settings, botId: bot.id }, approvers)),
  ];
}

/** The same of one setting, as soon as it is given; empty where nothing can be said of it yet. */
export async function tryDiscord(
  settings: DiscordSettings,
  name: SettingName,
  approvers: readonly string[],
): Promise<Finding[]> {
  const rest = openRest(settings, { waits: true });
  if (name === "DISCORD_TOKEN") return (await examineBot(rest, settings)).findings;
  if (settings.guildId === "") return [];
  const bot = await examineBot(rest, settings);
  if (bot.id === null) return bot.findings;
  if (name === "COS_APPROVERS") return await examineApprovers(rest, { ...settings, botId: bot.id }, approvers);
  if (name === "DISCORD_GUILD_ID") return [(await examineServer(rest, settings, bot.id)).finding];
  if (name !== "DISCORD_CHANNEL_ID" || settings.channelId === "") return [];
  return (await examinePlace(rest, settings, bot.id)).filter((each) => each.name !== serverName || !each.ok);
}

interface ExaminedBot {
  /** Null: the token was refused. */
  readonly id: string | null;
  readonly findings: Finding[];
}

async function examineBot(rest: REST, { guildId }: DiscordSettings): Promise<ExaminedBot> {
  const application = await ask<APIApplication>(() => rest.get(Routes.currentApplication()));
  if (application.type === "failed") return { id: null, findings: [failed("discord token", application.error)] };
  const { id, name, flags } = application.value;
  const invite = { name: "discord invite", ok: true, says: inviteLink(id, guildId) };
  return { id, findings: [{ name: "discord token", ok: true, says: name }, invite, examineIntent(flags)] };
}

type Asked<Value> =
  | { readonly type: "answered"; readonly value: Value }
  | { readonly type: "failed"; readonly error: unknown };

async function ask<Value>(call: () => Promise<unknown>): Promise<Asked<Value>> {
  try {
    // Each route's answer is of the type that its caller names.
    return { type: "answered", value: (await call()) as Value };
  } catch (error) {
    return { type: "failed", error };
  }
}

function examineIntent(flags: number): Finding {
  const isOn = hasMessageContent(flags);
  const says = isOn ? "Message Content is on" : `${missingIntent}: ${intentAdvice}`;
  return { name: "discord intents", ok: isOn, says };
}

const serverName = "discord server";

/** `guild`: null where the bot is not in it. */
async function examineServer(
  rest: REST,
  { guildId }: DiscordSettings,
  botId: string,
): Promise<{ readonly guild: APIGuild | null; readonly finding: Finding }> {
  const guild = await ask<APIGuild>(() => rest.get(Routes.guild(guildId)));
  if (guild.type === "answered")
    return { guild: guild.value, finding: { name: serverName, ok: true, says: `in ${guild.value.name}` } };
  const link = inviteLink(botId, guildId);
  const says = `${errorWord(guild.error)}: check DISCORD_GUILD_ID, and let the bot in with ${link}`;
  return { guild: null, finding: { name: serverName, ok: false, says } };
}

/** The server, the channel and what the bot may do there. */
async function examinePlace(rest: REST, settings: DiscordSettings, botId: string): Promise<Finding[]> {
  const { guildId, channelId } = settings;
  const { guild, finding: server } = await examineServer(rest, settings, botId);
  if (guild === null) return [server];
  const channel = await ask<APIChannel>(() => rest.get(Routes.channel(channelId)));
  if (channel.type === "failed") return [server, failed("discord channel", channel.error)];
  const member = await ask<APIGuildMember>(() => rest.get(Routes.guildMember(guildId, botId)));
  if (member.type === "failed") return [server, failed("discord permissions", member.error)];
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

async function examineApprovers(rest: REST, settings: Place, approvers: readonly string[]): Promise<Finding[]> {
  const mine = approvers.filter((each) => each.startsWith("discord:")).map((each) => each.slice("discord:".length));
  if (mine.length === 0) {
    const says = "nobody may decide in Discord: set COS_APPROVERS=discord:<your user id> (Copy User ID)";
    return [{ name: "discord approvers", ok: false, says }];
  }
  const { guildId } = settings;
  const roles = mine.some((id) => id.startsWith("@")) ? await rolesOf(rest, settings) : null;
  const found: Finding[] = [];
  for (const id of mine)
    found.push(roles !== null && id.startsWith("@") ? examineRole(id, roles) : await examinePerson(rest, guildId, id));
  return found;
}

interface Place extends Pick<DiscordSettings, "guildId" | "channelId"> {
  readonly botId: string;
}

interface Roles {
  readonly guildId: string;
  readonly all: readonly APIRole[];
  /** How many members carry each; null where Discord does not say. */
  readonly carried: Readonly<Record<string, number>> | null;
  /** Whether naming one in the channel notifies who carries it; it does where Discord does not say. */
  readonly notifies: (role: APIRole) => boolean;
}

async function rolesOf(rest: REST, { guildId, channelId, botId }: Place): Promise<Roles> {
  const guild = await ask<APIGuild>(() => rest.get(Routes.guild(guildId)));
  const counts = await ask<Record<string, number>>(() => rest.get(Routes.guildRoleMemberCounts(guildId)));
  const channel = await ask<APIChannel>(() => rest.get(Routes.channel(channelId)));
  const bot = await ask<APIGuildMember>(() => rest.get(Routes.guildMember(guildId, botId)));
  const all = guild.type === "answered" ? guild.value.roles : [];
  return {
    guildId,
    all,
    carried: counts.type === "answered" ? counts.value : null,
    notifies(role) {
      if (channel.type === "failed" || bot.type === "failed") return true;
      const member = { roles: bot.value.roles, userId: botId };
      return notifies({ guildId, roles: all, member, channel: channel.value }, role);
    },
  };
}

const unnotifiedAdvice =
  "but a question that mentions the role notifies nobody: switch on *Allow anyone to @mention this role* (Server Settings, Roles), or let the bot *Mention @everyone, @here, and All Roles*";

function examineRole(id: string, { guildId, all, carried, notifies: doesNotify }: Roles): Finding {
  const name = `discord approver ${id}`;
  const role = all.find((each) => `@${each.id}` === id);
  if (role === undefined)
    return {
      name,
      ok: false,
      says: "no such role in the server: check this id in COS_APPROVERS (the role, Copy Role ID)",
    };
  // Discord lists @everyone among no member's roles, and a bot's own role is that bot's alone.
  if (role.id === guildId || role.tags?.bot_id !== undefined)
    return { name, ok: false, says: "no person carries that role, and nobody may decide by it: name another role" };
  if (carried !== null && (carried[role.id] ?? 0) === 0)
    return { name, ok: false, says: `nobody carries @${role.name}, and nobody may decide by it: give it to somebody` };
  if (!doesNotify(role)) return { name, ok: false, says: `everybody with @${role.name}; ${unnotifiedAdvice}` };
  return { name, ok: true, says: `everybody with @${role.name}` };
}

async function examinePerson(rest: REST, guildId: string, id: string): Promise<Finding> {
  const name = `discord approver ${id}`;
  const asked = await ask<Account>(() => findMember(rest, guildId, id));
  if (asked.type === "failed") return failed(name, asked.error);
  const account = asked.value;
  if (!account.isActive)
    return {
      name,
      ok: false,
      says: "no member of the server, and may not decide: check this id in COS_APPROVERS (Copy User ID)",
    };
  return { name, ok: true, says: `@${account.names.find((each) => each != null && each !== "") ?? id}` };
}

function failed(name: string, error: unknown): Finding {
  const word = errorWord(error);
  const advice = adviceFor(error);
  return { name, ok: false, says: advice === null ? word : `${word}: ${advice}` };
}
