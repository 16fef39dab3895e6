import type { Membership } from "../core/checkpoints/approvers.ts";
import { cleanText, shorten } from "../core/text.ts";
import type { ChatPerson } from "./inbox.ts";

/** Looks somebody up when they act, so that a name is current and a deactivated account is known as one (D1). */
export type FindPerson = (userId: string) => Promise<ChatPerson>;

/** What a platform says of an account. */
export interface ChatAccount {
  /** What they may be called, best first; empty ones are passed over. */
  readonly names: readonly (string | null | undefined)[];
  readonly isActive: boolean;
}

/** What a platform says of somebody. */
export interface Profile extends ChatAccount {
  /** The groups that they are in, as settings name them without the platform: `@123`. */
  readonly groups: readonly string[];
  /** The groups of which the platform did not say whether they are in them. */
  readonly inDoubt?: readonly string[];
  readonly membership: Membership;
}

/** What a platform is asked of somebody: none of it is waited for because of another. Each rejects with what the client rejects with. */
export interface LookUp {
  /** Null: it knows nobody of that id. */
  readonly account: Promise<ChatAccount | null>;
  /** Whether they are in a group that settings name. */
  readonly isIn: (group: string) => Promise<boolean>;
  /** Whether the platform has said that it answers this only after a while: then it is waited for, and whoever acted is told so meanwhile. */
  readonly isLimited?: (group: string) => boolean;
  readonly membership: Promise<Membership>;
}

/**
 * A click must be answered within 3 s: the platform's word on a person is waited for `longestWaitMs`. When it does not
 * answer, the id that it vouched for still counts: it is what COS_APPROVERS names. The name is then the last known one;
 * whether they are in the channel, or in one of the `groups`, is not known as far as it was not said.
 */
export function openPeople(
  lookUp: (userId: string) => LookUp,
  { groups, longestWaitMs }: { readonly groups: readonly string[]; readonly longestWaitMs: number },
): FindPerson {
  const names = new Map<string, string>();

  return async (userId) => {
    const timeOut = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestWaitMs).unref());
    const inTime = <Said>(said: Promise<Said>): Promise<Said | null> => Promise.race([said.catch(() => null), timeOut]);
    const asked = lookUp(userId);
    const [account, membership, ...isIn] = await Promise.all([
      inTime(asked.account),
      inTime(asked.membership),
      ...groups.map((group) => {
        const said = asked.isIn(group).catch(() => null);
        const late = timeOut.then(() => (asked.isLimited?.(group) === true ? said : null));
        return Promise.race([said, late]);
      }),
    ]);
    const of = (answer: boolean | null) => groups.filter((_, index) => isIn[index] === answer);
    const known = { groups: of(true), inDoubt: of(null), membership: membership ?? "unknown" };
    if (account === null) {
      const name = names.get(userId) ?? `@${userId}`;
      return { id: userId, name, isActive: true, ...known };
    }
    const person = personOf(userId, { ...account, ...known });
    names.set(userId, person.name);
    return person;
  };
}

/** Somebody of whom the platform has said who they are. */
export function personOf(id: string, { names, ...profile }: Profile): ChatPerson {
  const name = names.find((each) => (each ?? "").trim() !== "") ?? id;
  const shown = shorten(cleanText(name).replace(/\s+/g, " ").trim(), 40);
  const { isActive, groups, inDoubt = [], membership } = profile;
  return { id, name: `@${shown}`, isActive, groups, inDoubt, membership };
}
