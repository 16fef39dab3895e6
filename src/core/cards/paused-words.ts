import type { Call } from "../calls.ts";
import { shellWord } from "../text/shell-word.ts";
import type { Span } from "./card.ts";

/** Who or what paused a session or a campaign: a person by name, or one of these. */
export const nobodysAnswer = "nobody's answer";
const repositoryTrouble = "its repository: ";

/** What is kept of a campaign whose repository cannot be used, and why. */
export function pausedByRepository(reason: string): string {
  return `${repositoryTrouble}${reason}`;
}

/** What stands behind "paused": "by ana", "because nobody answered"; null: it is not known who it was. */
export function pausedByWords(by: string | null): string {
  if (by === nobodysAnswer) return "because nobody answered";
  if (by?.startsWith(repositoryTrouble)) return `because of ${by}`;
  return `by ${by ?? "somebody"}`;
}

/** A session that is paused. */
export interface PausedSession {
  readonly pausedBy: string | null;
  /** Of which campaign it is a day: that goes on with it. */
  readonly campaignId: string | null;
  readonly repositoryName: string;
}

/** The command, without `cos`, that lets a paused session go on: the only place where that is said. */
export function resumeCommand({ campaignId, repositoryName }: Omit<PausedSession, "pausedBy">): string {
  return campaignId === null ? goOnCommand(repositoryName) : `campaign resume ${campaignId}`;
}

/** The same where it may also be one that stops after its current goal, which a campaign does not undo. */
export function goOnCommand(repositoryName: string): string {
  return `autopilot resume --repo ${shellWord(repositoryName)}`;
}

/** What is paused, and goes on only when somebody resumes it. */
export interface StillPaused {
  readonly id: string;
  readonly pausedBy: string | null;
  /** What resumes it, without `cos`. */
  readonly command: string;
}

/** What is added to an answer that lets nothing go on. `goalId`: the answer lets this goal go on, when its session does; null: none. */
export function stillPausedWords({ id, pausedBy, command }: StillPaused, goalId: string | null): string {
  const by = pausedByWords(pausedBy);
  return goalId === null
    ? `${id} is still paused ${by}: cos ${command}`
    : `${goalId} goes on when ${id} does, which is still paused ${by}: cos ${command}`;
}

/** What a button asks for that lets a paused session go on. */
export function resumeCall({ campaignId, repositoryName }: Omit<PausedSession, "pausedBy">): Call {
  return campaignId === null
    ? { command: "autopilot resume", repo: repositoryName }
    : { command: "campaign resume", id: campaignId };
}

/** What stands behind "paused" where the session can be let go on: " by ana: cos autopilot resume --repo shop". */
export function pausedSpans(session: PausedSession): Span[] {
  return [` ${pausedByWords(session.pausedBy)}: `, { command: resumeCommand(session) }];
}
