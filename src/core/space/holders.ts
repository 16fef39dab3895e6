import type { PlaceSpace } from "./free.ts";

/** An unfinished goal, and the size of its files on a disk. */
export interface SpaceHolder {
  readonly goalId: string;
  readonly bytes: number;
}

/** Maximum number of goals that are named. */
const mostNamed = 3;

/**
 * Goals whose files alone take as much as the data directory lacks, largest first. Empty when other files fill the disk: ending a goal
 * would not help then.
 */
export function whoHolds(holders: readonly SpaceHolder[], places: readonly PlaceSpace[]): readonly SpaceHolder[] {
  const short = places.find(({ place, isShort }) => place === "data directory" && isShort);
  if (short === undefined || short.isReadOnly === true) return [];
  return holders
    .filter(({ bytes }) => bytes >= short.needBytes - short.freeBytes)
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, mostNamed);
}
