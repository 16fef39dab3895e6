import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import { countVerified, tagWords, verifiedCount } from "../cards/tag-words.ts";
import { count, firstLine } from "../text.ts";
import type { Milestone } from "./campaign.ts";
import type { AskedWhetherDone } from "./step.ts";
import type { WorkedGoal } from "./work.ts";

/** A goal of the milestone, as the question shows it. */
type Shown = WorkedGoal & { readonly content: string };

/** The text of the question whether a milestone is done, which is asked when not all of it is verified (C-82). */
export function doneQuestion(
  milestone: Pick<Milestone, "name" | "successCriteria">,
  goals: readonly Shown[],
): { readonly context: string; readonly details: readonly string[] } {
  const verified = verifiedCount(countVerified(goals.filter((goal) => goal.status === "complete")));
  const ended = goals.length === 0 ? "It has no goals" : `${count(goals.length, "goal")} ended, ${verified}`;
  return {
    context: `Is milestone '${milestone.name}' done? ${ended}`,
    details: [
      ...milestone.successCriteria.map((each) => `Done when: ${each}`),
      ...goals.map((goal) => `${tagWords(goal)}${goal.status}: ${firstLine(goal.content, 120)}`),
    ],
  };
}

/**
 * The state of the newest such question about a milestone. "no" when it was asked about other goals or criteria, such as before a replan.
 */
export function askedWhetherDone(
  newest: Pick<Checkpoint, "status" | "context" | "facts"> | undefined,
  now: ReturnType<typeof doneQuestion>,
): AskedWhetherDone {
  if (newest?.status === "pending") return "open";
  if (newest === undefined || newest.status === "superseded") return "no";
  const isSame = newest.context === now.context && newest.facts.details.join("\n") === now.details.join("\n");
  if (!isSame) return "no";
  return newest.status === "expired" ? "unanswered" : "answered";
}
