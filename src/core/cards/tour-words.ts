import type { GoalStatus } from "../goals/goal.ts";

/** A first tour with the sample. Each step is an event of a real goal, and is done when that event has happened (F-501). */

/** The beginnings of the texts of the sample goals that the steps refer to. */
const about = { question: "Print the prices in colour", recovery: "Sort the price list", escalation: "Tell the shop" };

/** The reply that the tour suggests. The scripted agent knows what to do with it. */
const replyText = "retry: use src/notify.js";

export interface TourGoal {
  readonly goalId: string;
  readonly content: string;
  readonly status: GoalStatus;
  /** Its open question. Null when it has none. */
  readonly checkpointId: string | null;
}

export interface TourStep {
  readonly title: string;
  readonly words: string;
  /** Where to look. Null when there is nothing to see yet. */
  readonly to: string | null;
  readonly isDone: boolean;
  /** The line that the step's button types. Null when it has no button. */
  readonly line: string | null;
}

/** The four steps with their state. `goals`: the goals of the sample, newest last. */
export function tourOf(goals: readonly TourGoal[]): TourStep[] {
  const find = (text: string): TourGoal | null => goals.findLast(({ content }) => content.startsWith(text)) ?? null;
  const [asked, sorted, told] = [find(about.question), find(about.recovery), find(about.escalation)];
  const isSettled = goals.every(
    ({ status }) => status !== "pending" && status !== "in_progress" && status !== "blocked",
  );
  const placeOf = (goal: TourGoal | null): string | null =>
    goal === null ? null : goal.checkpointId === null ? `/goals/${goal.goalId}` : `#${goal.checkpointId}`;
  const done = (goal: TourGoal | null): boolean => goal?.status === "complete";
  return [
    {
      title: "A question",
      words:
        "People will see the colours, so it asks before it works. Press Proceed, and answer the one about money too.",
      to: placeOf(asked),
      isDone: asked !== null && asked.status !== "pending" && asked.checkpointId === null,
      line: null,
    },
    {
      title: "A recovery",
      words:
        "A goal whose first attempt fails: its criterion does not hold, and the agent does not see why. The second attempt is told what failed and succeeds. Nobody is asked.",
      to: placeOf(sorted),
      isDone: done(sorted),
      line: sorted === null && isSettled ? "/sample --trouble" : null,
    },
    {
      title: "An escalation, and your reply",
      words: `Another agent is stuck and says why. Reply under its card, in your words: ${replyText}. Confirm what was understood, and the work goes on with it.`,
      to: placeOf(told),
      isDone: done(told),
      line: null,
    },
    {
      title: "The week",
      words: "What was proven, what it cost, how long you were waited for.",
      to: "/weekly",
      isDone: false,
      line: null,
    },
  ];
}
