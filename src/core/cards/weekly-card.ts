import { formatUsd } from "../money.ts";
import { chartWords } from "../reports/chart.ts";
import type { Week } from "../reports/week.ts";
import { formatDuration } from "../text.ts";
import { type CardBlock, note, text } from "./card.ts";

/** The numbers of a week under its report, each with what it is measured from; what has nothing to measure says so. */
export function weekBlocks(week: Week): CardBlock[] {
  const { metrics } = week;
  const percent = (share: number | null): string =>
    share === null ? "nothing to measure" : `${Math.round(share * 100)} %`;
  return [
    text({ strong: "Progress" }),
    {
      type: "fields",
      fields: [
        { label: "Goals completed", value: [String(week.complete)] },
        { label: "Goals failed", value: [String(week.failed)] },
        { label: "Total cost", value: [formatUsd(week.spentMicroUsd)] },
        { label: "Verified of completed", value: [percent(metrics.verifiedOfComplete)] },
        { label: "Really executed", value: [percent(metrics.realExecution)] },
        { label: "Recovered by itself", value: [percent(metrics.automaticRecovery)] },
        { label: "Without a person's review", value: [percent(metrics.withoutReview)] },
        {
          label: "Cost of a completed goal",
          value: [
            metrics.costPerCompletedMicroUsd === null
              ? "nothing to measure"
              : formatUsd(metrics.costPerCompletedMicroUsd),
          ],
        },
        {
          label: "Questions answered after",
          value: [
            metrics.averageResponseMs === null
              ? "none was asked"
              : `${formatDuration(metrics.averageResponseMs)} on average`,
          ],
        },
        {
          label: "Completion against 4 weeks before",
          value: [
            metrics.trend === null
              ? "nothing to compare"
              : `${metrics.trend >= 0 ? "+" : "−"}${Math.abs(Math.round(metrics.trend * 100))} points`,
          ],
        },
      ],
    },
    note({ link: "The chart", to: "/weekly" }, `: ${chartWords(week)}`),
  ];
}
