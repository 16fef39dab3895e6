import type { Membership } from "../core/checkpoints/approvers.ts";
import { cleanText, shorten } from "../core/text.ts";
import type { Person } from "./inbox.ts";

/** Looks somebody up when they act, so that a name is current and a deactivated account is known as one (D1). */
export type People = (userId: string) => Promise<Person>;

/** What a platform says of somebody. */
export interface Profile {
  /** What they may be called, best first; empty ones are passed over. */
  readonly names: readonly (string | null | undefined)[];
  readonly isActive: boolean;
  /** The groups that they are in, as settings name them without the platform: `@123`. */
  readonly groups: readonly string[];
  readonly membership: Membership;
}

/**
 * A click must be answered within 3 s: the platform's word on a person is waited for `longestWaitMs`. When it does not
 * answer, the id that it vouched for still counts: it is what COS_APPROVERS names. The name is then the last known one,
 * and they are in no group; whether they are in the channel is not known.
 */
export function openPeople(lookUp: (userId: string) => Promise<Profile | null>, longestWaitMs: number): People {
  const names = new Map<string, string>();

  return async (userId) => {
    const timeOut = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestWaitMs).unref());
    const profile = await Promise.race([lookUp(userId).catch(() => null), timeOut]);
    if (profile === null) {
      const name = names.get(userId) ?? `@${userId}`;
      return { id: userId, name, isActive: true, groups: [], membership: "unknown" };
    }
    const person = personOf(userId, profile);
    names.set(userId, person.name);
    return person;
  };
}

/** Somebody of whom the platform has said who they are. */
export function personOf(id: string, { names, isActive, groups, membership }: Profile): Person {
  const name = names.find((each) => (each ?? "").trim() !== "") ?? id;
  const shown = shorten(cleanText(name).replace(/\s+/g, " ").trim(), 40);
  return { id, name: `@${shown}`, isActive, groups, membership };
}
