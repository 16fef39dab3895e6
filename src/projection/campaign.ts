import { holdingQuestion } from "../core/campaigns/question.ts";
import { campaignCard, type CampaignCardFacts } from "../core/cards/campaign-card.ts";
import { aboutCampaign } from "../core/checkpoints/checkpoint.ts";
import { recommend } from "../core/reports/recommendation.ts";
import type { StandupNeeds } from "../core/reports/standup-facts.ts";
import { getCampaign } from "../db/campaigns.ts";
import { listPending, pendingOfCampaign } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { goalsAwaitingOthers } from "../db/goal-lists.ts";
import { findRepository } from "../db/repositories.ts";
import type { ReportDeps } from "../facts/goal-lists.ts";
import { needsOf } from "../facts/needs.ts";
import { campaignLine } from "../facts/standup-plan.ts";
import type { Doors } from "../deps.ts";
import type { ProjectedCard } from "./drawn.ts";
import { type CampaignView, workedDay, shownDays, viewCampaign, withoutMoneyOn } from "../facts/campaign.ts";

/** Draws a campaign's card. Null when there is no such campaign. */
export async function drawCampaign(db: Db, deps: Doors, campaignId: string): Promise<ProjectedCard | null> {
  const campaign = await getCampaign(db, campaignId);
  if (campaign === null) return null;
  const card = campaignCard(await gatherCampaignCard(db, deps, await viewCampaign(db, campaign)));
  return { id: campaignId, threadSubject: null, card };
}

/** The facts of a campaign's card, for the card and for other views of the campaign. */
export async function gatherCampaignCard(db: Db, deps: ReportDeps, view: CampaignView): Promise<CampaignCardFacts> {
  const { campaign, goals, milestones } = view;
  const [repository, noMoneyOn, awaiting] = await Promise.all([
    findRepository(db, campaign.repositoryId),
    withoutMoneyOn(db, deps, campaign),
    goalsAwaitingOthers(db, deps.now()),
  ]);
  const day = workedDay(view);
  const open = (await pendingOfCampaign(db, campaign.campaignId)).flatMap((each) => aboutCampaign(each) ?? []);
  const waitsFor = holdingQuestion(open) ?? open[0] ?? null;
  return {
    campaign,
    repositoryName: repository?.name ?? campaign.repositoryId,
    milestones,
    days: shownDays(deps, view),
    today: (day?.goals ?? []).map(({ goalId, request }) => {
      const row = goals.find((goal) => goal.goalId === goalId);
      const [content, status] = [row?.content ?? request.content, row?.status ?? null];
      return { goalId, content, status, backing: row ?? null };
    }),
    awaiting: awaiting.filter((goal) => goal.campaignId === campaign.campaignId),
    daysBehind: view.daysLate,
    spentMicroUsd: view.spent.spentMicroUsd,
    spentIsEstimated: view.spent.isEstimated,
    waitsFor: waitsFor?.checkpointId ?? null,
    withoutMoneyOn: noMoneyOn,
    first: recommend(await needsOfCampaign(db, deps, view)),
  };
}

/** What the campaign's goals need from a person. A failed goal that is planned again needs nothing. */
async function needsOfCampaign(db: Db, deps: ReportDeps, view: CampaignView): Promise<StandupNeeds> {
  const { campaign, goals, days } = view;
  const ahead = new Set(
    days.filter((day) => day.status !== "done").flatMap((day) => day.goals.map((goal) => goal.goalId)),
  );
  const mine = new Set(goals.map((goal) => goal.goalId));
  const pending = (await listPending(db)).filter((each) => each.goalId !== null && mine.has(each.goalId));
  const { needs } = await needsOf(db, deps, {
    goals,
    pending,
    isNews: ({ goalId, status }) => status !== "failed" || !ahead.has(goalId),
  });
  // The session of its day is paused and resumed with it.
  return campaign.state === "paused"
    ? { ...needs, campaigns: [campaignLine(view, { today: "", waiting: [] })] }
    : needs;
}
