import type { Call } from "../calls.ts";
import { shellWord } from "../text/shell-word.ts";
import type { Span } from "./card.ts";

/** Stored in place of a person's name when something else paused a session or a campaign. */
export const nobodysAnswer = "nobody's answer";
const repositoryTrouble = "its repository: ";

/** Stored for a campaign that was paused because its repository cannot be used, with the reason. */
export function pausedByRepository(reason: string): string {
  return `${repositoryTrouble}${reason}`;
}

/** Words to follow "paused": "by ana", "because nobody answered". "by somebody" when `by` is null, that is, unknown. */
export function pausedByWords(by: string | null): string {
  if (by === nobodysAnswer) return "because nobody answered";
  if (by?.startsWith(repositoryTrouble)) return `because of ${by}`;
  return `by ${by ?? "somebody"}`;
}

/** A session that is paused. */
export interface PausedSession {
  readonly pausedBy: string | null;
  /** The campaign whose day it is. Resuming that campaign resumes the session. */
  readonly campaignId: string | null;
  readonly repositoryName: string;
}

/** The command, without `cos`, that resumes a paused session. The only place that decides this. */
export function resumeCommand({ campaignId, repositoryName }: Omit<PausedSession, "pausedBy">): string {
  return campaignId === null ? goOnCommand(repositoryName) : `campaign resume ${campaignId}`;
}

/** Like `resumeCommand`, also for a session that stops after its current goal. Resuming a campaign does not undo that stop. */
export function goOnCommand(repositoryName: string): string {
  return `autopilot resume --repo ${shellWord(repositoryName)}`;
}

/** A paused session or campaign, which goes on only when somebody resumes it. */
export interface StillPaused {
  readonly id: string;
  readonly pausedBy: string | null;
  /** The command that resumes it, without `cos`. */
  readonly command: string;
}

/**
 * Added to an answer when the pause remains. `goalId`: the goal that goes on once its session is resumed. Null when the answer names none.
 */
export function stillPausedWords({ id, pausedBy, command }: StillPaused, goalId: string | null): string {
  const by = pausedByWords(pausedBy);
  return goalId === null
    ? `${id} is still paused ${by}: cos ${command}`
    : `${goalId} goes on when ${id} does, which is still paused ${by}: cos ${command}`;
}

/** The call of a button that resumes a paused session. */
export function resumeCall({ campaignId, repositoryName }: Omit<PausedSession, "pausedBy">): Call {
  return campaignId === null
    ? { command: "autopilot resume", repo: repositoryName }
    : { command: "campaign resume", id: campaignId };
}

/** Words to follow "paused" when the session can be resumed: " by ana: cos autopilot resume --repo shop". */
export function pausedSpans(session: PausedSession): Span[] {
  return [` ${pausedByWords(session.pausedBy)}: `, { command: resumeCommand(session) }];
}
