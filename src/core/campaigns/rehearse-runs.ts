import type { CheckpointKind } from "../checkpoints/checkpoint.ts";
import { isQuiet, type QuietHours } from "../checkpoints/quiet.ts";
import type { Linkage } from "../goals/goal.ts";
import type { GoalRequest } from "../goals/new-goal.ts";

/** A goal's run that has ended: what it cost and asked. */
export interface PastRun {
  readonly executor: "agent" | "run";
  readonly link: Linkage["kind"];
  readonly costMicroUsd: number;
  readonly estimateMicroUsd: number | null;
  /** While it was worked and about its result; those before it (`start`) can be foreseen and are left out. */
  readonly questions: Readonly<Partial<Record<CheckpointKind, number>>>;
  /** How many of these at night (`isNightTime`). */
  readonly askedAtNight: number;
}

/** The runs that say what a goal will be like. */
export interface Runs {
  /** The same for goals with the same runs. */
  readonly key: string;
  readonly runs: readonly PastRun[];
  /** All of them with the goal's kind of executor and of link. */
  readonly isAlike: boolean;
}

/** As many like ones are needed before less alike ones are left aside. */
const enoughAlike = 5;

/**
 * The runs that say what a goal will be like: those with its kind of executor and of link when there are 5, else those
 * with its kind of executor when there are 2, else all. Only runs that `counts` takes are looked at.
 */
export function runsFor(
  request: Pick<GoalRequest, "run" | "linkage">,
  history: readonly PastRun[],
  counts: (run: PastRun) => boolean = () => true,
): Runs {
  const executor = executorOf(request);
  const link = request.linkage.kind;
  const all = history.filter(counts);
  const ofExecutor = all.filter((run) => run.executor === executor);
  const alike = ofExecutor.filter((run) => run.link === link);
  if (alike.length >= enoughAlike) return { key: `${executor} ${link}`, runs: alike, isAlike: true };
  const [key, runs] = ofExecutor.length >= 2 ? [executor, ofExecutor] : ["all", all];
  return { key, runs, isAlike: runs.length === alike.length };
}

/** What does a goal's work. */
export function executorOf({ run }: Pick<GoalRequest, "run">): PastRun["executor"] {
  return run === null ? "agent" : "run";
}

const night: QuietHours = { from: 22 * 60, to: 7 * 60 };

/** Whether a question came at night: between 22:00 and 07:00 on the clocks of the zone, or in quiet hours. */
export function isNightTime(at: Date, quiet: QuietHours | null, zone: string): boolean {
  return isQuiet(at, night, zone) || isQuiet(at, quiet, zone);
}
