import { type APIGuildMember, type REST, RESTJSONErrorCodes as Codes, Routes } from "discord.js";
import type { ChatAccount, LookUp } from "../people.ts";
import type { ChannelView } from "./channel-view.ts";
import { codeOf } from "./rest.ts";

/** True when somebody is a member of the server; people who left it may decide nothing there. Rejects with what the client rejects with. */
export async function isInServer(rest: REST, guildId: string, userId: string): Promise<boolean> {
  try {
    await rest.get(Routes.guildMember(guildId, userId));
    return true;
  } catch (error) {
    if (codeOf(error) !== Codes.UnknownMember && codeOf(error) !== Codes.UnknownUser) throw error;
    return false;
  }
}

/** An account of the server with its roles. People who left the server are inactive and may not decide. */
interface Found extends ChatAccount {
  readonly roles: string[];
}

/** Looks up a member of the server. Rejects with what the client rejects with. */
export async function findMember(rest: REST, guildId: string, userId: string): Promise<Found> {
  try {
    // This route answers with a member.
    const { nick, user, roles } = (await rest.get(Routes.guildMember(guildId, userId))) as APIGuildMember;
    return { names: [nick, user.global_name, user.username], isActive: true, roles };
  } catch (error) {
    if (codeOf(error) !== Codes.UnknownMember && codeOf(error) !== Codes.UnknownUser) throw error;
    return { names: [], isActive: false, roles: [] };
  }
}

/** Looks up a member of the server, and whether they can see the channel. */
export function lookUpMember(rest: REST, guildId: string, userId: string, view: ChannelView): LookUp {
  const found = findMember(rest, guildId, userId);
  return {
    account: found,
    isIn: async (group) => (await found).roles.some((role) => group === `@${role}`),
    membership: found.then(({ isActive, roles }) => (isActive ? view.membershipOf({ userId, roles }) : "outside")),
  };
}
