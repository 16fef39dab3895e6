import type { ChatPerson } from "../chat/inbox.ts";
import { NotRecorded } from "../chat/not-recorded.ts";
import type { Channel } from "../chat/platform.ts";
import type { Addresses } from "../chat/addresses.ts";
import type { Caller } from "../commands/command.ts";
import { type Card, linkedSubjects } from "../core/cards/card.ts";
import type { ChatPlatform } from "../core/chat-platforms.ts";
import { spaceWordsOf } from "../core/space/no-space.ts";
import { isUnavailable } from "../db/connection/failures.ts";
import { addressesOf } from "../db/messages.ts";
import type { Deps } from "../deps.ts";

/** The channel for this platform's cards. Throws when there is none. */
export function ourChannel({ deps, platform }: ChatDoor): Channel {
  const found = deps.channels.find((each) => each.platform === platform);
  if (found === undefined) throw new Error(`${platform} has no channel`);
  return found;
}

export interface ChatDoor {
  readonly deps: Deps;
  readonly platform: ChatPlatform;
}

/** The caller for access rules: a person of a platform with their groups there. */
export function callerOf({ platform }: ChatDoor, person: ChatPerson): Caller {
  const named = (groups: readonly string[]): string[] => groups.map((group) => `${platform}:${group}`);
  const [groups, inDoubt] = [named(person.groups), named(person.inDoubt)];
  const { isActive, membership } = person;
  const member = { id: `${platform}:${person.id}`, isActive, groups, inDoubt, membership };
  return { actor: person.name, via: platform, member, origin: { type: "person", by: { type: "chat" } } };
}

/**
 * Throws NotRecorded when the database is unavailable, which the platform waits for. A full disk and all other errors are thrown as
 * they are.
 */
export async function available<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUnavailable(error) && spaceWordsOf(error) === null)
      throw new NotRecorded("the database is not available", { cause: error });
    throw error;
  }
}

/** The addresses at which the subjects that cards link to are shown on this platform. */
export async function addressesIn({ deps, platform }: ChatDoor, cards: readonly Card[]): Promise<Addresses> {
  return await available(() => addressesOf(deps.database.db, platform, cards.flatMap(linkedSubjects)));
}
