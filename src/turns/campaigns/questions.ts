import { doneQuestion } from "../../core/campaigns/done-question.ts";
import { endedStatuses } from "../../core/goals/goal.ts";
import { formatUsd } from "../../core/money.ts";
import { count, firstLine } from "../../core/text.ts";
import { planEstimate } from "../../core/cards/plan-words.ts";
import type { Db } from "../../db/connection/client.ts";
import { isSettledAt, lastMerge } from "../../db/merges.ts";
import { getRun } from "../../db/runs.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { askOfCampaign } from "./ask.ts";
import { type CampaignView, workedDay, milestoneSubject } from "../../facts/campaign.ts";

/** The questions of a running campaign. */

/** Asks once before the first day with goals of the milestone (S4-CX-03, C-83). */
export async function askForMilestone(tx: Db, deps: AskDeps, view: CampaignView, milestoneId: string): Promise<void> {
  const milestone = view.milestones.find((each) => each.milestoneId === milestoneId);
  if (milestone === undefined) throw new Error(`no milestone ${milestoneId}`);
  const goals = view.days
    .filter((day) => day.status !== "done")
    .flatMap((day) => day.goals.filter((goal) => goal.milestoneId === milestoneId).map((goal) => ({ ...goal, day })));
  const unmerged = await unmergedWords(tx, view);
  await askOfCampaign(tx, deps, view, {
    kind: "milestone",
    subject: milestoneSubject(view.campaign, milestoneId),
    milestone: milestone.name,
    reason: {
      trigger: "scope_change",
      context: `Starting milestone '${milestone.name}': ${milestone.description === "" ? milestone.name : milestone.description}`,
    },
    details: [
      ...milestone.successCriteria.map((each) => `Done when: ${each}`),
      ...goals.map(({ request, day }) => `Day ${day.dayNumber}: ${firstLine(request.content, 120)}`),
      ...unmerged,
    ],
    estimateMicroUsd: planEstimate(goals),
    changed: null,
  });
}

/** New goals start from the base branch, which does not contain finished work that is not merged (D14). */
async function unmergedWords(tx: Db, { goals }: CampaignView): Promise<string[]> {
  const finished = [];
  for (const goal of goals) {
    if (goal.status !== "complete" || goal.branch === null) continue;
    const run = goal.runId === null ? null : await getRun(tx, goal.runId);
    if (!isSettledAt(await lastMerge(tx, goal.goalId), run?.headCommit ?? null)) finished.push(goal);
  }
  if (finished.length === 0) return [];
  return [
    `${count(finished.length, "goal")} of earlier days finished on ${finished.length === 1 ? "its branch" : "their branches"}: new work starts from the base branch, so merge first what it builds on.`,
  ];
}

/** Asks whether a milestone is done: all its goals have ended, but not all are verified (C-82). */
export async function askWhetherDone(tx: Db, deps: AskDeps, view: CampaignView, milestoneId: string): Promise<void> {
  const milestone = view.milestones.find((each) => each.milestoneId === milestoneId);
  if (milestone === undefined) throw new Error(`no milestone ${milestoneId}`);
  const mine = view.goals.filter((goal) => goal.milestoneId === milestoneId);
  const { context, details } = doneQuestion(milestone, mine);
  await askOfCampaign(tx, deps, view, {
    kind: "confirm",
    subject: milestoneSubject(view.campaign, milestoneId),
    reason: { trigger: "scope_change", context },
    details,
    estimateMicroUsd: null,
    changed: null,
  });
}

/** Asks for money: the total is spent, or a day's budget is too small for its next goal. Work waits for the answer (C-89). */
export async function askForMoney(tx: Db, deps: AskDeps, view: CampaignView, why: "total" | "day"): Promise<void> {
  const { campaign, spent, goals } = view;
  const day = workedDay(view);
  const left = Math.max(0, campaign.totalBudgetMicroUsd - spent.spentMicroUsd);
  const open = goals.filter(
    (goal) => day?.goals.some((each) => each.goalId === goal.goalId) === true && !endedStatuses.includes(goal.status),
  );
  const context =
    why === "total"
      ? `The campaign's money is used up: ${formatUsd(spent.spentMicroUsd)} of ${formatUsd(campaign.totalBudgetMicroUsd)} spent`
      : `Day ${campaign.currentDay} may cost ${formatUsd(day?.budgetMicroUsd ?? 0)}, which is too little for its next goal; ${formatUsd(left)} are left in all`;
  await askOfCampaign(tx, deps, view, {
    kind: "money",
    subject: campaign.campaignId,
    reason: { trigger: "cost_cumulative", context },
    details: open.map((goal) => `Waits: ${firstLine(goal.content, 120)}`),
    estimateMicroUsd: null,
    why,
    changed: null,
  });
}
