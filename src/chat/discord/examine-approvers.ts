import { type APIChannel, type APIGuild, type APIGuildMember, type APIRole, type REST, Routes } from "discord.js";
import type { Finding } from "../../core/reports/finding.ts";
import type { ChatAccount } from "../people.ts";
import { askDiscord, askFailure } from "./ask.ts";
import { findMember } from "./people.ts";
import { notifies } from "./permissions.ts";
import type { DiscordSettings } from "./settings.ts";

/** The people who may decide, and those that questions and reminders mention, in the notation of COS_APPROVERS. */
export interface NamedPeople {
  readonly approvers: readonly string[];
  readonly mentioned: readonly string[];
}

/** Returns the lines of `cos doctor` about approvers and mentioned roles, one for each. */
export async function examineApprovers(
  rest: REST,
  settings: Place,
  { approvers, mentioned }: NamedPeople,
): Promise<Finding[]> {
  const mine = idsOf(approvers);
  if (mine.length === 0) {
    const says = "nobody may decide in Discord: set COS_APPROVERS=discord:<your user id> (Copy User ID)";
    return [{ name: "discord approvers", ok: false, says }];
  }
  const { guildId } = settings;
  const asked = idsOf(mentioned).filter(isRole);
  const roles = [...mine, ...asked].some(isRole) ? await rolesOf(rest, settings) : null;
  const found: Finding[] = [];
  for (const id of mine)
    found.push(
      roles !== null && isRole(id)
        ? examineRole(id, { ...roles, isMentioned: asked.includes(id) })
        : await examinePerson(rest, guildId, id),
    );
  const others =
    roles === null ? [] : asked.filter((id) => !mine.includes(id)).map((id) => examineMentioned(id, roles));
  return [...found, ...others];
}

function idsOf(accounts: readonly string[]): string[] {
  return accounts.filter((each) => each.startsWith("discord:")).map((each) => each.slice("discord:".length));
}

function isRole(id: string): boolean {
  return id.startsWith("@");
}

interface Place extends Pick<DiscordSettings, "guildId" | "channelId"> {
  readonly botId: string;
}

interface Roles {
  readonly guildId: string;
  readonly all: readonly APIRole[];
  /** Number of members with each role; null when Discord does not say. */
  readonly carried: Readonly<Record<string, number>> | null;
  /** True when a mention of the role in the channel notifies its members; also true when Discord does not say. */
  readonly notifies: (role: APIRole) => boolean;
}

async function rolesOf(rest: REST, { guildId, channelId, botId }: Place): Promise<Roles> {
  const guild = await askDiscord<APIGuild>(() => rest.get(Routes.guild(guildId)));
  const counts = await askDiscord<Record<string, number>>(() => rest.get(Routes.guildRoleMemberCounts(guildId)));
  const channel = await askDiscord<APIChannel>(() => rest.get(Routes.channel(channelId)));
  const bot = await askDiscord<APIGuildMember>(() => rest.get(Routes.guildMember(guildId, botId)));
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

function examineRole(
  id: string,
  { guildId, all, carried, notifies: doesNotify, isMentioned }: Roles & { readonly isMentioned: boolean },
): Finding {
  const name = `discord approver ${id}`;
  const role = all.find((each) => `@${each.id}` === id);
  if (role === undefined)
    return {
      name,
      ok: false,
      says: "no such role in the server: check this id in COS_APPROVERS (the role, Copy Role ID)",
    };
  // No member's role list contains @everyone, and a bot's own role belongs to that bot alone.
  if (role.id === guildId || role.tags?.bot_id !== undefined)
    return { name, ok: false, says: "no person carries that role, and nobody may decide by it: name another role" };
  if (carried !== null && (carried[role.id] ?? 0) === 0)
    return { name, ok: false, says: `nobody carries @${role.name}, and nobody may decide by it: give it to somebody` };
  const who = `everybody with @${role.name}`;
  if (isMentioned && !doesNotify(role)) return { name, ok: false, says: `${who}; ${unnotifiedAdvice}` };
  return { name, ok: true, says: who };
}

/** Examines a role that is mentioned but is not an approver. */
function examineMentioned(id: string, { all, notifies: doesNotify }: Roles): Finding {
  const name = `discord mention ${id}`;
  const role = all.find((each) => `@${each.id}` === id);
  if (role === undefined)
    return { name, ok: false, says: "no such role in the server: check this id in COS_ON_DUTY and COS_SECOND" };
  if (!doesNotify(role)) return { name, ok: false, says: `@${role.name}; ${unnotifiedAdvice}` };
  return { name, ok: true, says: `@${role.name}` };
}

async function examinePerson(rest: REST, guildId: string, id: string): Promise<Finding> {
  const name = `discord approver ${id}`;
  const asked = await askDiscord<ChatAccount>(() => findMember(rest, guildId, id));
  if (asked.type === "failed") return askFailure(name, asked.error);
  const account = asked.value;
  if (!account.isActive)
    return {
      name,
      ok: false,
      says: "no member of the server, and may not decide: check this id in COS_APPROVERS (Copy User ID)",
    };
  return { name, ok: true, says: `@${account.names.find((each) => each != null && each !== "") ?? id}` };
}
