import type { Policy } from "../policy.ts";

export interface Budgets {
  readonly totalMicroUsd: number;
  readonly dailyMicroUsd: number;
}

const centMicroUsd = 10_000;

/**
 * The budget of a campaign and of each day. The campaign gets the given budget, or 50 USD. A day gets an equal share in whole cents (at
 * least one cent), at most 15 USD. S4-PN-03, S4-PN-04, C-88.
 */
export function budgetsOf({
  budgetMicroUsd,
  days,
  policy,
}: {
  readonly budgetMicroUsd: number | null;
  readonly days: number;
  readonly policy: Policy;
}): Budgets {
  const totalMicroUsd = budgetMicroUsd ?? policy.campaigns.totalMicroUsd;
  const shareMicroUsd = Math.min(policy.campaigns.dayMicroUsd, totalMicroUsd / Math.max(1, days));
  const dailyMicroUsd = Math.max(centMicroUsd, Math.floor(shareMicroUsd / centMicroUsd) * centMicroUsd);
  return { totalMicroUsd, dailyMicroUsd };
}
