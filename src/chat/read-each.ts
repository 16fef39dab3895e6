import { NotRecorded } from "./not-recorded.ts";
import type { PostOutcome } from "./platform.ts";

/** A thread, a channel or a message. */
export interface PlaceToRead {
  /** As the log has it. */
  readonly name: string;
  /** That it is not there, or may not be read, is no failure. */
  readonly read: () => Promise<void>;
}

interface HowToRead {
  /** It says something of that place alone; else the whole reading is over. */
  readonly isOfPlace: (error: unknown) => boolean;
  /** It has failed so often that somebody may want to know, who is told once. It is tried on. */
  readonly onFailing: (name: string, error: unknown) => void;
  readonly stopping: AbortSignal;
}

/** Reads what could not be read yet. Null: everything was. It may be called again after it has thrown. */
export type ReadRest = () => Promise<ReadRest | null>;

/** With the pauses of a catch-up: after half a minute. */
const toldAtTimes = 6;

/** So many in a row, and none that was read: the platform may fail as a whole, and is asked for no more in this round. */
const mostAtFirst = 10;

/**
 * Reads each of them once, one after the other; returns what reads those that failed, which comes after those that were not tried yet:
 * none keeps what was written in the others. Throws at once what is said of no place.
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

/** A failure of the platform at one call, or of ours at what was read there; that nobody is reached, or let in, is none. `troubleOf`: the platform's. */
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
