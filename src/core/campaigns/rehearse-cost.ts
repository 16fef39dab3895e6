import { goalCeiling } from "../goals/budget.ts";
import { estimateOf, type GoalRequest } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";
import type { PlannedGoal } from "./campaign.ts";
import { predictSum, type PredictionSample, sampleOf } from "./prediction.ts";
import { executorOf, type PastRun, runsFor } from "./rehearse-runs.ts";

/** What goals will cost: four of five times between `low` and `high`. Whole micro-dollars. */
export interface CostRange {
  readonly lowMicroUsd: number;
  readonly likelyMicroUsd: number;
  readonly highMicroUsd: number;
}

/** What a goal's cost is foretold from. */
export interface Basis {
  /** The same for goals with the same runs. */
  readonly key: string;
  /** Costs of runs in micro-dollars, or what they came to of their estimates. */
  readonly sample: PredictionSample;
  readonly isOfEstimates: boolean;
  readonly isAlike: boolean;
}

/**
 * Says what each goal's cost is foretold from. An estimated goal: what estimated runs came to of their estimates, when
 * there are two; any other: what runs cost.
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
 * What goals will cost: an estimate times its basis, or its basis. Goals count as independent; together they cost no more
 * than their ceilings. With fewer than two runs anything up to the ceilings is possible, and the estimate, or half the
 * ceiling, is the guess.
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
