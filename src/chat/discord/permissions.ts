import {
  type APIChannel,
  type APIGuildMember,
  type APIRole,
  ApplicationFlags,
  OAuth2Scopes,
  PermissionFlagsBits,
} from "discord.js";

/** Exactly the permissions that the bot uses. The invite link requests them, and `cos doctor` names the missing ones. */
export const usedPermissions = {
  "View Channels": PermissionFlagsBits.ViewChannel,
  "Send Messages": PermissionFlagsBits.SendMessages,
  "Send Messages in Threads": PermissionFlagsBits.SendMessagesInThreads,
  "Create Public Threads": PermissionFlagsBits.CreatePublicThreads,
  "Embed Links": PermissionFlagsBits.EmbedLinks,
  "Attach Files": PermissionFlagsBits.AttachFiles,
  "Read Message History": PermissionFlagsBits.ReadMessageHistory,
  "Add Reactions": PermissionFlagsBits.AddReactions,
} as const;

/** Returns the link with which somebody who manages the server adds the bot. */
export function inviteLink(applicationId: string, guildId: string): string {
  const permissions = Object.values(usedPermissions).reduce((all, each) => all | each, 0n);
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`,
    permissions: permissions.toString(),
    ...(guildId === "" ? {} : { guild_id: guildId }),
  });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
}

/** A member and a channel, as Discord describes them. */
export interface MemberPermissionFacts {
  readonly guildId: string;
  readonly roles: readonly APIRole[];
  readonly member: Pick<APIGuildMember, "roles"> & { readonly userId: string };
  readonly channel: APIChannel;
}

/** True when the intent Message Content is on, by the flags of an application. */
export function hasMessageContent(flags: number): boolean {
  return (flags & (ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited)) !== 0;
}

/** Returns the names of the used permissions that the bot does not have in a channel. */
export function missingPermissions(facts: MemberPermissionFacts): string[] {
  const granted = grantedIn(facts);
  return Object.entries(usedPermissions).flatMap(([name, bit]) => ((granted & bit) === 0n ? [name] : []));
}

/** True when a member can see the channel. */
export function seesChannel(facts: MemberPermissionFacts): boolean {
  return (grantedIn(facts) & PermissionFlagsBits.ViewChannel) !== 0n;
}

/** True when a message of this member that mentions the role notifies the members of the role. */
export function notifies(facts: MemberPermissionFacts, role: Pick<APIRole, "mentionable">): boolean {
  return role.mentionable || (grantedIn(facts) & PermissionFlagsBits.MentionEveryone) !== 0n;
}

/** Returns the permissions of a member in a channel. Source: Discord's documentation of permissions, Permission Overwrites. */
function grantedIn({ guildId, roles, member, channel }: MemberPermissionFacts): bigint {
  const held = roles.filter(({ id }) => id === guildId || member.roles.includes(id));
  let granted = held.reduce((all, role) => all | BigInt(role.permissions), 0n);
  if ((granted & PermissionFlagsBits.Administrator) !== 0n) return ~0n;
  const overwrites = "permission_overwrites" in channel ? (channel.permission_overwrites ?? []) : [];
  const apply = (some: typeof overwrites) => {
    for (const { deny } of some) granted &= ~BigInt(deny);
    for (const { allow } of some) granted |= BigInt(allow);
  };
  apply(overwrites.filter(({ id }) => id === guildId));
  apply(overwrites.filter(({ id }) => id !== guildId && member.roles.includes(id)));
  apply(overwrites.filter(({ id }) => id === member.userId));
  return granted;
}
