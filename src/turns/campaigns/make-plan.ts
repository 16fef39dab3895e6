import { budgetsOf } from "../../core/campaigns/budgets.ts";
import type { PlannedGoal } from "../../core/campaigns/campaign.ts";
import { planOfModel, restOfModel, stillOpenGoals } from "../../core/campaigns/model-plan.ts";
import type { WantedPlan } from "../../core/campaigns/plan.ts";
import { revisedDays, type UnfinishedGoal } from "../../core/campaigns/replan.ts";
import type { Lesson } from "../../core/memory/lesson.ts";
import { formatUsd } from "../../core/money.ts";
import { goalsToTakeUp, planQuestion, replanQuestion, type ToReplan } from "../../core/prompts/plan.ts";
import { count, firstLine, shorten } from "../../core/text.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { type CampaignRow, getCampaign, lockCampaign, updateCampaign, updateDay } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { findRepository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { lessonsOf } from "../../facts/lessons.ts";
import { consult, type Consulted } from "../shared/consult.ts";
import { type CampaignView, viewCampaign } from "../../facts/campaign.ts";
import { askForPlan, savePlan } from "./save-plan.ts";
import { saveReplan } from "./save-replan.ts";

/**
 * Makes the plan that was requested for a campaign. The model is called outside of transactions. Then its answer, the built-in rule's
 * plan, or the reason why there is none is stored, if the request is still the same. Safe to run twice: a fulfilled request is
 * removed. `signal` aborts when another process may have taken over. S4-PN-01, S4-PN-07, S4-PN-08, C-87, C-88.
 */
export async function makeWantedPlan(deps: Deps, campaignId: string, signal: AbortSignal): Promise<void> {
  const campaign = await getCampaign(deps.database.db, campaignId);
  const wanted = campaign?.wanted ?? null;
  if (campaign === null || wanted === null) return;
  const write = await planFor(deps, campaign, wanted, signal);
  if (signal.aborted) return;
  await deps.database.transaction(async (tx) => {
    const locked = await lockCampaign(tx, campaignId);
    if (locked === null || JSON.stringify(locked.wanted) !== JSON.stringify(wanted)) return;
    await updateCampaign(tx, campaignId, { wanted: null, updatedAt: deps.now() });
    await write(tx, await viewCampaign(tx, { ...locked, wanted: null }));
  });
}

/** Writes the result after the campaign is locked. */
type Write = (tx: Db, view: CampaignView) => Promise<void>;

async function planFor(deps: Deps, campaign: CampaignRow, wanted: WantedPlan, signal: AbortSignal): Promise<Write> {
  switch (wanted.kind) {
    case "first":
    case "modify":
      return wanted.kind === "modify" && wanted.instructions === null
        ? (tx, view) => askWithBudget(tx, deps, view)
        : await planAnew(deps, campaign, wanted, signal);
    case "replan":
      return await planRest(deps, campaign, wanted, signal);
  }
}

/** Asks for approval of the same plan with a changed budget. */
async function askWithBudget(tx: Db, deps: Deps, view: CampaignView): Promise<void> {
  await spreadBudget(tx, deps, view);
  const { campaignId, totalBudgetMicroUsd } = view.campaign;
  await askForPlan(tx, deps, campaignId, `the budget, now ${formatUsd(totalBudgetMicroUsd)}`);
}

/** Divides the total budget among the days. */
async function spreadBudget(tx: Db, deps: Deps, { campaign, days }: CampaignView): Promise<void> {
  const { campaignId, totalBudgetMicroUsd } = campaign;
  const budgets = budgetsOf({ budgetMicroUsd: totalBudgetMicroUsd, days: days.length, policy: deps.policy });
  const { dailyMicroUsd } = budgets;
  await updateCampaign(tx, campaignId, { dailyBudgetMicroUsd: dailyMicroUsd, updatedAt: deps.now() });
  for (const day of days) await updateDay(tx, day, { budgetMicroUsd: dailyMicroUsd });
}

async function planAnew(deps: Deps, campaign: CampaignRow, wanted: WantedPlan, signal: AbortSignal): Promise<Write> {
  const { goal, deadlineDays, totalBudgetMicroUsd, campaignId } = campaign;
  const { policy } = deps;
  const view = await viewCampaign(deps.database.db, campaign);
  const repository = await findRepository(deps.database.db, campaign.repositoryId);
  const question = planQuestion(
    {
      goal,
      days: deadlineDays,
      budgetMicroUsd: totalBudgetMicroUsd,
      repositoryName: repository?.name ?? campaign.repositoryId,
      instructions: instructionOf(wanted),
      earlier: wanted.kind === "first" || view.days.length === 0 ? null : view,
      lessons: await lessonsAbout(deps, campaign),
    },
    policy,
  );
  const asked = await consult(deps, { campaign }, question, signal);
  if (asked.type === "answered") {
    const plan = planOfModel(asked.value, { goal, policy });
    const { dailyMicroUsd } = budgetsOf({ budgetMicroUsd: totalBudgetMicroUsd, days: plan.days.length, policy });
    const by = modelName(deps);
    const made = { plan, by, totalBudgetMicroUsd, dailyBudgetMicroUsd: dailyMicroUsd };
    const how = wanted.instructions === null ? "" : `: ${shorten(inOneLine(wanted.instructions, " / "), 200)}`;
    const changed = view.days.length === 0 ? null : `replanned${how}`;
    return (tx) => savePlan(tx, deps, campaignId, { ...made, changed });
  }
  const why = whyNoPlan(asked);
  return async (tx, now) => {
    const lost =
      wanted.instructions === null ? "" : ` Not worked in: ${shorten(inOneLine(wanted.instructions, " / "), 300)}`;
    const planNotes = [...now.campaign.planNotes, `${why}.${lost}`];
    await updateCampaign(tx, campaignId, { planNotes, updatedAt: deps.now() });
    if (now.days.length === 0) return;
    await spreadBudget(tx, deps, now);
    await askForPlan(tx, deps, campaignId, why);
  };
}

/** Replans the rest of a running campaign: with the model, or without one at the pace so far. */
async function planRest(deps: Deps, campaign: CampaignRow, wanted: WantedPlan, signal: AbortSignal): Promise<Write> {
  const { policy } = deps;
  const view = await viewCampaign(deps.database.db, campaign);
  const told = { ...toReplan(view, wanted), lessons: await lessonsAbout(deps, campaign) };
  const asked = await consult(deps, { campaign }, replanQuestion(told, policy), signal);
  return async (tx, now) => {
    const given = toReplan(now, wanted);
    const open = goalsToTakeUp(given);
    const { elapsedDays, milestones } = given;
    const holding =
      asked.type === "answered" ? stillOpenGoals(asked.value, { before: goalsToTakeUp(told), open }) : null;
    const rest =
      holding === null
        ? null
        : restOfModel(holding.answer, { open, milestones, elapsedDays, policy }).map((day) =>
            day.map((goal): PlannedGoal => ({ ...goal, goalId: goal.goalId ?? deps.newId("goal") })),
          );
    const completedGoals = now.goals.filter((goal) => goal.status === "complete").length;
    const { dailyBudgetMicroUsd } = now.campaign;
    const revised = revisedDays({ ...given, rest, completedGoals, dailyBudgetMicroUsd, policy });
    const notes = [
      ...(asked.type === "answered"
        ? (asked.value.assumptions ?? [])
        : [`${whyNoPlan(asked)}: planned at the pace so far.`]),
      ...(holding?.settled ?? []).map((text) => `Not planned again, it was settled meanwhile: ${firstLine(text, 120)}`),
      ...(revised.leftOut.length === 0 ? [] : [`No day was left for ${count(revised.leftOut.length, "goal")}.`]),
    ];
    const by = asked.type === "answered" ? modelName(deps) : "the built-in rule";
    await saveReplan(tx, deps, now, { revised, by, wanted, notes });
  };
}

/** Returns lessons of past runs about the campaign's goal. Empty without a model, which alone reads them. */
async function lessonsAbout(deps: Deps, campaign: CampaignRow): Promise<Lesson[]> {
  if (deps.config.model === null) return [];
  const { repositoryId, goal: content } = campaign;
  return await lessonsOf(deps, { repositoryId, content, tags: [], linkage: { kind: "none" } });
}

function toReplan(
  view: CampaignView,
  wanted: WantedPlan,
): Omit<ToReplan, "lessons"> & { readonly unfinished: readonly UnfinishedGoal[] } {
  const { campaign, days, milestones, spent } = view;
  return {
    name: campaign.name,
    goal: campaign.goal,
    milestones,
    days,
    elapsedDays: days.filter((day) => day.status !== "pending").length,
    spentMicroUsd: spent.spentMicroUsd,
    leftMicroUsd: Math.max(0, campaign.totalBudgetMicroUsd - spent.spentMicroUsd),
    unfinished: unfinishedOf(view),
    instructions: instructionOf(wanted),
  };
}

function instructionOf({ by, instructions }: WantedPlan): { by: string; text: string } | null {
  return instructions === null ? null : { by, text: instructions };
}

function modelName({ config }: Deps): string {
  return `the model ${config.model?.name ?? ""}`;
}

function whyNoPlan(asked: Exclude<Consulted<unknown>, { type: "answered" }>): string {
  return asked.type === "no-model" ? "No model is configured (COS_MODEL)" : `The model gave no plan: ${asked.words}`;
}

/** Returns the incomplete goals of past days, except those of finished milestones and those that a person skipped. */
function unfinishedOf({ days, goals, milestones }: CampaignView): UnfinishedGoal[] {
  const done = new Set(milestones.filter((each) => each.status === "done").map((each) => each.milestoneId));
  const over = days.filter((day) => day.status === "done").flatMap((day) => day.goals);
  const found = new Map<string, UnfinishedGoal>();
  for (const planned of over) {
    const row = goals.find((goal) => goal.goalId === planned.goalId);
    if (row === undefined || (planned.milestoneId !== null && done.has(planned.milestoneId))) continue;
    const why = whyUnfinished(row.status);
    if (why !== null) found.set(planned.goalId, { ...planned, why, error: row.outcome });
  }
  return [...found.values()];
}

function whyUnfinished(status: CampaignView["goals"][number]["status"]): UnfinishedGoal["why"] | null {
  switch (status) {
    case "failed":
      return "failed";
    case "blocked":
      return "parked";
    case "pending":
    case "in_progress":
      return "not started";
    case "complete":
    case "deferred":
    case "manual_followup":
      return null;
  }
}
