import { type APIGuildMember, type REST, RESTJSONErrorCodes as Codes, Routes } from "discord.js";
import type { Profile } from "../people.ts";
import type { ChannelView } from "./channel-view.ts";
import { codeOf } from "./rest.ts";

/** Whether somebody is in the server; who has left it may decide nothing there. Rejects with what the client rejects with. */
export async function isInServer(rest: REST, guildId: string, userId: string): Promise<boolean> {
  try {
    await rest.get(Routes.guildMember(guildId, userId));
    return true;
  } catch (error) {
    if (codeOf(error) !== Codes.UnknownMember && codeOf(error) !== Codes.UnknownUser) throw error;
    return false;
  }
}

/**
 * What Discord says of a member of the server, and whether they see the channel; who has left the server is nobody who may
 * decide. Rejects with what the client rejects with.
 */
export async function lookUpMember(rest: REST, guildId: string, userId: string, view: ChannelView): Promise<Profile> {
  try {
    // The answer of this route is a member.
    const { nick, user, roles } = (await rest.get(Routes.guildMember(guildId, userId))) as APIGuildMember;
    const groups = roles.map((role) => `@${role}`);
    const membership = await view.membershipOf({ userId, roles });
    return { names: [nick, user.global_name, user.username], isActive: true, groups, membership };
  } catch (error) {
    if (codeOf(error) !== Codes.UnknownMember && codeOf(error) !== Codes.UnknownUser) throw error;
    return { names: [], isActive: false, groups: [], membership: "outside" };
  }
}
