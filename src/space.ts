import { existsSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { Config } from "./config.ts";
import { judgeSpace, type MeasuredSpace, type Space, type SpacePlace } from "./core/space/free.ts";
import type { Policy } from "./core/policy.ts";
import { clusterPlaces } from "./db/embedded/places.ts";

/** Measures the file systems on which we write. */

export interface SpaceOptions {
  readonly config: Pick<Config, "dataDir" | "databaseUrl">;
  readonly policy: Pick<Policy, "space">;
  /** How long a measurement is used, so that the system is not asked for every statement. */
  readonly lookEveryMs?: number;
}

const usualLookEveryMs = 3_000;

/**
 * Returns a function that measures the free space. A place that does not exist yet, or cannot be measured, is left out. Never rejects.
 */
export function openSpace({ config, policy, lookEveryMs = usualLookEveryMs }: SpaceOptions): () => Promise<Space> {
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  let measured: Promise<MeasuredSpace[]> = Promise.resolve([]);
  let wasShort = false;

  return async () => {
    if (performance.now() - measuredAtMs >= lookEveryMs) {
      measuredAtMs = performance.now();
      measured = measure(config);
    }
    const space = judgeSpace(await measured, wasShort, policy);
    wasShort = space.isShort;
    return space;
  };
}

async function measure({ dataDir, databaseUrl }: SpaceOptions["config"]): Promise<MeasuredSpace[]> {
  const cluster = databaseUrl === null ? clusterPlaces(dataDir).find((place) => existsSync(place)) : undefined;
  const places: [SpacePlace, string][] = [
    ["data directory", dataDir],
    ["temporary folder", tmpdir()],
    ...(cluster === undefined ? [] : [["database", cluster] satisfies [SpacePlace, string]]),
  ];
  const found = await Promise.all(places.map(([place, folder]) => freeAt(place, folder)));
  return found.filter((each) => each !== null);
}

/** Asked of the system: a full one answers that it may be written. */
async function isReadOnly(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EROFS";
  }
}

async function freeAt(place: SpacePlace, folder: string): Promise<MeasuredSpace | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return { place, folder, freeBytes: bavail * bsize, ...((await isReadOnly(folder)) ? { isReadOnly: true } : {}) };
  } catch {
    return null;
  }
}
