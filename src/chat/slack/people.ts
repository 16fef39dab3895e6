import type { webApi } from "@slack/bolt";
import type { Membership } from "../../core/checkpoints/approvers.ts";
import { type ChatAccount, type LookUp, personOf } from "../people.ts";
import type { MakeCall } from "../calls.ts";
import type { OurChannel } from "./channel.ts";
import { adviceFor, errorWord } from "./clients.ts";

/**
 * Looks up a person, their user groups, and whether they are in the channel. A group whose error only a person can fix counts as empty
 * (`cos doctor` reports the error).
 */
export function lookUpPerson(
  client: webApi.WebClient,
  userId: string,
  {
    channel,
    teamIds,
    groups,
  }: { readonly channel: OurChannel; readonly teamIds: readonly string[]; readonly groups: Groups },
): LookUp {
  const user = client.users.info({ user: userId }).then((answered) => answered.user);
  const isMember = channel.includes(userId).catch(() => null);
  return {
    account: user.then((found) => (found === undefined ? null : accountOf(found))),
    isIn: async (group) => {
      const users = await groups.members(group).catch((error: unknown): readonly string[] => {
        if (adviceFor(errorWord(error)) === null) throw error;
        return [];
      });
      return users.includes(userId);
    },
    isLimited: groups.isLimited,
    membership: Promise.all([user, isMember]).then(([found, isIn]) =>
      found === undefined ? "unknown" : membershipOf(found, isIn, teamIds),
    ),
  };
}

/** The members of user groups, requested from Slack when somebody acts (F-406). */
export interface Groups {
  /** Rejects with what the client rejects with. */
  readonly members: (group: string) => Promise<readonly string[]>;
  /** True while a request for the group waits for the end of a rate limit. */
  readonly isLimited: (group: string) => boolean;
}

/**
 * Opens the lookup of user groups. Simultaneous presses share one call, because Slack takes about twenty a minute. A call older than
 * `longestWaitMs` is not shared, unless it waits for the end of a rate limit and is then made anew.
 */
export function openGroups(
  client: webApi.WebClient,
  { patiently, longestWaitMs }: { readonly patiently: MakeCall; readonly longestWaitMs: number },
): Groups {
  interface Asked {
    /** When the call was made; Infinity while it waits for the end of a rate limit. */
    at: number;
    members: Promise<readonly string[]>;
  }
  const underWay = new Map<string, Asked>();

  function ask(group: string): Asked {
    const asked: Asked = { at: performance.now(), members: Promise.resolve([]) };
    asked.members = patiently(async () => {
      asked.at = performance.now();
      return await membersOf(client, group).catch((error: unknown) => {
        asked.at = Number.POSITIVE_INFINITY;
        throw error;
      });
    }).finally(() => {
      if (underWay.get(group) === asked) underWay.delete(group);
    });
    return asked;
  }

  return {
    members(group) {
      const found = underWay.get(group);
      if (found !== undefined && performance.now() - found.at <= longestWaitMs) return found.members;
      const asked = ask(group);
      underWay.set(group, asked);
      return asked.members;
    },
    isLimited: (group) => underWay.get(group)?.at === Number.POSITIVE_INFINITY,
  };
}

type User = NonNullable<webApi.UsersInfoResponse["user"]> & { readonly is_stranger?: boolean };

/** Returns a person's name, for a text that mentions them. */
export type NameOf = (userId: string) => Promise<string>;

/** How long a name is cached. */
const nameKeptMs = 10 * 60_000;
const mostNames = 1_000;

/** Opens the cached lookup of names. A lookup waits at most `longestWaitMs`; without an answer, the name is the id. Never rejects. */
export function openNames(client: webApi.WebClient, longestWaitMs: number): NameOf {
  const kept = new Map<string, { readonly at: number; readonly name: Promise<string> }>();

  async function ask(userId: string): Promise<string> {
    const { user } = await client.users.info({ user: userId });
    const account = user === undefined ? { names: [], isActive: true } : accountOf(user);
    return personOf(userId, { ...account, groups: [], membership: "unknown" }).name;
  }

  return async (userId) => {
    const found = kept.get(userId);
    const isFresh = found !== undefined && Date.now() - found.at <= nameKeptMs;
    const name = isFresh ? found.name : ask(userId);
    if (!isFresh) {
      // Setting an existing key does not move it to the end of a Map.
      kept.delete(userId);
      kept.set(userId, { at: Date.now(), name });
      name.catch(() => {
        if (kept.get(userId)?.name === name) kept.delete(userId);
      });
      const [oldest] = kept.keys();
      if (kept.size > mostNames && oldest !== undefined) kept.delete(oldest);
    }
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestWaitMs).unref());
    return (await Promise.race([name.catch(() => null), late])) ?? `@${userId}`;
  };
}

function accountOf({ profile, real_name: realName, name, deleted }: User): ChatAccount {
  return { names: [profile?.display_name, realName, name], isActive: deleted !== true };
}

/** True when an account is active; deactivated accounts may decide nothing. Rejects with what the client rejects with. */
export async function isActive(client: webApi.WebClient, userId: string): Promise<boolean> {
  try {
    return (await client.users.info({ user: userId })).user?.deleted !== true;
  } catch (error) {
    // It is of no account that the workspace has or had.
    if (errorWord(error) !== "user_not_found") throw error;
    return false;
  }
}

/** Returns the membership. Guests of the workspace are guests, and so are people of another workspace in a shared channel (D43). */
function membershipOf(user: User, isMember: boolean | null, teamIds: readonly string[]): Membership {
  if (user.is_restricted === true || user.is_ultra_restricted === true || isOfOthers(user, teamIds)) return "guest";
  if (isMember === null) return "unknown";
  return isMember ? "member" : "outside";
}

/** True when somebody belongs to another workspace. Slack sets `is_stranger` only for people who share no channel with the app. */
function isOfOthers(user: User, teamIds: readonly string[]): boolean {
  if (user.is_stranger === true) return true;
  if (user.team_id === undefined || teamIds.length === 0) return false;
  const { team_id, enterprise_id, enterprise_user } = user;
  const theirs = [team_id, enterprise_id, enterprise_user?.enterprise_id, ...(enterprise_user?.teams ?? [])];
  return !theirs.some((id) => id !== undefined && teamIds.includes(id));
}

/** Returns the members of a user group. Rejects with what the client rejects with. */
export async function membersOf(client: webApi.WebClient, group: string): Promise<readonly string[]> {
  const { users } = await client.usergroups.users.list({ usergroup: group });
  return users ?? [];
}
