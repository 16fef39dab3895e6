import type { webApi } from "@slack/bolt";
import type { Membership } from "../../core/checkpoints/approvers.ts";
import type { Profile } from "../people.ts";
import type { OurChannel } from "./channel.ts";

/** What is looked up of somebody besides their profile. */
export interface LookedUp {
  /** User groups that settings name. */
  readonly groups: readonly string[];
  readonly channel: OurChannel;
}

/**
 * What Slack says of somebody, in which of the user groups they are, and whether they are in the channel; null when it knows
 * nobody of that id. Rejects with what the client rejects with; a group that cannot be looked up has no members (`cos doctor`
 * says why).
 */
export async function lookUpPerson(
  client: webApi.WebClient,
  userId: string,
  { groups, channel }: LookedUp,
): Promise<Profile | null> {
  const [{ user }, isMember, ...memberships] = await Promise.all([
    client.users.info({ user: userId }),
    channel.includes(userId).catch(() => null),
    ...groups.map(async (group) => {
      const users = await membersOf(client, group).catch((): readonly string[] => []);
      return users.includes(userId) ? [group] : [];
    }),
  ]);
  if (user === undefined) return null;
  const names = [user.profile?.display_name, user.real_name, user.name];
  const membership = membershipOf(user, isMember);
  return { names, isActive: user.deleted !== true, groups: memberships.flat(), membership };
}

/** Whether an account is active; who has been deactivated may decide nothing. Rejects with what the client rejects with. */
export async function isActive(client: webApi.WebClient, userId: string): Promise<boolean> {
  return (await client.users.info({ user: userId })).user?.deleted !== true;
}

/** Guests of a workspace, and people of another one whom a shared channel lets in, are guests (D43). */
function membershipOf(
  user: { readonly is_restricted?: boolean; readonly is_ultra_restricted?: boolean; readonly is_stranger?: boolean },
  isMember: boolean | null,
): Membership {
  if (user.is_restricted === true || user.is_ultra_restricted === true || user.is_stranger === true) return "guest";
  if (isMember === null) return "unknown";
  return isMember ? "member" : "outside";
}

/** Who is in a user group. Rejects with what the client rejects with. */
export async function membersOf(client: webApi.WebClient, group: string): Promise<readonly string[]> {
  const { users } = await client.usergroups.users.list({ usergroup: group });
  return users ?? [];
}
