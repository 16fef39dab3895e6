import { doneOnWord, needsReplan, paceOf, progressOf, type PlannedGoal } from "../../core/campaigns/campaign.ts";
import { isOverdue, milestoneWork, waitsForWord } from "../../core/campaigns/work.ts";
import { dayOverCard } from "../../core/cards/day-card.ts";
import {
  type DayRow,
  daysOf,
  type MilestoneRow,
  milestonesOf,
  replaceDaysFrom,
  updateCampaign,
  updateDay,
} from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { campaignDayTotal } from "../../db/totals.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { markNotice } from "../../db/connection/marks.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { type CampaignView, workedDay } from "../../facts/campaign.ts";
import { replanIfLate } from "./late.ts";

/** The result of a campaign day (S4-CX-11). Money in micro-dollars. */
export interface DayResult {
  readonly campaignId: string;
  readonly day: number;
  readonly goalsCompleted: number;
  readonly goals: number;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  /** From 0 to 1. */
  readonly progress: number;
  /** Number of goals that were moved to the next day. */
  readonly carried: number;
}

/**
 * Closes a day: stores its cost, moves goals for which its money was not enough to the next day, and replans the campaign if it is
 * late. The caller holds the campaign's lock. S4-CX-06…08, S4-CX-11, C-81, C-84, C-87.
 */
export async function closeDay(tx: Db, deps: AskDeps, view: CampaignView, carries: boolean): Promise<void> {
  const { campaign, goals } = view;
  const { campaignId } = campaign;
  const day = workedDay(view);
  if (day === null) throw new Error(`campaign ${campaignId} has no day ${campaign.currentDay} to close`);
  const now = deps.now();
  const ofDay = goals.filter((goal) => day.goals.some((each) => each.goalId === goal.goalId));
  const open = new Set(
    ofDay.filter((goal) => goal.status === "pending" || goal.status === "in_progress").map((goal) => goal.goalId),
  );
  const over = carries ? day.goals.filter((goal) => open.has(goal.goalId)) : [];
  const cost = await campaignDayTotal(tx, campaignId, day.dayNumber);
  await updateDay(tx, day, {
    status: "done",
    actualCostMicroUsd: cost.spentMicroUsd,
    goals: day.goals.filter((goal) => !over.includes(goal)),
  });
  if (over.length > 0) await carryOver(tx, view, over);
  await updateCampaign(tx, campaignId, { currentDay: day.dayNumber + 1, updatedAt: now });

  const days = await daysOf(tx, campaignId);
  const milestones = await milestonesOf(tx, campaignId);
  const result: DayResult = {
    campaignId,
    day: day.dayNumber,
    goalsCompleted: ofDay.filter((goal) => goal.status === "complete").length,
    goals: ofDay.length,
    costMicroUsd: cost.spentMicroUsd,
    costIsEstimated: cost.isEstimated,
    progress: progressOf(milestones),
    carried: over.length,
  };
  await appendTimeline(tx, { event: "campaign.day-over", campaignId, at: now, detail: { ...result } });
  const shown = { ...result, onWord: doneOnWord(milestones) };
  const card = dayOverCard({ name: campaign.name, days: days.length, result: shown, goals: ofDay });
  markNotice(tx, `${campaignId}.day.${day.dayNumber}`, { card, threadSubject: campaignId });
  if (isLate(view, milestones, days)) await replanIfLate(tx, deps, campaignId, day.dayNumber);
}

/** True when the campaign is behind by more than its threshold (C-81) and work is overdue. Work that only waits for a person is not. */
function isLate(
  { campaign, goals }: CampaignView,
  milestones: readonly MilestoneRow[],
  days: readonly DayRow[],
): boolean {
  const work = milestoneWork(milestones, days, goals, new Map());
  const pace = paceOf({ state: "active" }, milestones, days);
  const done = pace.milestonesDone + work.filter((each) => waitsForWord(each, pace.elapsedDays)).length;
  return (
    needsReplan({ ...pace, milestonesDone: done }, campaign.replanningThreshold) && isOverdue(work, pace.elapsedDays)
  );
}

/** Moves goals to the front of the next day, or to a new day after the last one. */
async function carryOver(tx: Db, { campaign, days }: CampaignView, over: readonly PlannedGoal[]): Promise<void> {
  const { campaignId, currentDay, dailyBudgetMicroUsd: budgetMicroUsd } = campaign;
  const next = days.find((each) => each.dayNumber === currentDay + 1);
  if (next !== undefined) {
    await updateDay(tx, next, { goals: [...over, ...next.goals] });
    return;
  }
  const notes = "What was left of the day before.";
  const row = { campaignId, dayNumber: currentDay + 1, goals: [...over], budgetMicroUsd, notes };
  await replaceDaysFrom(tx, campaignId, currentDay + 1, [row]);
}
