import { NotRecorded } from "./not-recorded.ts";
import type { PostOutcome } from "./platform.ts";

/** A thread, a channel or a message to be read. */
export interface PlaceToRead {
  /** The name for the log. */
  readonly name: string;
  /** Reads it. Does not fail when the place does not exist or may not be read. */
  readonly read: () => Promise<void>;
}

interface HowToRead {
  /** True when an error concerns that place alone; any other error ends the whole reading. */
  readonly isOfPlace: (error: unknown) => boolean;
  /** Called once, when a place has failed so often that it should be logged. It is still retried. */
  readonly onFailing: (name: string, error: unknown) => void;
  readonly stopping: AbortSignal;
}

/** Reads the places that could not be read yet; null when all were read. May be called again after it has thrown. */
export type ReadRest = () => Promise<ReadRest | null>;

/** With the pauses of a catch-up, this is reached after half a minute. */
const toldAtTimes = 6;

/**
 * Maximum number of failures at the start of a round. If no place was read by then, the whole platform may be failing, and the round
 * ends.
 */
const mostAtFirst = 10;

/**
 * Reads each place once, one after the other. Returns a function that reads the failed places, after those not tried yet, so that a
 * failing place does not block the others. Throws at once an error that concerns no single place.
 */
export async function readEach(places: readonly PlaceToRead[], how: HowToRead): Promise<ReadRest | null> {
  const { isOfPlace, onFailing, stopping } = how;
  const timesFailed = new Map<PlaceToRead, number>();

  async function round(given: readonly PlaceToRead[]): Promise<ReadRest | null> {
    const failed: PlaceToRead[] = [];
    let isAnyRead = false;
    for (const place of given) {
      if (stopping.aborted || (!isAnyRead && failed.length === mostAtFirst)) break;
      try {
        await place.read();
        isAnyRead = true;
      } catch (error) {
        if (!isOfPlace(error)) throw error;
        failed.push(place);
        const times = (timesFailed.get(place) ?? 0) + 1;
        timesFailed.set(place, times);
        if (times === toldAtTimes) onFailing(place.name, error);
      }
    }
    if (stopping.aborted || failed.length === 0) return null;
    const untried = isAnyRead ? [] : given.slice(failed.length);
    return () => round([...untried, ...failed]);
  }

  return await round(places);
}

/**
 * True when the platform failed at one call, or we failed on what was read there. False when the platform is unreachable or lets us in
 * nowhere. `troubleOf`: the platform's own classification.
 */
export function isOfOnePlace(
  error: unknown,
  troubleOf: (error: unknown) => Exclude<PostOutcome, { readonly type: "shown" }>,
): boolean {
  if (error instanceof NotRecorded) return false;
  try {
    const trouble = troubleOf(error);
    return trouble.type !== "retry" || trouble.why === "failed";
  } catch {
    return true;
  }
}
