import { firstLine } from "../text.ts";
import type { CardAction } from "./card.ts";
import { addCriteriaLabel } from "./forms.ts";
import type { GoalCardFacts } from "./goal-facts.ts";

/** What a person can do on a goal's card: with its branch, its proof, and what only a person can check. */
export function goalActions(facts: GoalCardFacts): readonly CardAction[] {
  return [...branchActions(facts), ...reworkActions(facts), ...proveActions(facts), ...checkActions(facts)];
}

/** What can be done with a finished branch: merge, discard, or undo a merge while there is time (D24). */
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

/** What people said on its pull request is worked on when somebody says so who may decide. */
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

/** What nobody has proven can still be: criteria are added, and the system runs them (D27, F-213). */
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

/** A person says that a manual criterion holds; it never blocks (AC-13). */
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
