import { formatUsd } from "../money.ts";
import type { WeekMetrics } from "../reports/week.ts";
import { formatDuration } from "../text.ts";

/** A success metric of seed 004 §7 in words. */
export interface MetricWords {
  readonly name: string;
  readonly value: string;
  /** What the seed wants it to be; null where it only wants it followed. */
  readonly target: string | null;
  readonly measuredFrom: string;
}

const nothing = "nothing to measure";

/** The metrics in the seed's order, each with its target and with what it is measured from. */
export function metricWords(metrics: WeekMetrics): MetricWords[] {
  const before = metrics.costPerCompletedBeforeMicroUsd;
  return [
    {
      name: "Real execution rate",
      value: percent(metrics.realExecution),
      target: "100 %",
      measuredFrom: "goals that ended and for which something was executed, of all that ended",
    },
    {
      name: "Automatic recovery",
      value: percent(metrics.automaticRecovery),
      target: "70 % or more",
      measuredFrom: "goals that were completed without a person after a failed attempt, of all that ended after one",
    },
    {
      name: "Completed without review",
      value: percent(metrics.withoutReview),
      target: "more than 70 %",
      measuredFrom: "completed goals about which no person was asked, of all completed",
    },
    {
      name: "Multi-day completion",
      value: percent(metrics.multiDay),
      target: "more than 75 %",
      measuredFrom: `campaigns that were completed, of those that ended in the week; over all weeks: ${percent(metrics.multiDayEver)}`,
    },
    {
      name: "Learning",
      value: metrics.trend === null ? nothing : points(metrics.trend),
      target: "+10 points a month or more",
      measuredFrom: "completed of ended goals, against the four weeks before",
    },
    {
      name: "Cost of a completed goal",
      value: metrics.costPerCompletedMicroUsd === null ? nothing : formatUsd(metrics.costPerCompletedMicroUsd),
      target: null,
      measuredFrom: `the ledger's spend by completed goals; in the four weeks before: ${before === null ? nothing : formatUsd(before)}`,
    },
    {
      name: "Response to questions",
      value: metrics.averageResponseMs === null ? nothing : `${formatDuration(metrics.averageResponseMs)} on average`,
      target: "less than 30 min on average",
      measuredFrom: "questions that a person settled, from asking to the answer",
    },
  ];
}

function percent(share: number | null): string {
  return share === null ? nothing : `${Math.round(share * 100)} %`;
}

function points(share: number): string {
  const rounded = Math.round(share * 100);
  return `${rounded < 0 ? "−" : "+"}${Math.abs(rounded)} points`;
}
