import type { Policy } from "../policy.ts";
import { readOnlyWords } from "./no-space.ts";

/** Places that we write to and that must have free space. */
export type SpacePlace = "data directory" | "temporary folder" | "database";

/** A measurement: bytes that an unprivileged process may still write there. */
export interface MeasuredSpace {
  readonly place: SpacePlace;
  /** Its path on its machine. Shown in terminals, never in chats (D43). */
  readonly folder: string;
  readonly freeBytes: number;
  /** True when its file system is mounted read-only, as systems do after disk errors. */
  readonly isReadOnly?: boolean;
}

export interface PlaceSpace extends MeasuredSpace {
  /** With fewer free bytes no goal starts: the floor, and more than that until a shortage is over. */
  readonly needBytes: number;
  readonly isShort: boolean;
}

export interface Space {
  readonly places: readonly PlaceSpace[];
  /** True when no goal starts. */
  readonly isShort: boolean;
}

/**
 * Decides whether there is enough space for goals to start. After a shortage more than the floor is needed, so that goals do not start
 * and stop again and again on a disk that fills as fast as it is cleared.
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
 * Bytes that a clean-up may keep of removed work: a quarter of the free space in the data directory, since a clean-up is meant to free
 * space. No limit when the data directory was not measured.
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

/** "ok", or the places that are short of space, for `/healthz`. */
export function spaceHealth({ isShort, places }: Space): string {
  if (!isShort) return "ok";
  return `${places
    .filter((each) => each.isShort)
    .map(spaceWords)
    .join("; ")}: no goal starts`;
}

/** "12.3 GB", "120 MB": in powers of ten, as sizes of disks are given. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  if (megabytes >= 1_000_000) return `${(megabytes / 1_000_000).toFixed(1)} TB`;
  if (megabytes >= 1000) return `${(megabytes / 1000).toFixed(1)} GB`;
  return `${megabytes >= 10 ? Math.floor(megabytes) : megabytes.toFixed(1)} MB`;
}
