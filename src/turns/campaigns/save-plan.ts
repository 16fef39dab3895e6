import type { PlannedGoal } from "../../core/campaigns/campaign.ts";
import type { Plan } from "../../core/campaigns/plan.ts";
import { daysWords, planEstimate } from "../../core/cards/plan-words.ts";
import { count, firstLine } from "../../core/text.ts";
import { getCampaign, openCampaigns, replaceDaysFrom, replaceMilestones, updateCampaign } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { askOfCampaign } from "./ask.ts";
import { viewCampaign } from "../../facts/campaign.ts";

export interface MadePlan {
  readonly plan: Plan;
  /** The plan's author as shown to people: "the model gpt-5.2", "the outline plan.md". */
  readonly by: string;
  readonly totalBudgetMicroUsd: number;
  readonly dailyBudgetMicroUsd: number;
}

/**
 * Stores a campaign's first plan, or one that replaces it before the start: milestones `ms-1` …, days from 1, goals with ids
 * (S4-PN-02, S4-PN-05, S4-PN-06, C-88). Then asks for approval. The caller holds the campaign's lock.
 */
export async function savePlan(
  tx: Db,
  deps: AskDeps,
  campaignId: string,
  { changed, ...made }: MadePlan & { readonly changed: string | null },
): Promise<void> {
  const { plan } = made;
  const now = deps.now();
  const alike = await notesOfAlike(tx, campaignId, plan.goal);
  const idOf = (index: number): string => `ms-${index + 1}`;
  await replaceMilestones(
    tx,
    campaignId,
    plan.milestones.map((each, index) => ({
      ...each,
      successCriteria: [...each.successCriteria],
      campaignId,
      milestoneId: idOf(index),
      position: index,
    })),
  );
  const days = plan.days.map((goals, index) => ({
    campaignId,
    dayNumber: index + 1,
    goals: goals.map(
      ({ request, milestone }): PlannedGoal => ({
        goalId: deps.newId("goal"),
        milestoneId: milestone === null ? null : idOf(milestone),
        request,
      }),
    ),
    budgetMicroUsd: made.dailyBudgetMicroUsd,
  }));
  await replaceDaysFrom(tx, campaignId, 1, days);
  await updateCampaign(tx, campaignId, {
    name: plan.name,
    goal: plan.goal,
    originalDurationDays: days.length,
    totalBudgetMicroUsd: made.totalBudgetMicroUsd,
    dailyBudgetMicroUsd: made.dailyBudgetMicroUsd,
    planNotes: [...plan.notes, ...alike],
    plannedBy: made.by,
    wanted: null,
    updatedAt: now,
  });
  await appendTimeline(tx, {
    event: "campaign.planned",
    campaignId,
    at: now,
    detail: { by: made.by, days: days.length, milestones: plan.milestones.length },
  });
  await askForPlan(tx, deps, campaignId, changed);
}

/** Returns notes about other open campaigns with the same goal, shown before this one starts. */
async function notesOfAlike(tx: Db, campaignId: string, goal: string): Promise<string[]> {
  const open = await openCampaigns(tx);
  const repositoryId = open.find((each) => each.campaignId === campaignId)?.repositoryId;
  return open
    .filter((each) => each.campaignId !== campaignId && each.repositoryId === repositoryId && each.goal === goal)
    .map((each) => `${each.campaignId} has the same goal, and is not over: cos campaign status ${each.campaignId}`);
}

/** Asks for approval of the current plan. Asking twice about the same plan makes one question. */
export async function askForPlan(tx: Db, deps: AskDeps, campaignId: string, changed: string | null): Promise<void> {
  const campaign = await getCampaign(tx, campaignId);
  if (campaign === null) throw new Error(`campaign ${campaignId} vanished while it was planned`);
  const view = await viewCampaign(tx, campaign);
  const goals = view.days.flatMap((day) => day.goals);
  await askOfCampaign(tx, deps, view, {
    kind: "plan",
    subject: campaignId,
    reason: {
      trigger: "scope_change",
      context: `${firstLine(campaign.goal, 300)}: ${count(view.days.length, "day")}, ${count(view.milestones.length, "milestone")}, ${count(goals.length, "goal")}, planned by ${campaign.plannedBy}`,
    },
    details: [...daysWords(view.days, view.milestones), ...campaign.planNotes.map((each) => `Note: ${each}`)],
    estimateMicroUsd: planEstimate(goals),
    changed,
  });
  mark(tx, "campaign", campaignId);
}
