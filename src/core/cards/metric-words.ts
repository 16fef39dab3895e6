import { acceptedNotes, verifiedCount } from "./tag-words.ts";
import { formatUsd } from "../money.ts";
import type { Week } from "../reports/week.ts";
import type { Fraction } from "../reports/week-rows.ts";
import { count, formatDuration } from "../text.ts";

/** A success metric of seed 004 §7 or of seed 000 §1.3, in words. */
export interface MetricWords {
  readonly name: string;
  readonly value: string;
  /** The target of the seed. Null when the seed only wants the metric observed. */
  readonly target: string | null;
  /** The counts behind it ("1 of 2"), and its definition in one line. */
  readonly measuredFrom: string;
  /** Why it has no value, for the case that it has none. */
  readonly lacks: string;
}

const nothing = "nothing to measure";

/**
 * Splits metrics into those with a value, and the names of the others with the reason: "Learning (no goal ended in the four weeks before)".
 */
export function measured(metrics: readonly MetricWords[]): {
  readonly known: readonly MetricWords[];
  readonly unknown: readonly string[];
} {
  return {
    known: metrics.filter(({ value }) => value !== nothing),
    unknown: metrics.filter(({ value }) => value === nothing).map(({ name, lacks }) => `${name} (${lacks})`),
  };
}

/** The metrics in the order of the seeds, each with its target and definition. */
export function metricWords({
  metrics,
  fractions,
  leftOut,
}: Pick<Week, "metrics" | "fractions" | "leftOut">): MetricWords[] {
  const before = metrics.costPerCompletedBeforeMicroUsd;
  return [
    {
      name: "Real execution rate",
      value: percent(fractions.realExecution),
      target: "100 %",
      measuredFrom: `${parts(fractions.realExecution)}goals for which something was executed, of all completed or failed`,
      lacks: "no goal was completed or failed",
    },
    {
      name: "Automatic recovery",
      value: percent(fractions.automaticRecovery),
      target: "70 % or more",
      measuredFrom: `${parts(fractions.automaticRecovery)}goals completed without a person's help after a failed attempt, of all that ended after one, or were given to a person`,
      lacks: "no goal ended after a failed attempt",
    },
    {
      name: "Completed without review",
      value: percent(fractions.withoutReview),
      target: "more than 70 %",
      measuredFrom: `${parts(fractions.withoutReview)}completed goals about which no person answered a question, of all completed`,
      lacks: "no goal was completed",
    },
    {
      name: "Multi-day completion",
      value: percent(fractions.multiDay),
      target: "more than 75 %",
      measuredFrom: `${parts(fractions.multiDay)}campaigns that were completed, of those that had started and ended in the week; over all weeks: ${percent(fractions.multiDayEver)}`,
      lacks: "no campaign ended",
    },
    {
      name: "Learning",
      value: metrics.trend === null ? nothing : points(metrics.trend),
      target: "+10 points a month or more",
      measuredFrom: `completed of completed and failed goals: ${parts(fractions.completionRate, "none ")}against ${parts(fractions.completionRateBefore, "none ")}in the four weeks before`,
      lacks: "no goal ended in this week, or none in the four weeks before",
    },
    {
      name: "Cost of a completed goal",
      value: metrics.costPerCompletedMicroUsd === null ? nothing : formatUsd(metrics.costPerCompletedMicroUsd),
      target: null,
      measuredFrom: `the ledger's spend by ${count(fractions.costPerCompletedMicroUsd.denominator, "completed goal")}; in the four weeks before: ${before === null ? nothing : formatUsd(before)}`,
      lacks: "no goal was completed",
    },
    {
      name: "Response to questions",
      value: metrics.averageResponseMs === null ? nothing : `${formatDuration(metrics.averageResponseMs)} on average`,
      target: "less than 30 min on average",
      measuredFrom: `${count(fractions.averageResponseMs.denominator, "question")} that a person settled, from asking to the answer`,
      lacks: "nobody answered a question",
    },
    {
      name: "Worklogs left out",
      value: percent(leftOut),
      target: "12 % or less",
      measuredFrom: `${parts(leftOut)}goals with --no-worklog, --skip-verify or --no-checkpoints, of all that were added`,
      lacks: "no goal was added",
    },
  ];
}

/** "3 verified (1 guards only, 1 accepted by a person), 1 only claimed (1 accepted by a person)". */
export function backedWords({ verified, guardsOnly, verifiedAccepted, claimed, accepted, notChecked }: Week): string {
  const said = [
    verifiedCount({ verified, guardsOnly, accepted: verifiedAccepted }),
    [`${claimed} only claimed`, ...acceptedNotes(accepted).map((note) => `(${note})`)].join(" "),
    ...(notChecked === 0 ? [] : [`${notChecked} not checked`]),
  ];
  return said.join(", ");
}

/** "3, 2 of them after every attempt was used up". */
export function failedWords({ failed, failedOnLadder }: Week): string {
  return failedOnLadder === 0 ? String(failed) : `${failed}, ${failedOnLadder} of them after every attempt was used up`;
}

/** Goals that were set aside. Those that had failed before count as failed, and not here. */
export function setAsideWords({ deferred, manual }: Pick<Week, "deferred" | "manual">): string {
  return `without a failure: ${deferred} skipped, ${manual} left to a person`;
}

/** What happened to finished branches during the week. */
export function branchWords({ merged, discarded, reverted, undecided }: Week["branches"]): string {
  return `${merged} merged, ${discarded} discarded, ${reverted} reverted; ${undecided} of this week's not decided`;
}

function percent({ numerator, denominator }: Fraction): string {
  return denominator === 0 ? nothing : `${Math.round((numerator / denominator) * 100)} %`;
}

/** "2 of 3 ", to be followed by the noun. `none` when the denominator is 0. */
function parts({ numerator, denominator }: Fraction, none = ""): string {
  return denominator === 0 ? none : `${numerator} of ${denominator} `;
}

function points(share: number): string {
  const rounded = Math.round(share * 100);
  return `${rounded < 0 ? "−" : "+"}${Math.abs(rounded)} points`;
}
