import { onWord } from "./on-word.ts";
import { formatUsd } from "../money.ts";
import { chartWords } from "../reports/chart.ts";
import type { WeeklySummary } from "../reports/summary.ts";
import type { ReportLine } from "../reports/report-facts.ts";
import type { Week } from "../reports/week.ts";
import { firstLine } from "../text.ts";
import { type CardBlock, note, text } from "./card.ts";
import { backedWords, branchWords, failedWords, measured, metricWords, setAsideWords } from "./metric-words.ts";
import { guardsNote } from "./tag-words.ts";
import { namesOrNone } from "./weekly-report.ts";

/**
 * The summary of a week below its report: campaigns, progress, the projection, and the metrics with their targets. Empty parts are left
 * out; the long report has them.
 */
export function weekBlocks(week: Week, summary: WeeklySummary): CardBlock[] {
  const estimated = week.spentIsEstimated ? " (estimated)" : "";
  const projection = summary.nextWeekProjection.map((line) => [firstLine(line, 200)]);
  const { known, unknown } = measured(metricWords(week));
  const { merged, discarded, reverted, undecided } = week.branches;
  return [
    ...campaignBlocks(summary),
    text({ strong: "Progress" }),
    {
      type: "fields",
      fields: [
        { label: "Goals completed", value: [week.complete === 0 ? "0" : `${week.complete}: ${backedWords(week)}`] },
        { label: "Goals failed", value: [failedWords(week)] },
        ...(week.deferred + week.manual === 0 ? [] : [{ label: "Goals set aside", value: [setAsideWords(week)] }]),
        ...(merged + discarded + reverted + undecided === 0
          ? []
          : [{ label: "Branches", value: [branchWords(week.branches)] }]),
        { label: "Total cost", value: [`${formatUsd(week.spentMicroUsd)}${estimated}`] },
      ],
    },
    ...guardsNote(week.guardsOnly > 0),
    ...(projection.length === 0
      ? []
      : [text({ strong: "Next week's projection" }), { type: "list", items: projection } as const]),
    ...(known.length === 0
      ? []
      : [
          text({ strong: "Success metrics" }),
          {
            type: "list",
            items: known.map(({ name, value, target, measuredFrom }) => [
              { strong: `${name}: ` },
              `${value}${target === null ? "" : `, target ${target}`} (${measuredFrom})`,
            ]),
          } as const,
        ]),
    ...(unknown.length === 0 ? [] : [note(`Nothing to measure yet: ${unknown.join(", ")}.`)]),
  ];
}

/** Empty when there is no campaign. */
function campaignBlocks(summary: WeeklySummary): CardBlock[] {
  const {
    campaignsActive,
    campaignsCompleted,
    campaignsPaused = [],
    milestonesCompleted,
    milestonesRemaining,
  } = summary;
  if (
    campaignsActive.length +
      campaignsCompleted.length +
      campaignsPaused.length +
      milestonesCompleted +
      milestonesRemaining ===
    0
  )
    return [];
  return [
    text({ strong: "Campaigns" }),
    {
      type: "fields",
      fields: [
        { label: "Active", value: [namesOrNone(campaignsActive)] },
        ...(campaignsPaused.length === 0 ? [] : [{ label: "Paused", value: [namesOrNone(campaignsPaused)] }]),
        { label: "Completed this week", value: [namesOrNone(campaignsCompleted)] },
        { label: "Milestones completed", value: [`${milestonesCompleted}${onWord(summary.milestonesOnWord)}`] },
        { label: "Milestones remaining", value: [String(milestonesRemaining)] },
      ],
    },
  ];
}

/** The week at a glance (F-412): what was done, the names of what failed, the cost, what waits, and the chart. */
export function weekInBrief(
  week: Week,
  summary: WeeklySummary,
  waiting: number,
  failed: readonly Pick<ReportLine, "content">[] = [],
): CardBlock[] {
  const estimated = week.spentIsEstimated ? " (estimated)" : "";
  const named = failed.slice(0, 3).map(({ content }) => firstLine(content, 30));
  const more = failed.length > named.length ? ` and ${failed.length - named.length} more` : "";
  const failures = named.length === 0 ? "" : ` (${named.join("; ")}${more})`;
  return [
    {
      type: "list",
      items: [
        week.complete === 0 ? [{ strong: "0 done" }] : [{ strong: `${week.complete} done: ` }, backedWords(week)],
        [{ strong: "Failed: " }, `${week.failed}${failures}, `, { strong: "waiting for a person: " }, String(waiting)],
        [{ strong: "Spent: " }, `${formatUsd(week.spentMicroUsd)}${estimated}`],
        ...(summary.milestonesCompleted + summary.milestonesRemaining === 0
          ? []
          : [
              [
                { strong: "Milestones: " },
                `${summary.milestonesCompleted} done${onWord(summary.milestonesOnWord)}, ${summary.milestonesRemaining} left`,
              ],
            ]),
      ],
    },
    chartBlock(week),
  ];
}

/** The week's chart as a picture, with its words for places that show no pictures. */
export function chartBlock(week: Week): CardBlock {
  return { type: "picture", picture: { type: "week", week }, words: chartWords(week) };
}
