import type { CheckpointKind } from "../checkpoints/checkpoint.ts";
import { isQuiet, type QuietHours } from "../checkpoints/quiet.ts";
import type { Linkage } from "../goals/goal.ts";
import type { GoalRequest } from "../goals/new-goal.ts";

/** A run of a goal that has ended, with its cost and its questions. */
export interface PastRun {
  readonly executor: "agent" | "run";
  readonly link: Linkage["kind"];
  readonly costMicroUsd: number;
  readonly estimateMicroUsd: number | null;
  /** Questions during the work and about its result. Those before the work (`start`) can be predicted and are left out. */
  readonly questions: Readonly<Partial<Record<CheckpointKind, number>>>;
  /** How many of these came at night (`isNightTime`). */
  readonly askedAtNight: number;
}

/** The past runs that are used to predict a goal. */
export interface Runs {
  /** Equal for goals with the same runs. */
  readonly key: string;
  readonly runs: readonly PastRun[];
  /** True when all of them have the goal's kind of executor and of link. */
  readonly isAlike: boolean;
}

/** Number of similar runs from which on less similar runs are not used. */
const enoughAlike = 5;

/**
 * The past runs that are used to predict a goal: runs with its kind of executor and of link if there are 5, else runs with its kind of
 * executor if there are 2, else all. Only runs for which `counts` is true are used.
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

/** Whether an agent or a command of its own does the goal's work. */
export function executorOf({ run }: Pick<GoalRequest, "run">): PastRun["executor"] {
  return run === null ? "agent" : "run";
}

const night: QuietHours = { from: 22 * 60, to: 7 * 60 };

/** True when a question came at night: between 22:00 and 07:00 in the zone's local time, or in quiet hours. */
export function isNightTime(at: Date, quiet: QuietHours | null, zone: string): boolean {
  return isQuiet(at, night, zone) || isQuiet(at, quiet, zone);
}
