import type { Policy } from "../policy.ts";
import { readOnlyWords } from "./no-space.ts";

/** Where we write, and a full disk would stop us. */
export type SpacePlace = "data directory" | "temporary folder" | "database";

/** What was measured: bytes that an ordinary process may still write there. */
export interface MeasuredSpace {
  readonly place: SpacePlace;
  /** Where that is on its machine; for the terminal, never for a chat (D43). */
  readonly folder: string;
  readonly freeBytes: number;
  /** Its file system takes no writing at all, however much is free: the system mounts one so after errors of its disk. */
  readonly isReadOnly?: boolean;
}

export interface PlaceSpace extends MeasuredSpace {
  /** Below so much no goal starts: the floor, and more than that until a shortage is over. */
  readonly needBytes: number;
  readonly isShort: boolean;
}

export interface Space {
  readonly places: readonly PlaceSpace[];
  /** No goal starts. */
  readonly isShort: boolean;
}

/**
 * Whether there is space for goals to start. Once it was short it is enough only some way above the floor, so that a disk
 * that fills as fast as it is cleared does not start and stop goals again and again.
 */
export function judgeSpace(
  measured: readonly MeasuredSpace[],
  wasShort: boolean,
  { space }: Pick<Policy, "space">,
): Space {
  const places = measured.map((each): PlaceSpace => {
    const floorBytes = each.place === "temporary folder" ? space.temporaryFloorBytes : space.floorBytes;
    const needBytes = wasShort ? floorBytes * space.enoughFactor : floorBytes;
    return { ...each, needBytes, isShort: each.isReadOnly === true || each.freeBytes < needBytes };
  });
  return { places, isShort: places.some((each) => each.isShort) };
}

/**
 * Bytes that may be kept of what is removed: a part of what is free in the data directory, since removing is to make room. What was
 * not measured is no limit.
 */
export function roomToKeep({ places }: Pick<Space, "places">): number {
  const directory = places.find(({ place }) => place === "data directory");
  return directory === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(directory.freeBytes / 4);
}

/** "the data directory has 120 MB free, 500 MB are needed". */
export function spaceWords({ place, freeBytes, needBytes, isReadOnly = false }: PlaceSpace): string {
  if (isReadOnly) return `the ${place} cannot be written: ${readOnlyWords}`;
  return `the ${place} has ${formatBytes(freeBytes)} free, ${formatBytes(needBytes)} are needed`;
}

/** "ok", or what is short, for health. */
export function spaceHealth({ isShort, places }: Space): string {
  if (!isShort) return "ok";
  return `${places
    .filter((each) => each.isShort)
    .map(spaceWords)
    .join("; ")}: no goal starts`;
}

/** "12.3 GB", "120 MB": in powers of ten, as disks are sold. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  if (megabytes >= 1_000_000) return `${(megabytes / 1_000_000).toFixed(1)} TB`;
  if (megabytes >= 1000) return `${(megabytes / 1000).toFixed(1)} GB`;
  return `${megabytes >= 10 ? Math.floor(megabytes) : megabytes.toFixed(1)} MB`;
}
