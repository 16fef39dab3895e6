import type { StandupNeeds } from "./standup-facts.ts";

/**
 * How many matters go on only when a person says so, each once: open questions, and what stands still because one was not
 * answered or somebody paused it. A campaign that waits for its day's questions is counted by those.
 */
export function waitsForPerson({
  questions,
  parked,
  sessions,
  campaigns,
}: Pick<StandupNeeds, "questions" | "parked" | "sessions" | "campaigns">): number {
  const asked = (kind: string): number => questions.filter((each) => each.kind === kind).length;
  const goalsAsked = new Set(questions.map((each) => each.goalId));
  // The session of a campaign's day is paused with it; one in which something is asked goes on with the answer.
  const paused = sessions.filter(
    ({ isPaused, kind, goals }) =>
      isPaused && kind !== "campaign" && !goals.some(({ goalId }) => goalsAsked.has(goalId)),
  ).length;
  const held = campaigns.filter(({ state, pausedBy }) => state === "paused" && pausedBy !== null).length;
  const planned = campaigns.filter(({ state, days }) => state === "planning" && days > 0).length;
  // What paused itself, or has just been planned, asks: unless nobody answered.
  const unasked = Math.max(0, paused - asked("breaker")) + Math.max(0, planned - asked("plan"));
  return questions.length + parked.length + held + unasked;
}
