import type { webApi } from "@slack/bolt";
import type { Profile } from "../people.ts";

/**
 * What Slack says of somebody, and in which of these user groups they are; null when it knows nobody of that id. Rejects with
 * what the client rejects with; a group that cannot be looked up has no members (`cos doctor` says why).
 */
export async function lookUpPerson(
  client: webApi.WebClient,
  userId: string,
  groups: readonly string[],
): Promise<Profile | null> {
  const [{ user }, ...memberships] = await Promise.all([
    client.users.info({ user: userId }),
    ...groups.map(async (group) => {
      const users = await membersOf(client, group).catch((): readonly string[] => []);
      return users.includes(userId) ? [group] : [];
    }),
  ]);
  if (user === undefined) return null;
  const names = [user.profile?.display_name, user.real_name, user.name];
  return { names, isActive: user.deleted !== true, groups: memberships.flat() };
}

/** Who is in a user group. Rejects with what the client rejects with. */
export async function membersOf(client: webApi.WebClient, group: string): Promise<readonly string[]> {
  const { users } = await client.usergroups.users.list({ usergroup: group });
  return users ?? [];
}
