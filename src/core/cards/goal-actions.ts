import { firstLine } from "../text.ts";
import type { CardAction } from "./card.ts";
import { addCriteriaLabel } from "./forms.ts";
import type { GoalCardFacts } from "./goal-facts.ts";

/** The buttons of a goal's card: for its branch, its pull request's remarks, its proof, and criteria that only a person can check. */
export function goalActions(facts: GoalCardFacts): readonly CardAction[] {
  return [...branchActions(facts), ...reworkActions(facts), ...proveActions(facts), ...checkActions(facts)];
}

/** The buttons of a finished branch: Merge and Discard, or Undo while a merge is due (D24). */
function branchActions({ goal, merge }: GoalCardFacts): CardAction[] {
  if (goal.status !== "complete" || goal.branch === null) return [];
  const action = (choice: "undo" | "merge" | "discard", label: string, style: CardAction["style"]): CardAction => ({
    choice,
    label,
    style,
    call: { command: `goal ${choice}`, id: goal.goalId },
    about: firstLine(goal.content, 100),
    until: null,
  });
  switch (merge?.status) {
    case "due":
      return [action("undo", "Undo", "default")];
    case "merging":
    case "merged":
    case "discarded":
      return [];
    case "undone":
    case "refused":
    case undefined:
      return [action("merge", "Merge", "primary"), action("discard", "Discard", "danger")];
  }
}

/** Remarks on its pull request are worked on only when somebody who may decide presses this. */
function reworkActions({ goal, pull, merge }: GoalCardFacts): CardAction[] {
  const isOpen = merge === null || merge.status === "undone" || merge.status === "refused";
  if (goal.status !== "complete" || goal.runCommand !== null || !isOpen) return [];
  if (pull === null || pull.state !== "open" || pull.remarksWaiting === 0) return [];
  return [
    {
      choice: "rework",
      label: "Work on remarks",
      style: "default",
      call: { command: "goal rework", id: goal.goalId },
      about: firstLine(goal.content, 100),
      until: null,
    },
  ];
}

/** A complete goal without proof can still be proven: criteria are added, and the system runs them (D27, F-213). */
function proveActions({ goal, tag, merge }: GoalCardFacts): CardAction[] {
  const isOpen = merge === null || merge.status === "undone" || merge.status === "refused";
  if (goal.status !== "complete" || tag === "verified" || !isOpen) return [];
  return [
    {
      choice: "prove",
      label: addCriteriaLabel,
      style: "default",
      call: { command: "goal prove", id: goal.goalId },
      about: firstLine(goal.content, 100),
      until: null,
    },
  ];
}

/** With these a person says that a manual criterion holds. Such a criterion never blocks (AC-13). */
function checkActions({ goal, criteria }: GoalCardFacts): CardAction[] {
  if (goal.status !== "complete") return [];
  return criteria
    .filter((criterion) => criterion.status === "requires-human")
    .slice(0, 3)
    .map((criterion) => ({
      choice: `check-${criterion.id.toLowerCase()}`,
      label: `${criterion.id} holds`,
      style: "default",
      call: { command: "goal check", id: goal.goalId, criterion: criterion.id },
      about: `${criterion.title} of ${firstLine(goal.content, 80)}`,
      until: null,
    }));
}
