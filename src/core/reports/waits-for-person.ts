import type { StandupNeeds } from "./standup-facts.ts";

/**
 * The number of matters that wait for a person, each counted once: open questions, and what stands still because a question was not
 * answered or somebody paused it. A campaign that waits for its day's questions is counted by these.
 */
export function waitsForPerson({
  questions,
  parked,
  sessions,
  campaigns,
}: Pick<StandupNeeds, "questions" | "parked" | "sessions" | "campaigns">): number {
  const asked = (kind: string): number => questions.filter((each) => each.kind === kind).length;
  const goalsAsked = new Set(questions.map((each) => each.goalId));
  // The session of a campaign's day is paused with its campaign. A session with an open question goes on with the answer.
  const paused = sessions.filter(
    ({ isPaused, kind, goals }) =>
      isPaused && kind !== "campaign" && !goals.some(({ goalId }) => goalsAsked.has(goalId)),
  ).length;
  const held = campaigns.filter(({ state, pausedBy }) => state === "paused" && pausedBy !== null).length;
  const planned = campaigns.filter(({ state, days }) => state === "planning" && days > 0).length;
  // A session that paused itself and a campaign that was just planned have an open question, unless it expired.
  const unasked = Math.max(0, paused - asked("breaker")) + Math.max(0, planned - asked("plan"));
  return questions.length + parked.length + held + unasked;
}
