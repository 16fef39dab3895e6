import { sleep } from "./sleep.ts";

/** Threads and channels, read one after the other: none of which the platform fails at keeps what was written in the others. */
export interface PlacesToRead<Place> {
  /** A place that is not there, or may not be read, is no failure. */
  readonly read: (place: Place) => Promise<void>;
  /** It says something of that place alone; else the whole reading is over. */
  readonly isOfPlace: (error: unknown) => boolean;
  /** It is left for the next time. */
  readonly onLeft: (place: Place, error: unknown) => void;
  readonly stopping: AbortSignal;
  readonly pausesMs?: readonly number[];
}

/** Before a place that failed is tried again. */
const usualPausesMs = [1_000, 2_000, 4_000, 8_000, 16_000];

/** So many in a row, and none that was read: it is the platform that fails. */
const mostAtFirst = 10;

/**
 * Reads each of them; one that fails is tried some times more after the others, and then left. Throws at once what is said of no
 * place, and what was said where none could be read.
 */
export async function readEach<Place>(
  places: readonly Place[],
  { read, isOfPlace, onLeft, stopping, pausesMs = usualPausesMs }: PlacesToRead<Place>,
): Promise<void> {
  let isAnyRead = false;

  async function pass(given: readonly Place[]): Promise<ReadonlyMap<Place, unknown>> {
    const failed = new Map<Place, unknown>();
    for (const place of given) {
      if (stopping.aborted) break;
      try {
        await read(place);
        isAnyRead = true;
      } catch (error) {
        if (!isOfPlace(error)) throw error;
        failed.set(place, error);
        if (!isAnyRead && (failed.size === given.length || failed.size === mostAtFirst)) throw error;
      }
    }
    return failed;
  }

  let failed = await pass(places);
  for (const pauseMs of pausesMs) {
    if (failed.size === 0 || stopping.aborted) return;
    await sleep(pauseMs, stopping);
    failed = await pass([...failed.keys()]);
  }
  for (const [place, error] of failed) onLeft(place, error);
}
