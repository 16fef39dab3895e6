import { goalCeiling } from "../goals/budget.ts";
import { estimateOf, type GoalRequest } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";
import type { PlannedGoal } from "./campaign.ts";
import { predictSum, type PredictionSample, sampleOf } from "./prediction.ts";
import { executorOf, type PastRun, runsFor } from "./rehearse-runs.ts";

/** The predicted cost of goals: between `low` and `high` in four of five cases. Whole micro-dollars. */
export interface CostRange {
  readonly lowMicroUsd: number;
  readonly likelyMicroUsd: number;
  readonly highMicroUsd: number;
}

/** The past runs from which a goal's cost is predicted. */
export interface Basis {
  /** Equal for goals with the same runs. */
  readonly key: string;
  /** Costs of runs in micro-dollars, or with `isOfEstimates` the costs divided by their estimates. */
  readonly sample: PredictionSample;
  readonly isOfEstimates: boolean;
  readonly isAlike: boolean;
}

/**
 * Returns a function that gives the basis for predicting a goal's cost. For a goal with an estimate: the costs of estimated runs divided by
 * their estimates, if there are at least two. For any other goal: the costs of runs.
 */
export function basesFrom(history: readonly PastRun[]): (request: GoalRequest) => Basis {
  const known = new Map<string, Basis>();
  return (request) => {
    const isEstimated = (estimateOf(request) ?? 0) > 0;
    const kind = `${executorOf(request)} ${request.linkage.kind} ${isEstimated}`;
    const basis = known.get(kind) ?? basisOf(request, isEstimated, history);
    known.set(kind, basis);
    return basis;
  };
}

function basisOf(request: GoalRequest, isEstimated: boolean, history: readonly PastRun[]): Basis {
  if (isEstimated) {
    const { key, runs, isAlike } = runsFor(request, history, (run) => (run.estimateMicroUsd ?? 0) > 0);
    const ratios = runs.map((run) => run.costMicroUsd / (run.estimateMicroUsd ?? 1));
    if (runs.length >= 2)
      return { key: `${key}, of estimates`, sample: sampleOf(ratios), isOfEstimates: true, isAlike };
  }
  const { key, runs, isAlike } = runsFor(request, history);
  return { key, sample: sampleOf(runs.map((run) => run.costMicroUsd)), isOfEstimates: false, isAlike };
}

/**
 * Predicts the cost of goals: the estimate times its basis, or the basis itself. Goals count as independent. Together they cost no more
 * than their ceilings. With fewer than two runs, anything up to the ceilings is possible; the guess is then the estimate, or half the
 * ceiling.
 */
export function costOf(
  goals: readonly PlannedGoal[],
  baseOf: (request: GoalRequest) => Basis,
  policy: Policy,
): CostRange {
  const parts = new Map<string, { sample: PredictionSample; weights: number[] }>();
  let [unknown, guess, ceilings] = [0, 0, 0];
  for (const { request } of goals) {
    const estimate = estimateOf(request);
    const ceiling = goalCeiling({ ceilingMicroUsd: null, estimateMicroUsd: estimate }, policy);
    const { key, sample, isOfEstimates } = baseOf(request);
    ceilings += ceiling;
    if (sample.count < 2) {
      unknown += ceiling;
      guess += Math.min(ceiling, estimate ?? ceiling / 2);
      continue;
    }
    const part = parts.get(key) ?? { sample, weights: [] };
    part.weights.push(isOfEstimates ? (estimate ?? 0) : 1);
    parts.set(key, part);
  }
  const { low, likely, high } = predictSum([...parts.values()]);
  const whole = (amount: number): number => Math.round(Math.min(amount, ceilings));
  return {
    lowMicroUsd: whole(low),
    likelyMicroUsd: whole(likely + guess),
    highMicroUsd: whole(high + unknown),
  };
}
