import type { WorklogPolicy } from "../policy/worklog.ts";
import type { WorklogOutcome } from "./finish.ts";

/**
 * What is forgotten of worklogs, and in which order: marked abandoned first, so that it can be taken up again; its raw entries a
 * day after that. What lives is never touched. Seed 000 NFR-003, seed 001 T4.3, C-02, C-18, C-21, C-25, C-30.
 */
export interface AgedWorklog {
  readonly sessionId: string;
  readonly outcome: WorklogOutcome;
  readonly lastModified: Date;
  /** Since when it is finished or abandoned; null while it is neither. */
  readonly settledAt: Date | null;
  /** Somebody works its goal now, or wrote into it a moment ago. */
  readonly isAlive: boolean;
  /** Taken up again, or dismissed by a person: nobody needs its entries any more. */
  readonly isReleased: boolean;
  /** Of a coding agent's own session: one for each prompt, so there are many. */
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

/** `kept`: every worklog whose entries are still there. What was abandoned just now stays for another day. */
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
  // Whose goal goes on then writes into another one: nothing is ever added to what was summed up.
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
 * What is finished first, then what is abandoned, then the rest: of each those of no goal, so that a day of somebody's prompts takes
 * no goal's, and the least recently changed first (C-30).
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

/** Whether a person is told that the limit is near. */
export function isNearLimit(active: number, policy: Pick<RetentionPolicy, "warnAt">): boolean {
  return active >= policy.warnAt;
}

/** The first day whose summary is kept: what is older than thirty days goes. `YYYY-MM-DD`. */
export function firstKeptDay(now: Date, policy: Pick<RetentionPolicy, "summariesMs">): string {
  return new Date(now.getTime() - policy.summariesMs).toISOString().slice(0, 10);
}
