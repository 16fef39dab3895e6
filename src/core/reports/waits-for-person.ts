import type { Needs } from "./standup-facts.ts";

/**
 * How many matters go on only when a person says so, each once: open questions, and what stands still because one was not
 * answered or somebody paused it. A campaign that waits for its day's questions is counted by those.
 */
export function waitsForPerson({
  questions,
  parked,
  sessions,
  campaigns,
}: Pick<Needs, "questions" | "parked" | "sessions" | "campaigns">): number {
  const asked = (kind: string): number => questions.filter((each) => each.kind === kind).length;
  // The session of a campaign's day is paused with it.
  const paused = sessions.filter((each) => each.isPaused && each.kind !== "campaign").length;
  const held = campaigns.filter(({ state, pausedBy }) => state === "paused" && pausedBy !== null).length;
  const planned = campaigns.filter(({ state, days }) => state === "planning" && days > 0).length;
  // What paused itself, or has just been planned, asks: unless nobody answered.
  const unasked = Math.max(0, paused - asked("breaker")) + Math.max(0, planned - asked("plan"));
  return questions.length + parked.length + held + unasked;
}
