import { type Rehearsal, rehearse } from "../core/campaigns/rehearse.ts";
import { isNightTime, type PastRun } from "../core/campaigns/rehearse-runs.ts";
import { rehearsalCard } from "../core/cards/rehearsal-card.ts";
import { endedStatuses } from "../core/goals/goal.ts";
import { thresholdsWith } from "../core/memory/tuning.ts";
import { toUsd } from "../core/money.ts";
import type { CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import { endedRuns } from "../db/past-runs.ts";
import { tunedNow } from "../db/tuning.ts";
import type { Deps } from "../deps.ts";
import { viewCampaign } from "../facts/campaign.ts";
import { chooseCampaign } from "./choose-campaign.ts";
import { command, type CommandResult, done, refused } from "./command.ts";
import { idOf } from "./fields.ts";

export const campaignRehearse = command({
  name: "campaign rehearse",
  summary: "What a campaign's days to come will cost and ask, from recorded runs; nothing runs.",
  access: "read",
  positionals: { id: idOf("campaign").optional() },
  run: (deps, _caller, { id }) => show(deps, id),
});

/** Maximum number of runs; older runs tell less about the future. */
const newestRuns = 500;

async function show(deps: Deps, wanted: string | undefined): Promise<CommandResult> {
  const chosen = await chooseCampaign(deps, wanted);
  if (chosen.type === "refused") return chosen;
  const { campaign } = chosen;
  const { db } = deps.database;
  const view = await viewCampaign(db, campaign);
  const days = view.days
    .filter((day) => day.status !== "done")
    .map((day) => ({
      ...day,
      goals: day.goals.filter((planned) => {
        const row = view.goals.find((goal) => goal.goalId === planned.goalId);
        return row === undefined || !endedStatuses.includes(row.status);
      }),
    }));
  if (days.every((day) => day.goals.length === 0))
    return refused(`${campaign.campaignId} has no goals to come`, `cos campaign status ${campaign.campaignId}`);
  const rehearsal = rehearse({
    isPlanning: campaign.state === "planning",
    days,
    milestones: view.milestones,
    spentMicroUsd: view.spent.spentMicroUsd,
    totalBudgetMicroUsd: campaign.totalBudgetMicroUsd,
    history: await history(deps),
    policy: { ...deps.policy, thresholds: thresholdsWith(deps.policy, await tunedNow(db)) },
  });
  return done(valueOf(campaign.campaignId, rehearsal), rehearsalCard(campaign, rehearsal));
}

/**
 * Returns recorded runs, with the questions asked while they were worked. Questions before the work are left out, because they can be
 * foreseen.
 */
async function history(deps: Deps): Promise<PastRun[]> {
  const { quietHours, timezone } = deps.config;
  return (await endedRuns(deps.database.db, newestRuns)).map(({ hasOwnCommand, questions, ...run }): PastRun => {
    const during = questions.filter((each) => each.kind !== "start");
    const counts: Partial<Record<CheckpointKind, number>> = {};
    for (const { kind } of during) counts[kind] = (counts[kind] ?? 0) + 1;
    return {
      ...run,
      executor: hasOwnCommand ? "run" : "agent",
      questions: counts,
      askedAtNight: during.filter((each) => isNightTime(each.askedAt, quietHours, timezone)).length,
    };
  });
}

function valueOf(campaignId: string, rehearsal: Rehearsal) {
  const { cost, days } = rehearsal;
  const inUsd = ({ lowMicroUsd, likelyMicroUsd, highMicroUsd }: Rehearsal["cost"]) => ({
    lowUsd: toUsd(lowMicroUsd),
    likelyUsd: toUsd(likelyMicroUsd),
    highUsd: toUsd(highMicroUsd),
  });
  return {
    campaignId,
    ...rehearsal,
    cost: inUsd(cost),
    days: days.map((day) => ({ ...day, cost: inUsd(day.cost), budgetUsd: toUsd(day.budgetMicroUsd) })),
  };
}
