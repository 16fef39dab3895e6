import { campaignCard } from "../core/cards/campaign-card.ts";
import { isOutOfMoney, nextDayWords } from "../core/cards/campaign-step-words.ts";
import { campaignListCard, campaignStatusCard } from "../core/cards/campaign-list-card.ts";
import { waitingItem } from "../core/cards/question-name.ts";
import type { Span } from "../core/cards/card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { progressOf } from "../core/campaigns/campaign.ts";
import { type CampaignStep, decideCampaign } from "../core/campaigns/step.ts";
import { toUsd } from "../core/money.ts";
import { nextRunOf } from "../core/schedules/schedule.ts";
import { localDate } from "../core/time.ts";
import { listCampaigns, openCampaigns } from "../db/campaigns.ts";
import { listPending } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { lastRunFor, type ScheduleRow } from "../db/schedules.ts";
import type { Deps } from "../deps.ts";
import { askedLines } from "../facts/asked-lines.ts";
import {
  campaignSchedule,
  type CampaignView,
  workedDay,
  gatherFacts,
  shownDays,
  viewCampaign,
} from "../facts/campaign.ts";
import { costsOfDays } from "../facts/campaign-costs.ts";
import { gatherCampaignCard } from "../projection/campaign.ts";
import { chooseCampaign } from "./choose-campaign.ts";
import { command, type CommandResult, done } from "./command.ts";
import { idOf } from "./fields.ts";
import { awaitingValue } from "./overview.ts";

export const campaignStatus = command({
  name: "campaign status",
  summary: "A campaign day by day: milestones, goals, money, how far behind.",
  access: "read",
  positionals: { id: idOf("campaign").optional() },
  run: (deps, _caller, { id }) => status(deps, id),
});

export const campaignList = command({
  name: "campaign list",
  summary: "Every campaign with where it stands.",
  access: "read",
  run: list,
});

async function status(deps: Deps, wanted: string | undefined): Promise<CommandResult> {
  const chosen = await chooseCampaign(deps, wanted);
  if (chosen.type === "refused") return chosen;
  const { db } = deps.database;
  const view = await viewCampaign(db, chosen.campaign);
  const facts = await gatherCampaignCard(db, deps, view);
  const { step, nextDayAt } = await nextOf(deps, view);
  const value = {
    ...(await valueOf(deps, view)),
    nextDayAt,
    waitsFor: facts.waitsFor,
    ...awaitingValue(facts.awaiting),
    step,
  };
  const { days, state } = value;
  const asked = await askedItems(db, view);
  // When the campaign waits for an answer, the questions are listed below with how to answer them.
  const isSaid = asked.length > 0 && step.type === "rest" && step.reason === "waits for an answer";
  const next = isSaid ? [] : nextDayWords(step, { campaignId: view.campaign.campaignId, nextDayAt });
  const card = campaignStatusCard(campaignCard(facts), { days, next, asked, state });
  return done(value, card);
}

/** Returns the open questions about a campaign and its goals, oldest first. */
export async function askedItems(db: Db, { campaign, goals }: CampaignView): Promise<Span[][]> {
  const mine = new Set<string | null>(goals.map(({ goalId }) => goalId));
  const isAbout = (each: Checkpoint): boolean => each.campaignId === campaign.campaignId || mine.has(each.goalId);
  const pending = (await listPending(db)).filter(isAbout);
  const asks = await askedLines(db, pending);
  return pending.map((each) => waitingItem(each, asks(each)));
}

async function list(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const views: CampaignView[] = [];
  for (const campaign of await listCampaigns(db)) views.push(await viewCampaign(db, campaign));
  const open = (await openCampaigns(db)).length;
  const value = [];
  for (const view of views) value.push(await valueOf(deps, view));
  return done(value, campaignListCard(value, open));
}

/** Returns the campaign's next step, and when its next day begins by itself; null when none will. */
export async function nextOf(
  deps: Deps,
  view: CampaignView,
  db: Db = deps.database.db,
): Promise<{ readonly step: CampaignStep; readonly nextDayAt: Date | null }> {
  const [facts, schedule] = await Promise.all([gatherFacts(db, deps, view, false), campaignSchedule(db, deps)]);
  const step = decideCampaign(facts, deps.policy.goals.minimumTurnMicroUsd);
  return { step, nextDayAt: await nextDayOf({ db, deps, schedule }, view, isOutOfMoney(step)) };
}

interface ScheduleContext {
  readonly db: Db;
  readonly deps: Deps;
  readonly schedule: ScheduleRow;
}

async function nextDayOf(
  { db, deps, schedule }: ScheduleContext,
  view: CampaignView,
  isOutOfDay: boolean,
): Promise<Date | null> {
  const { campaign } = view;
  const day = workedDay(view);
  if (campaign.state !== "active" || (day?.status !== "pending" && !isOutOfDay) || !schedule.isOn) return null;
  const { timezone: zone } = deps.config;
  // At most one day per date: a day that was begun before its hour does not begin again at that hour.
  const lastFor = await lastRunFor(db, campaign.campaignId, localDate(deps.now(), zone));
  return nextRunOf(schedule, deps.now(), zone, lastFor);
}

async function valueOf(deps: Deps, view: CampaignView) {
  const { campaign, milestones, goals, spent } = view;
  const { campaignId } = campaign;
  const days = [];
  const costs = await costsOfDays(deps.database.db, view);
  for (const day of shownDays(deps, view)) {
    const { costMicroUsd, isEstimated } = costs(day);
    days.push({
      day: day.dayNumber,
      date: day.date,
      status: day.status,
      goals: day.goals.map(({ goalId, milestoneId, request }) => {
        const row = goals.find((goal) => goal.goalId === goalId);
        return {
          goalId,
          milestoneId,
          content: row?.content ?? request.content,
          status: row?.status ?? "planned",
          tag: row?.tag ?? null,
          ...(row?.accepted === undefined ? {} : { accepted: row.accepted }),
          workedOn: row?.campaignDay ?? null,
        };
      }),
      budgetUsd: toUsd(day.budgetMicroUsd),
      actualCostUsd: toUsd(costMicroUsd),
      costIsEstimated: isEstimated,
      notes: day.notes,
    });
  }
  return {
    campaignId,
    name: campaign.name,
    goal: campaign.goal,
    repositoryId: campaign.repositoryId,
    state: campaign.state,
    currentDay: campaign.currentDay,
    startedAt: campaign.startedAt,
    endedAt: campaign.endedAt,
    endReason: campaign.endReason,
    endedBy: campaign.endedBy,
    pausedBy: campaign.pausedBy,
    milestones: milestones.map(
      ({ milestoneId, name, description, status, targetDay, successCriteria, completedAt, completedBy }) => ({
        milestoneId,
        name,
        description,
        status,
        targetDay,
        successCriteria,
        completedAt,
        completedBy,
      }),
    ),
    days,
    progress: progressOf(milestones),
    spentUsd: toUsd(spent.spentMicroUsd),
    spentIsEstimated: spent.isEstimated,
    totalBudgetUsd: toUsd(campaign.totalBudgetMicroUsd),
    dailyBudgetUsd: toUsd(campaign.dailyBudgetMicroUsd),
    originalDurationDays: campaign.originalDurationDays,
    replanningThreshold: campaign.replanningThreshold,
    replanCount: campaign.replanCount,
    daysBehind: view.daysLate,
    notes: campaign.planNotes,
  };
}
