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

/** The command, without `cos`, that lets a paused session go on. */
export function resumeCommand({ campaignId, repositoryName }: Omit<PausedSession, "pausedBy">): string {
  return campaignId === null ? `autopilot resume --repo ${repositoryName}` : `campaign resume ${campaignId}`;
}

/** What stands behind "paused" where the session can be let go on: " by ana: cos autopilot resume --repo shop". */
export function pausedSpans(session: PausedSession): Span[] {
  return [` ${pausedByWords(session.pausedBy)}: `, { command: resumeCommand(session) }];
}
