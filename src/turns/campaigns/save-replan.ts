import type { WantedPlan } from "../../core/campaigns/plan.ts";
import { planDiff } from "../../core/campaigns/diff.ts";
import type { Revision } from "../../core/campaigns/replan.ts";
import { replanCard } from "../../core/cards/replan-card.ts";
import { daysOf, milestonesOf, replaceDaysFrom, updateCampaign, updateMilestone } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { updateGoal } from "../../db/goals.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark, markNotice } from "../../db/connection/marks.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { projectDates } from "../shared/campaign-dates.ts";
import { campaignSchedule, type CampaignView } from "../../facts/campaign.ts";

/** The result of a replan and its author. */
export interface Replanned {
  readonly revised: Revision;
  /** The planner's assumptions, or how it planned. */
  readonly notes: readonly string[];
  readonly by: string;
  readonly wanted: WantedPlan;
}

/**
 * Stores the new rest of a plan. Days that are over or under way stay unchanged (S4-PN-07), and the difference is posted in the
 * campaign's thread (C-87). The caller holds the campaign's lock.
 */
export async function saveReplan(
  tx: Db,
  deps: AskDeps,
  view: CampaignView,
  { revised, by, wanted, notes }: Replanned,
): Promise<void> {
  const { campaign } = view;
  const { campaignId } = campaign;
  const now = deps.now();
  const kept = view.days.filter((day) => day.status !== "pending");
  const from = kept.length + 1;
  await replaceDaysFrom(
    tx,
    campaignId,
    from,
    revised.days
      .filter((day) => day.dayNumber >= from)
      .map((day) => ({ ...day, date: null, goals: [...day.goals], campaignId })),
  );
  for (const { milestoneId, targetDay } of revised.milestones)
    await updateMilestone(tx, { campaignId, milestoneId }, { targetDay });
  await dropGoals(tx, deps, view);
  const replanCount = campaign.replanCount + 1;
  const automatic = wanted.isAutomatic
    ? { automaticReplans: campaign.automaticReplans + 1, lastAutomaticDay: kept.length }
    : {};
  await updateCampaign(tx, campaignId, { replanCount, ...automatic, planNotes: [...notes], updatedAt: now });

  const days = await daysOf(tx, campaignId);
  const schedule = await campaignSchedule(tx, deps);
  await projectDates(tx, deps, { days }, { from, after: kept.at(-1)?.date ?? null, schedule });
  const diff = planDiff(
    { days: view.days, milestones: view.milestones },
    { days, milestones: await milestonesOf(tx, campaignId) },
  );
  const why = wanted.isAutomatic ? "It was late." : `${wanted.by} asked for it.`;
  await appendTimeline(tx, {
    event: "campaign.replanned",
    campaignId,
    at: now,
    detail: { by, replanCount, isAutomatic: wanted.isAutomatic, days: days.length },
  });
  markNotice(tx, `${campaignId}.replan.${replanCount}`, {
    threadSubject: campaignId,
    card: replanCard({ name: campaign.name, by, why, diff, notes }),
  });
  mark(tx, "campaign", campaignId);
}

/** Detaches unfinished goals that the new plan leaves out from their milestone, so that they do not block it. */
async function dropGoals(tx: Db, deps: AskDeps, { campaign, goals }: CampaignView): Promise<void> {
  const days = await daysOf(tx, campaign.campaignId);
  const planned = new Set(
    days.filter((day) => day.status !== "done").flatMap((day) => day.goals.map((goal) => goal.goalId)),
  );
  for (const goal of goals) {
    const isUnfinished =
      goal.status === "failed" ||
      goal.status === "blocked" ||
      goal.status === "pending" ||
      goal.status === "in_progress";
    if (!isUnfinished || planned.has(goal.goalId) || goal.milestoneId === null || goal.leasedBy !== null) continue;
    await updateGoal(tx, goal.goalId, { milestoneId: null, updatedAt: deps.now() });
    await appendTimeline(tx, {
      event: "goal.dropped",
      goalId: goal.goalId,
      campaignId: campaign.campaignId,
      at: deps.now(),
    });
    mark(tx, "goal", goal.goalId);
  }
}
