import type { WorklogPolicy } from "../policy/worklog.ts";
import { isBlank, shorten } from "../text.ts";
import { inOneLine } from "../text/bounds.ts";
import { tierTable } from "./tiers.ts";

/**
 * Unfinished earlier work of the same person, offered before new work begins; never looked up by how texts read. Seed 000 FR-007,
 * seed 001 T4.5, C-03, C-29.
 */
export const actionableOutcomes = ["abandoned", "in_progress"] as const;

export interface EarlierWork {
  readonly session_id: string;
  readonly outcome: (typeof actionableOutcomes)[number];
  readonly task_description: string;
  /** ISO 8601; null when nobody knows. */
  readonly started_at: string | null;
  readonly restore_command: string;
}

/** A stored worklog, as far as this asks; it may have been written by another version. */
export interface WorklogRecord {
  readonly sessionId: string;
  readonly outcome: string;
  readonly taskDescription: string | null;
  readonly startedAt: Date | null;
  readonly lastModified: Date;
}

/** Whether work of this tier is told of earlier sessions; false for a word that is no tier. */
export function looksBack(tier: string): boolean {
  return Object.entries(tierTable).some(([name, rules]) => name === tier && rules.looksBack);
}

/** Whether somebody writes into it: who wrote long after now did so by a clock that was ahead, and is none. */
export function wroteJustNow(
  lastModified: Date,
  now: Date,
  policy: Pick<WorklogPolicy["detection"], "heartbeatMs">,
): boolean {
  return Math.abs(now.getTime() - lastModified.getTime()) < policy.heartbeatMs;
}

/** What stands in the place of what a person typed in a session of their own: that is for nobody's channel. */
export const outsideTask = "a session outside of cos";

/** What the card of earlier work says once that has ended. */
export const itHasEnded = "It has ended: nothing is left to take up.";

/** The newest that nobody works now; what has no start comes last. Null: there is none. */
export function earlierWork(
  found: readonly WorklogRecord[],
  now: Date,
  policy: WorklogPolicy["detection"],
): EarlierWork | null {
  const idle = found.filter(({ outcome, lastModified }) => {
    const isAtWork = wroteJustNow(lastModified, now, policy) && outcome === "in_progress";
    return actionableOutcomes.some((each) => each === outcome) && !isAtWork;
  });
  const [newest] = idle.toSorted((one, other) => (other.startedAt?.getTime() ?? 0) - (one.startedAt?.getTime() ?? 0));
  if (newest === undefined) return null;
  const description = newest.taskDescription ?? "";
  return {
    session_id: newest.sessionId,
    outcome: newest.outcome === "abandoned" ? "abandoned" : "in_progress",
    task_description: isBlank(description) ? "Unknown task" : description,
    started_at: newest.startedAt?.toISOString() ?? null,
    restore_command: policy.restoreCommand.replaceAll("{session_id}", newest.sessionId),
  };
}

/** Of a task that is told in one line, in characters. */
const longestTask = 300;

/** The three lines of seed 000, also of a task that was written in many. */
export function earlierWorkLines(work: EarlierWork): readonly [string, string, string] {
  return [
    `ℹ️ Previous work detected: ${shorten(inOneLine(work.task_description), longestTask)} (${work.outcome})`,
    `Session: ${work.session_id} | Started: ${work.started_at ?? "unknown"}`,
    `To restore: ${work.restore_command}`,
  ];
}
