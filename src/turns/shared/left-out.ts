import { shorten } from "../../core/text.ts";
import type { LeftOutFiles } from "../../core/cards/left-out-words.ts";
import type { appendTimeline } from "../../db/timeline.ts";

const mostKept = 20;

/** Returns the files that git could not add, as they are stored: their number, and the first of their names. */
export function leftOutOf(paths: readonly string[]): LeftOutFiles {
  return { paths: paths.slice(0, mostKept).map((path) => shorten(path, 200)), count: paths.length };
}

type Event = Parameters<typeof appendTimeline>[1];

/** Returns the event about them. `commit`: the commit that was recorded without them. */
export function leftOutEvent(of: {
  readonly goalId: string;
  readonly runId: string;
  readonly turn?: number;
  readonly at: Date;
  readonly commit: string;
  readonly paths: readonly string[];
}): Event {
  const { paths, commit, ...ids } = of;
  return { event: "agent.files-left-out", ...ids, detail: { ...leftOutOf(paths), commit } };
}
