import type { webApi } from "@slack/bolt";
import type { Profile } from "../people.ts";

/** What Slack says of somebody; null when it knows nobody of that id. Rejects with what the client rejects with. */
export async function lookUpPerson(client: webApi.WebClient, userId: string): Promise<Profile | null> {
  const { user } = await client.users.info({ user: userId });
  if (user === undefined) return null;
  const names = [user.profile?.display_name, user.real_name, user.name];
  return { names, isActive: user.deleted !== true, groups: [] };
}
