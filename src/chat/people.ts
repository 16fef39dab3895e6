import type { Membership } from "../core/checkpoints/approvers.ts";
import { cleanText, shorten } from "../core/text.ts";
import type { ChatPerson } from "./inbox.ts";

/** Looks a person up when they act, so that their name is current and a deactivated account is recognised (D1). */
export type FindPerson = (userId: string) => Promise<ChatPerson>;

/** An account, as the platform describes it. */
export interface ChatAccount {
  /** Possible names, best first; empty ones are skipped. */
  readonly names: readonly (string | null | undefined)[];
  readonly isActive: boolean;
}

/** An account with its groups and its membership of the channel. */
export interface Profile extends ChatAccount {
  /** The groups that they are in, named as in settings but without the platform: `@123`. */
  readonly groups: readonly string[];
  /** The groups for which the platform did not say whether they are members. */
  readonly inDoubt?: readonly string[];
  readonly membership: Membership;
}

/** The requests for one person. None waits for another, and each rejects with what the client rejects with. */
export interface LookUp {
  /** Null when the platform knows nobody with that id. */
  readonly account: Promise<ChatAccount | null>;
  /** True when they are in a group that settings name. */
  readonly isIn: (group: string) => Promise<boolean>;
  /** True when the platform answers this only after a rate limit. Then the answer is waited for, and the person is told so meanwhile. */
  readonly isLimited?: (group: string) => boolean;
  readonly membership: Promise<Membership>;
}

/**
 * Looks people up within `longestWaitMs`, because a click must be answered within 3 s. If the platform does not answer, the id that it
 * vouched for still counts, since COS_APPROVERS names ids. The name is then the last known one. Membership of the channel and of `groups`
 * is unknown where no answer came.
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

/** Returns a person from the profile that the platform gave. */
export function personOf(id: string, { names, ...profile }: Profile): ChatPerson {
  const name = names.find((each) => (each ?? "").trim() !== "") ?? id;
  const shown = shorten(cleanText(name).replace(/\s+/g, " ").trim(), 40);
  const { isActive, groups, inDoubt = [], membership } = profile;
  return { id, name: `@${shown}`, isActive, groups, inDoubt, membership };
}
