import type { webApi } from "@slack/bolt";
import type { Membership } from "../../core/checkpoints/approvers.ts";
import type { Account, LookUp } from "../people.ts";
import { adviceFor, errorWord } from "./clients.ts";
import type { OurChannel } from "./channel.ts";

/**
 * What Slack says of somebody, in which user groups they are, and whether they are in the channel. A group that only a person can
 * mend has no members (`cos doctor` says why).
 */
export function lookUpPerson(client: webApi.WebClient, userId: string, channel: OurChannel): LookUp {
  const user = client.users.info({ user: userId }).then((answered) => answered.user);
  const isMember = channel.includes(userId).catch(() => null);
  return {
    account: user.then((found) => (found === undefined ? null : accountOf(found))),
    isIn: async (group) => {
      const users = await membersOf(client, group).catch((error: unknown): readonly string[] => {
        if (adviceFor(errorWord(error)) === null) throw error;
        return [];
      });
      return users.includes(userId);
    },
    membership: Promise.all([user, isMember]).then(([found, isIn]) =>
      found === undefined ? "unknown" : membershipOf(found, isIn),
    ),
  };
}

type User = NonNullable<webApi.UsersInfoResponse["user"]>;

function accountOf({ profile, real_name: realName, name, deleted }: User): Account {
  return { names: [profile?.display_name, realName, name], isActive: deleted !== true };
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
