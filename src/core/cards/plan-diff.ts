import type { DayChange, GoalChange, MilestoneChange, PlanDiff } from "../campaigns/diff.ts";
import { formatUsd } from "../money.ts";
import { firstLine } from "../text.ts";

/** What a new plan changes, one line for each day and milestone. One line also says that nothing changes. */
export function planDiffLines(diff: PlanDiff): string[] {
  const lines = [...diff.days.map(dayLine), ...diff.milestones.map(milestoneLine)];
  return lines.length === 0 ? ["Nothing changes."] : lines;
}

function dayLine({ dayNumber, type, budgetMicroUsd, goals }: DayChange): string {
  const words = goals.map(goalWords).join("; ");
  const colon = words === "" ? "" : `: ${words}`;
  if (type === "dropped") return `Day ${dayNumber} is dropped${colon}`;
  const budget = budgetMicroUsd === null ? "" : `, up to ${formatUsd(budgetMicroUsd.to)}`;
  if (type === "added") return `Day ${dayNumber} is new${budget}${colon}`;
  const was = budgetMicroUsd?.from == null ? "" : ` instead of ${formatUsd(budgetMicroUsd.from)}`;
  return `Day ${dayNumber}${budget}${was}${colon}`;
}

function goalWords(change: GoalChange): string {
  const goal = `"${firstLine(change.goal.request.content, 80)}"`;
  switch (change.type) {
    case "added":
      return `adds ${goal}`;
    case "dropped":
      return `drops ${goal}`;
    case "moved":
      return `takes ${goal} from day ${change.fromDay}`;
    case "again":
      return `takes up ${goal} of day ${change.fromDay} again`;
  }
}

function milestoneLine(change: MilestoneChange): string {
  const name = `Milestone "${firstLine(change.name, 80)}"`;
  switch (change.type) {
    case "added":
      return `${name} is new, due on day ${change.toDay}`;
    case "dropped":
      return `${name}, due on day ${change.fromDay}, is dropped`;
    case "moved":
      return `${name} is due on day ${change.toDay} instead of day ${change.fromDay}`;
  }
}
