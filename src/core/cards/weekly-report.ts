import { formatUsd } from "../money.ts";
import type { WeeklySummary } from "../reports/summary.ts";
import type { Week } from "../reports/week.ts";
import { count, firstLine } from "../text.ts";
import { type Card, plainCard } from "./card.ts";
import { branchWords, metricWords, setAsideWords } from "./metric-words.ts";
import { spokenTitle } from "./plain.ts";

/** The weekly as the seed writes it, with the evidence and the success metrics below it. Markdown. S4-WK-10, S4-CL-07. */
export function weeklyReport(summary: WeeklySummary, week: Week): string {
  const projection = summary.nextWeekProjection.map((line) => `- ${firstLine(line, 200)}`);
  const estimated = week.spentIsEstimated ? " (estimated)" : "";
  return [
    `# Weekly Summary: ${summary.weekStart} to ${summary.weekEnd}`,
    "",
    "## Campaigns",
    `- Active: ${namesOrNone(summary.campaignsActive)}`,
    ...(summary.campaignsPaused === undefined ? [] : [`- Paused: ${namesOrNone(summary.campaignsPaused)}`]),
    `- Completed this week: ${namesOrNone(summary.campaignsCompleted)}`,
    "",
    "## Progress",
    `- Milestones completed: ${summary.milestonesCompleted}`,
    `- Milestones remaining: ${summary.milestonesRemaining}`,
    `- Goals completed: ${summary.goalsCompleted}`,
    `- Goals failed: ${summary.goalsFailed}`,
    `- Total cost: ${formatUsd(summary.totalCostMicroUsd)}${estimated}`,
    "",
    "## Next Week Projection",
    ...(projection.length === 0 ? ["- None"] : projection),
    "",
    "## Evidence",
    ...(summary.milestonesOnWord === 0
      ? []
      : [`- Milestones completed on a person's word: ${summary.milestonesOnWord}`]),
    `- Goals completed and verified: ${week.verified}${week.guardsOnly === 0 ? "" : `, ${week.guardsOnly} of them guards only`}${week.verifiedAccepted === 0 ? "" : `, ${week.verifiedAccepted} of them accepted by a person`}`,
    `- Goals completed and only claimed: ${week.claimed}${week.accepted === 0 ? "" : `, ${week.accepted} of them accepted by a person`}`,
    `- Goals completed and not checked: ${week.notChecked}`,
    `- Goals failed after every attempt was used up: ${week.failedOnLadder}; otherwise: ${week.failed - week.failedOnLadder}`,
    `- Goals set aside ${setAsideWords(week)}`,
    `- Branches: ${branchWords(week.branches)}`,
    "",
    "## Success Metrics",
    ...metricWords(week).map(({ name, value, target, measuredFrom }) => {
      return `- ${name}: ${value} (${target === null ? "" : `target ${target}; `}${measuredFrom})`;
    }),
    "",
  ].join("\n");
}

/** The report as a card: its heading is the title, the rest is a code block. */
export function weeklyReportCard(summary: WeeklySummary, week: Week): Card {
  const [title = "", ...rest] = weeklyReport(summary, week).split("\n");
  return plainCard({
    kind: "report",
    tone: "neutral",
    title,
    summary: `${spokenTitle(title)}: ${count(summary.goalsCompleted, "goal")} completed, ${summary.goalsFailed} failed.`,
    blocks: [{ type: "code", text: rest.join("\n").trim() }],
  });
}

/** The names in one line, or "None". Line breaks in a name are removed. */
export function namesOrNone(names: readonly string[]): string {
  return names.map((name) => firstLine(name, 100)).join(", ") || "None";
}
