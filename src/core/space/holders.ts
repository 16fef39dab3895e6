import type { PlaceSpace } from "./free.ts";

/** A goal that is not over, and what its files take on a disk. */
export interface SpaceHolder {
  readonly goalId: string;
  readonly bytes: number;
}

/** So many are named at most. */
const mostNamed = 3;

/**
 * The goals without whose files there would be space in the data directory, the largest first: what a disk that others fill has to do
 * with goals is nothing that a person could end.
 */
export function whoHolds(holders: readonly SpaceHolder[], places: readonly PlaceSpace[]): readonly SpaceHolder[] {
  const short = places.find(({ place, isShort }) => place === "data directory" && isShort);
  if (short === undefined || short.isReadOnly === true) return [];
  return holders
    .filter(({ bytes }) => bytes >= short.needBytes - short.freeBytes)
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, mostNamed);
}
