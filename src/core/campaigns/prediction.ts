/**
 * Predicts a sum of future values from similar past values: their mean, their spread and their number. Exact and deterministic, in any
 * unit.
 */
export interface PredictionSample {
  readonly count: number;
  readonly mean: number;
  /** The sample variance; 0 for fewer than two. */
  readonly variance: number;
}

/** Count, mean and sample variance (n − 1; 0 for fewer than two). */
export function sampleOf(values: readonly number[]): PredictionSample {
  const count = values.length;
  if (count === 0) return { count, mean: 0, variance: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count, mean, variance: count < 2 ? 0 : squares / (count - 1) };
}

/** Future values that are expected to be like a sample, each multiplied by its weight. */
export interface Expected {
  readonly sample: PredictionSample;
  readonly weights: readonly number[];
}

export interface PredictedRange {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/**
 * The range that contains a sum of independent values in four of five cases, and its mean. The error of a sum has two parts: each value
 * differs from the mean (variance × sum of squared weights), and the mean itself is estimated from a limited number of values (variance ÷
 * count × squared sum of weights). Parts from different samples add up, with Welch's and Satterthwaite's degrees of freedom (Satterthwaite
 * 1946); t for 10 % on either side. Samples of fewer than two values say nothing about spread.
 */
export function predictSum(parts: readonly Expected[]): PredictedRange {
  const errors = parts
    .filter(({ sample }) => sample.count >= 2)
    .map(({ sample, weights }) => {
      const squares = weights.reduce((sum, weight) => sum + weight * weight, 0);
      const variance = sample.variance * (squares + sumOf(weights) ** 2 / sample.count);
      return { variance, freedom: sample.count - 1 };
    });
  const likely = parts.reduce((sum, { sample, weights }) => sum + sample.mean * sumOf(weights), 0);
  const variance = errors.reduce((sum, each) => sum + each.variance, 0);
  if (variance === 0) return { low: likely, likely, high: likely };
  const freedom = variance ** 2 / errors.reduce((sum, each) => sum + each.variance ** 2 / each.freedom, 0);
  const reach = tOf(freedom) * Math.sqrt(variance);
  return { low: Math.max(0, likely - reach), likely, high: likely + reach };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Student's t with 10 % above it, for 1 to 30 degrees of freedom: the standard statistical table. */
const tTable = [
  3.078, 1.886, 1.638, 1.533, 1.476, 1.44, 1.415, 1.397, 1.383, 1.372, 1.363, 1.356, 1.35, 1.345, 1.341, 1.337, 1.333,
  1.33, 1.328, 1.325, 1.323, 1.321, 1.319, 1.318, 1.316, 1.315, 1.314, 1.313, 1.311, 1.31,
];

/** Student's t for these degrees of freedom. Rounds down to a value of the table, so that the range is too wide rather than too narrow. */
export function tOf(freedom: number): number {
  const whole = Math.floor(freedom + 1e-9);
  if (whole >= 120) return 1.289;
  if (whole >= 60) return 1.296;
  if (whole >= 40) return 1.303;
  return tTable[Math.min(Math.max(whole, 1), tTable.length) - 1] ?? 3.078;
}
