import type { CheckpointKind } from "../checkpoints/checkpoint.ts";
import type { PlannedGoal } from "./campaign.ts";
import { type Expected, predictSum, sampleOf } from "./prediction.ts";
import { type PastRun, runsFor } from "./rehearse-runs.ts";

/** Questions that come up while goals are worked. They cannot be predicted one by one. */
export type DuringWork =
  /** Fewer than two runs are recorded. */
  | { readonly type: "unknown" }
  | {
      readonly type: "expected";
      /** Whole questions: between `low` and `high` in four of five cases. `likely` is the mean and may be a fraction. */
      readonly low: number;
      readonly likely: number;
      readonly high: number;
      /** The parts of `likely`, most frequent first. An `escalation` is a goal that no attempt could complete. */
      readonly kinds: readonly { readonly kind: CheckpointKind; readonly count: number }[];
      /** How many of `likely` come at night. Null when no recorded run has asked anything. */
      readonly atNight: number | null;
    };

/** Predicts the questions of goals while they are worked, from the questions of past runs. The share at night is that of all runs. */
export function duringWork(goals: readonly PlannedGoal[], history: readonly PastRun[]): DuringWork {
  if (history.length < 2) return { type: "unknown" };
  const groups = new Map<string, { readonly runs: readonly PastRun[]; goals: number }>();
  for (const { request } of goals) {
    const { key, runs } = runsFor(request, history);
    const group = groups.get(key) ?? { runs, goals: 0 };
    group.goals += 1;
    groups.set(key, group);
  }
  const parts: Expected[] = [];
  const kinds = new Map<CheckpointKind, number>();
  for (const { runs, goals } of groups.values()) {
    parts.push({ sample: sampleOf(runs.map(askedBy)), weights: Array.from({ length: goals }, () => 1) });
    for (const [kind, times] of runs.flatMap(questionsOf)) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + (goals * times) / runs.length);
    }
  }
  const { low, likely, high } = predictSum(parts);
  const asked = history.reduce((sum, run) => sum + askedBy(run), 0);
  const askedAtNight = history.reduce((sum, run) => sum + run.askedAtNight, 0);
  return {
    type: "expected",
    // Rounding errors, such as those of thirds, must not change whole numbers.
    low: Math.floor(low + 1e-9),
    likely,
    high: Math.max(0, Math.ceil(high - 1e-9)),
    kinds: [...kinds]
      .map(([kind, count]) => ({ kind, count }))
      .sort((one, other) => other.count - one.count || one.kind.localeCompare(other.kind)),
    atNight: asked === 0 ? null : likely * Math.min(1, askedAtNight / asked),
  };
}

function questionsOf({ questions }: PastRun): (readonly [CheckpointKind, number])[] {
  // Object.entries widens the keys; the record has no others.
  const entries = Object.entries(questions) as [CheckpointKind, number][];
  return entries.filter(([kind, times]) => kind !== "start" && times > 0);
}

function askedBy(run: PastRun): number {
  return questionsOf(run).reduce((sum, [, times]) => sum + times, 0);
}
