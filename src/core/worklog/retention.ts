import type { WorklogPolicy } from "../policy/worklog.ts";
import type { WorklogOutcome } from "./finish.ts";

/**
 * When worklogs are removed: first a worklog is marked abandoned, so that it can be taken up again; its raw entries are removed a day
 * later. A live worklog is never touched. Seed 000 NFR-003, seed 001 T4.3, C-02, C-18, C-21, C-25, C-30.
 */
export interface AgedWorklog {
  readonly sessionId: string;
  readonly outcome: WorklogOutcome;
  readonly lastModified: Date;
  /** When it was finished or abandoned. Null while it is neither. */
  readonly settledAt: Date | null;
  /** True when its goal is being worked, or an entry was written a moment ago. */
  readonly isAlive: boolean;
  /** True when it was taken up again, or dismissed by a person, so that nobody needs its entries. */
  readonly isReleased: boolean;
  /** True for a coding agent's own session. There is one for each prompt, so there are many. */
  readonly isOutside: boolean;
}

export type RetentionStep =
  | { readonly type: "abandon"; readonly sessionId: string }
  | { readonly type: "summarise"; readonly sessionId: string }
  | { readonly type: "delete-raw"; readonly sessionId: string; readonly isEviction: boolean };

export interface CleanedUp {
  readonly abandoned_marked: number;
  readonly summaries_extracted: number;
  readonly raw_deleted: number;
  readonly evicted_lru: number;
  readonly summaries_deleted: number;
}

type RetentionPolicy = WorklogPolicy["retention"];

/**
 * The steps of a cleanup, in order. `kept`: every worklog that still has its entries. One that was abandoned just now keeps them for
 * another day.
 */
export function retentionSteps(kept: readonly AgedWorklog[], now: Date, policy: RetentionPolicy): RetentionStep[] {
  const isOlder = (at: Date): boolean => now.getTime() - at.getTime() > policy.rawMs;
  const stale = kept.filter((each) => !each.isAlive && each.outcome === "in_progress" && isOlder(each.lastModified));
  const over = kept.filter((each) => {
    if (each.isAlive || each.settledAt === null) return false;
    return isOlder(each.settledAt) || (each.outcome === "abandoned" && each.isReleased);
  });
  const gone = new Set(over.map((each) => each.sessionId));
  const staleIds = new Set(stale.map((each) => each.sessionId));
  const left = kept
    .filter((each) => !gone.has(each.sessionId))
    .map((each): AgedWorklog => (staleIds.has(each.sessionId) ? { ...each, outcome: "abandoned" } : each));
  const evicted = evict(left, policy.mostActive);
  // A goal that goes on then writes into a new worklog: nothing is added to one that was summarised.
  const evictedOpen = evicted.filter((each) => each.outcome === "in_progress");
  return [
    ...[...stale, ...evictedOpen].map(({ sessionId }): RetentionStep => ({ type: "abandon", sessionId })),
    ...[
      ...over.map((each) => ({ ...each, isEviction: false })),
      ...evicted.map((each) => ({ ...each, isEviction: true })),
    ]
      .map(({ sessionId, isEviction }): RetentionStep[] => [
        { type: "summarise", sessionId },
        { type: "delete-raw", sessionId, isEviction },
      ])
      .flat(),
  ];
}

const order: Readonly<Record<WorklogOutcome, number>> = {
  success: 0,
  failure: 0,
  aborted: 0,
  abandoned: 1,
  in_progress: 2,
};

/**
 * The worklogs to remove when there are too many: finished ones first, then abandoned ones, then the others. Among equals, those without a
 * goal come first, so that a day of a person's prompts does not displace goals; then the least recently changed (C-30).
 */
function evict(kept: readonly AgedWorklog[], most: number): AgedWorklog[] {
  const excess = kept.length - most;
  if (excess <= 0) return [];
  return kept
    .filter((each) => !each.isAlive)
    .toSorted((one, other) => {
      const rank = order[one.outcome] - order[other.outcome] || Number(other.isOutside) - Number(one.isOutside);
      return rank === 0 ? one.lastModified.getTime() - other.lastModified.getTime() : rank;
    })
    .slice(0, excess);
}

/** True when a person should be told that the limit is near. */
export function isNearLimit(active: number, policy: Pick<RetentionPolicy, "warnAt">): boolean {
  return active >= policy.warnAt;
}

/** The first day whose summary is kept; older ones are removed after thirty days. `YYYY-MM-DD`. */
export function firstKeptDay(now: Date, policy: Pick<RetentionPolicy, "summariesMs">): string {
  return new Date(now.getTime() - policy.summariesMs).toISOString().slice(0, 10);
}
