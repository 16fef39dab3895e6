import { comesWithPlan } from "../../core/campaigns/campaign.ts";
import { nextDates } from "../../core/schedules/schedule.ts";
import { localDate, startOfDate } from "../../core/time.ts";
import { type CampaignRow, updateCampaign, updateMilestone } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Doors } from "../../deps.ts";
import { campaignSchedule, viewCampaign } from "../../facts/campaign.ts";
import { projectDates } from "../shared/campaign-dates.ts";
import type { CampaignCheckpoint } from "../../core/checkpoints/checkpoint.ts";
import type { Answer } from "../../core/checkpoints/answering.ts";
import type { Answerer } from "../shared/audit.ts";

/** Starts a campaign after its plan was approved: sets it active, gives its days dates, and begins its first milestones (C-85). */
export async function startCampaign(
  tx: Db,
  deps: Doors,
  campaign: CampaignRow,
  by: { readonly actor: string; readonly via: string },
): Promise<void> {
  const { campaignId } = campaign;
  // Read before it starts, because a schedule that is set later is recognised by its time.
  const schedule = await campaignSchedule(tx, deps);
  const now = deps.now();
  // A request for another plan is dropped, because this one was approved.
  const changes = { state: "active", startedAt: now, pausedBy: null, wanted: null, updatedAt: now } as const;
  await updateCampaign(tx, campaignId, changes);
  const view = await viewCampaign(tx, { ...campaign, state: "active", startedAt: now });
  for (const milestone of view.milestones) {
    // It may be done already: an older version allowed that before the start.
    if (milestone.status !== "done" && comesWithPlan(milestone, view.days))
      await updateMilestone(tx, milestone, { status: "in_progress" });
  }
  const { timezone: zone } = deps.config;
  // Its first day is today if the schedule has an hour today, past or future.
  const today = localDate(now, zone);
  const before = new Date(startOfDate(today, zone).getTime() - 1);
  const beginsToday = nextDates(schedule, before, zone, 2).includes(today);
  await projectDates(tx, deps, view, { after: null, from: 1, schedule, ...(beginsToday ? { first: today } : {}) });
  await appendTimeline(tx, { event: "campaign.started", campaignId, ...by, at: now });
}

/** Sets the campaign active, unless a person paused it in another way than on this card (D11). */
export async function activate(tx: Db, deps: Doors, { campaign, checkpoint }: CampaignAnswerFacts): Promise<void> {
  const { campaignId } = campaign;
  if (campaign.pausedBy !== null && checkpoint.pausedBy === null) return;
  await updateCampaign(tx, campaignId, { state: "active", pausedBy: null, goesOn: true, updatedAt: deps.now() });
}

/** An answer to a question about a campaign. All rows are locked. */
export interface CampaignAnswerFacts {
  readonly campaign: CampaignRow;
  readonly checkpoint: CampaignCheckpoint;
  readonly answer: Answer;
  readonly answerer: Answerer;
}
