import type { DayPlan, PlannedGoal } from "../../core/campaigns/campaign.ts";
import type { WantedPlan } from "../../core/campaigns/plan.ts";
import { revisedDays, type RevisedDays, type UnfinishedGoal } from "../../core/campaigns/replan.ts";
import { formatUsd } from "../../core/money.ts";
import { budgetsOf, planOfModel, planQuestion, replanQuestion, type ModelReplan } from "../../core/prompts/plan.ts";
import { firstLine } from "../../core/text.ts";
import { type CampaignRow, getCampaign, lockCampaign, updateCampaign, updateDay } from "../../db/campaigns.ts";
import type { Db } from "../../db/client.ts";
import { findRepository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { consult } from "../consult.ts";
import { type CampaignView, viewCampaign } from "./gather.ts";
import { askForPlan, savePlan } from "./save-plan.ts";
import { saveReplan } from "./save-replan.ts";

/**
 * Makes the plan that a campaign wants: the model is asked outside of transactions, then what it said (or the built-in rule,
 * or why there is none) is written where the wish is still the same. Safe twice: a wish that was met is gone. S4-PN-01,
 * S4-PN-07, S4-PN-08, C-87, C-88.
 */
export async function makeWantedPlan(deps: Deps, campaignId: string): Promise<void> {
  const campaign = await getCampaign(deps.database.db, campaignId);
  const wanted = campaign?.wanted ?? null;
  if (campaign === null || wanted === null) return;
  const write = await planFor(deps, campaign, wanted);
  await deps.database.transaction(async (tx) => {
    const locked = await lockCampaign(tx, campaignId);
    if (locked === null || JSON.stringify(locked.wanted) !== JSON.stringify(wanted)) return;
    await updateCampaign(tx, campaignId, { wanted: null, updatedAt: deps.now() });
    await write(tx, await viewCampaign(tx, { ...locked, wanted: null }));
  });
}

/** What is written once the campaign is locked. */
type Write = (tx: Db, view: CampaignView) => Promise<void>;

async function planFor(deps: Deps, campaign: CampaignRow, wanted: WantedPlan): Promise<Write> {
  switch (wanted.kind) {
    case "first":
    case "modify":
      return wanted.kind === "modify" && wanted.instructions === null
        ? (tx, view) => spreadBudget(tx, deps, view)
        : await planAnew(deps, campaign, wanted);
    case "replan":
      return await planRest(deps, campaign, wanted);
  }
}

/** Another budget, the same plan: each day gets its part of it. */
async function spreadBudget(tx: Db, deps: Deps, { campaign, days }: CampaignView): Promise<void> {
  const { campaignId, totalBudgetMicroUsd } = campaign;
  const budgets = budgetsOf({ budgetMicroUsd: totalBudgetMicroUsd, days: days.length, policy: deps.policy });
  const { dailyMicroUsd } = budgets;
  await updateCampaign(tx, campaignId, { dailyBudgetMicroUsd: dailyMicroUsd, updatedAt: deps.now() });
  for (const day of days) await updateDay(tx, day, { budgetMicroUsd: dailyMicroUsd });
  await askForPlan(tx, deps, campaignId, `the budget, now ${formatUsd(totalBudgetMicroUsd)}`);
}

async function planAnew(deps: Deps, campaign: CampaignRow, wanted: WantedPlan): Promise<Write> {
  const { goal, deadlineDays, totalBudgetMicroUsd, campaignId } = campaign;
  const view = await viewCampaign(deps.database.db, campaign);
  const repository = await findRepository(deps.database.db, campaign.repositoryId);
  const question = planQuestion({
    goal,
    days: deadlineDays,
    budgetMicroUsd: totalBudgetMicroUsd,
    repositoryName: repository?.name ?? campaign.repositoryId,
    instructions: wanted.instructions,
    earlier: view.days.length === 0 ? null : view.days,
    policy: deps.policy,
  });
  const asked = await consult(deps, { campaign }, question, unstopped);
  if (asked.type === "answered") {
    const plan = planOfModel(asked.value, { goal, policy: deps.policy });
    const { dailyMicroUsd } = budgetsOf({
      budgetMicroUsd: totalBudgetMicroUsd,
      days: plan.days.length,
      policy: deps.policy,
    });
    const by = `the model ${deps.config.model?.name ?? ""}`;
    const made = { plan, by, totalBudgetMicroUsd, dailyBudgetMicroUsd: dailyMicroUsd };
    const changed = wanted.instructions === null ? null : `planned anew: ${firstLine(wanted.instructions, 200)}`;
    return (tx) => savePlan(tx, deps, campaignId, made, changed);
  }
  const why =
    asked.type === "no-model" ? "no model is configured (COS_MODEL)" : `the model gave no plan: ${asked.words}`;
  return async (tx) => {
    const lost = wanted.instructions === null ? "" : ` Not worked in: ${firstLine(wanted.instructions, 300)}`;
    const planNotes = [...campaign.planNotes, `${why}.${lost}`];
    await updateCampaign(tx, campaignId, { planNotes, updatedAt: deps.now() });
    if (view.days.length > 0) await askForPlan(tx, deps, campaignId, why);
  };
}

/** The rest of a campaign under way: by the model, and without one at the pace it really has. */
async function planRest(deps: Deps, campaign: CampaignRow, wanted: WantedPlan): Promise<Write> {
  const view = await viewCampaign(deps.database.db, campaign);
  const unfinished = unfinishedOf(view);
  const question = replanQuestion({
    name: campaign.name,
    goal: campaign.goal,
    milestones: view.milestones,
    elapsedDays: view.days.filter((day) => day.status === "done").length,
    spentMicroUsd: view.spent.spentMicroUsd,
    leftMicroUsd: campaign.totalBudgetMicroUsd - view.spent.spentMicroUsd,
    unfinished,
    planned: plannedRest(view),
    instructions: wanted.instructions,
    policy: deps.policy,
  });
  const asked = await consult(deps, { campaign }, question, unstopped);
  const answer: ModelReplan | null = asked.type === "answered" ? asked.value : null;
  const by = answer === null ? builtInWords(asked) : `the model ${deps.config.model?.name ?? ""}`;
  return async (tx, now) => {
    const revised: RevisedDays = revisedDays({
      days: now.days,
      milestones: now.milestones,
      unfinished: unfinishedOf(now),
      completedGoals: now.goals.filter((goal) => goal.status === "complete").length,
      dailyBudgetMicroUsd: campaign.dailyBudgetMicroUsd,
      answer,
      newGoalIds: () => deps.newId("goal"),
      policy: deps.policy,
    });
    await saveReplan(tx, deps, now, { revised, by, wanted });
  };
}

function builtInWords(
  asked:
    | { readonly type: "no-model" }
    | { readonly type: "failed"; readonly words: string }
    | { readonly type: "answered" },
): string {
  return asked.type === "failed" ? `the built-in rule (${firstLine(asked.words, 120)})` : "the built-in rule";
}

/** Goals of days that are over, not complete, of milestones that are not done; what a person skipped stays skipped. */
function unfinishedOf({ days, goals, milestones }: CampaignView): UnfinishedGoal[] {
  const isOpen = (goal: PlannedGoal): boolean =>
    goal.milestoneId === null || milestones.find((each) => each.milestoneId === goal.milestoneId)?.status !== "done";
  return days
    .filter((day) => day.status === "done")
    .flatMap((day) => day.goals)
    .flatMap((planned): UnfinishedGoal[] => {
      const row = goals.find((goal) => goal.goalId === planned.goalId);
      if (row === undefined || !isOpen(planned)) return [];
      if (
        row.status !== "failed" &&
        row.status !== "blocked" &&
        row.status !== "pending" &&
        row.status !== "in_progress"
      )
        return [];
      const why = row.status === "failed" ? "failed" : row.status === "blocked" ? "parked" : "not started";
      return [{ goal: planned, why, lastWords: row.outcome }];
    })
    .filter((each, index, all) => all.findIndex((other) => other.goal.goalId === each.goal.goalId) === index);
}

function plannedRest({ days }: CampaignView): DayPlan[] {
  return days.filter((day) => day.status === "pending");
}

/** Planning is bounded by its own time limit; a process that stops loses nothing but the call. */
const unstopped = new AbortController().signal;
