import { doneOnWord, isCampaignOver } from "../core/campaigns/campaign.ts";
import type { Goal } from "../core/goals/goal.ts";
import { holdingQuestion } from "../core/campaigns/question.ts";
import type { SessionView } from "../core/reports/open-questions.ts";
import type { StandupCampaign } from "../core/reports/standup-facts.ts";
import { unmetOf } from "../core/goals/ground.ts";
import type { Db } from "../db/connection/client.ts";
import { groundsOf } from "../db/grounds.ts";
import { sessionGoals } from "../db/goals.ts";
import { listRepositories } from "../db/repositories.ts";
import { listOpenSessions } from "../db/sessions.ts";
import { campaignsSince, type DayRow } from "../db/campaigns.ts";
import { type CampaignView, viewCampaign } from "./campaign.ts";

/** The part of a standup about what comes next. */

export interface OpenSession {
  readonly view: SessionView;
  readonly goals: readonly Goal[];
}

/** `today` is the local date. `waiting`: goals of campaigns that are in no other part. */
export interface CampaignsWanted {
  readonly since: Date;
  readonly today: string;
  readonly waiting: readonly Goal[];
}

/** Campaigns that are not over, and those that ended since a moment. */
export async function campaignLines(db: Db, wanted: CampaignsWanted): Promise<StandupCampaign[]> {
  const lines: StandupCampaign[] = [];
  for (const campaign of await campaignsSince(db, wanted.since))
    lines.push(campaignLine(await viewCampaign(db, campaign), wanted));
  return lines;
}

/** The open sessions with their goals, and which goals wait for which. */
export async function sessionViews(db: Db): Promise<OpenSession[]> {
  const repositories = await listRepositories(db);
  const views = [];
  for (const { repositoryId, status, ...session } of await listOpenSessions(db)) {
    const { sessionId, kind, inOrder, pausedBy, campaignId } = session;
    const goals = await sessionGoals(db, sessionId);
    const repositoryName = repositories.find((each) => each.repositoryId === repositoryId)?.name ?? repositoryId;
    const view = {
      sessionId,
      repositoryName,
      kind,
      inOrder,
      isPaused: status === "paused",
      pausedBy,
      campaignId,
      goals,
    };
    const grounds = await groundsOf(
      db,
      goals.flatMap((goal) => goal.after),
    );
    const standing = goals.map(({ goalId, status: at, after }) => {
      return { goalId, status: at, unmet: unmetOf(after, grounds) };
    });
    views.push({ view: { ...view, goals: standing }, goals });
  }
  return views;
}

/** The day that is worked now or comes next. If a day dated today is done and no other has begun, that day. */
function dayAt({ campaign, days }: CampaignView, today: string): DayRow | undefined {
  // A day that takes longer or was held does not move the dates of later days until it is done.
  const current = days.find((each) => each.dayNumber === campaign.currentDay);
  if (current?.status === "in_progress") return current;
  return days.find((each) => each.date === today && each.status === "done") ?? current;
}

/** A campaign's line in the standup: its goals of `today`, and its goals that still wait. */
export function campaignLine(view: CampaignView, { today, waiting }: Omit<CampaignsWanted, "since">): StandupCampaign {
  const { campaign, milestones, days, spent } = view;
  const { campaignId, name, state, startedAt, endedBy, currentDay, totalBudgetMicroUsd, pausedBy } = campaign;
  const day = dayAt(view, today);
  const ofDay = day === undefined || day.status === "done" || isCampaignOver(state) ? [] : day.goals;
  const made = new Set(view.goals.map((goal) => goal.goalId));
  const mine = waiting.filter((goal) => goal.campaignId === campaignId);
  const isWaiting = (goalId: string): boolean => mine.some((goal) => goal.goalId === goalId);
  const isOfDay = (goalId: string): boolean => ofDay.some((goal) => goal.goalId === goalId);
  return {
    campaignId,
    name,
    state,
    startedAt,
    endedBy,
    day: currentDay,
    days: days.length,
    milestonesDone: milestones.filter((each) => each.status === "done").length,
    milestonesOnWord: doneOnWord(milestones),
    milestones: milestones.length,
    daysBehind: view.daysLate,
    spentMicroUsd: spent.spentMicroUsd,
    spentIsEstimated: spent.isEstimated,
    budgetMicroUsd: totalBudgetMicroUsd,
    today: ofDay
      .filter(({ goalId }) => !made.has(goalId) || isWaiting(goalId))
      .map(({ goalId, request }) => mine.find((goal) => goal.goalId === goalId)?.content ?? request.content),
    goals: mine
      .map(({ goalId, content }) => ({ goalId, content, isToday: isOfDay(goalId) }))
      .toSorted((one, other) => Number(other.isToday) - Number(one.isToday)),
    pausedBy: state === "paused" ? pausedBy : null,
    waitsFor: holdingQuestion(view.questions.filter(({ status }) => status === "pending"))?.checkpointId ?? null,
  };
}
