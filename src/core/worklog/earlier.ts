import type { WorklogPolicy } from "../policy/worklog.ts";
import { isBlank, shorten } from "../text.ts";
import { inOneLine } from "../text/bounds.ts";
import { tierTable } from "./tiers.ts";

/**
 * Unfinished earlier work of the same person, which is offered before new work begins. It is never searched for by similar text. Seed 000
 * FR-007, seed 001 T4.5, C-03, C-29.
 */
export const actionableOutcomes = ["abandoned", "in_progress"] as const;

export interface EarlierWork {
  readonly session_id: string;
  readonly outcome: (typeof actionableOutcomes)[number];
  readonly task_description: string;
  /** ISO 8601. Null when it is not known. */
  readonly started_at: string | null;
  readonly restore_command: string;
}

/** The fields of a stored worklog that are needed here. Another version may have written it. */
export interface WorklogRecord {
  readonly sessionId: string;
  readonly outcome: string;
  readonly taskDescription: string | null;
  readonly startedAt: Date | null;
  readonly lastModified: Date;
}

/** True when goals of this tier are offered earlier sessions. False for a word that is not a tier. */
export function looksBack(tier: string): boolean {
  return Object.entries(tierTable).some(([name, rules]) => name === tier && rules.looksBack);
}

/** True when a process writes into it now. A time far in the future comes from a clock that was ahead, and does not count. */
export function wroteJustNow(
  lastModified: Date,
  now: Date,
  policy: Pick<WorklogPolicy["detection"], "heartbeatMs">,
): boolean {
  return Math.abs(now.getTime() - lastModified.getTime()) < policy.heartbeatMs;
}

/** Shown in place of the prompt of a person's own session, which is not meant for a channel. */
export const outsideTask = "a session outside of cos";

/** Said on the card of earlier work after that work has ended. */
export const itHasEnded = "It has ended: nothing is left to take up.";

/** The newest earlier work that nobody works now. Work without a start time comes last. Null when there is none. */
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

/** Maximum length of the task in its line, in characters. */
const longestTask = 300;

/** The three lines of seed 000. A task of several lines is put into one. */
export function earlierWorkLines(work: EarlierWork): readonly [string, string, string] {
  return [
    `ℹ️ Previous work detected: ${shorten(inOneLine(work.task_description), longestTask)} (${work.outcome})`,
    `Session: ${work.session_id} | Started: ${work.started_at ?? "unknown"}`,
    `To restore: ${work.restore_command}`,
  ];
}
