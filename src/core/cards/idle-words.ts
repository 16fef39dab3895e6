import { count } from "../text.ts";
import { goOnCommand, pausedByWords, type PausedSession, resumeCommand } from "./paused-words.ts";
import { startCommand } from "./session-words.ts";

/** What a goal waits for when nobody works it and no question about it is open. */

/** The open session that the goal is in. */
export interface IdleSession extends PausedSession {
  readonly status: "running" | "paused" | "ended";
  readonly stopping: boolean;
  /** How many goals are worked before it. Null when it waits for the answer about another goal. */
  readonly before: number | null;
}

/** The campaign that the goal is in. `pausedBy` is null when nobody paused it; it may wait for answers about its day. */
export interface IdleCampaign {
  readonly campaignId: string;
  readonly state: string;
  readonly pausedBy: string | null;
}

/** Where a goal is that nobody works. */
export type IdlePlace =
  | { readonly type: "session"; readonly session: IdleSession }
  /** In a campaign, on a day that has not begun. */
  | { readonly type: "campaign"; readonly campaign: IdleCampaign }
  /** In no session and no campaign. `isTaken`: a session without this goal works its repository. */
  | { readonly type: "none"; readonly goalId: string; readonly repositoryName: string; readonly isTaken: boolean };

/** What is missing before the goal can be worked, and the next command, without `cos`. */
export function idleWords(place: IdlePlace): { readonly words: string; readonly next: string } {
  switch (place.type) {
    case "session":
      return inSession(place.session);
    case "campaign":
      return inCampaign(place.campaign);
    case "none":
      return {
        words: "waits for a session",
        next: place.isTaken ? `autopilot start --goal ${place.goalId}` : startCommand(place.repositoryName),
      };
  }
}

function inCampaign({ campaignId, state, pausedBy }: IdleCampaign): { words: string; next: string } {
  if (state === "paused" && pausedBy !== null)
    return { words: `waits: its campaign is paused ${pausedByWords(pausedBy)}`, next: `campaign resume ${campaignId}` };
  return { words: "waits for its day in the campaign", next: `campaign status ${campaignId}` };
}

function inSession(session: IdleSession): { words: string; next: string } {
  const { status, stopping, pausedBy, repositoryName, before } = session;
  const repo = `--repo ${repositoryName}`;
  if (status === "paused")
    return { words: `waits: its session is paused ${pausedByWords(pausedBy)}`, next: resumeCommand(session) };
  if (stopping)
    return { words: "waits: its session stops after the goal that is worked", next: goOnCommand(repositoryName) };
  if (before === null) return { words: "waits for an answer about another goal of its session", next: "checkpoints" };
  if (before === 0) return { words: "is the next goal of its session", next: `autopilot status ${repo}` };
  const are = before === 1 ? "is" : "are";
  return {
    words: `waits for its turn: ${count(before, "goal")} ${are} before it in its session`,
    next: `autopilot status ${repo}`,
  };
}
