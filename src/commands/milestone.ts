import { isCampaignOver } from "../core/campaigns/campaign.ts";
import { campaignStateWords } from "../core/cards/campaign-list-card.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { getCampaign, lockCampaign, milestonesOf, openCampaigns, updateMilestone } from "../db/campaigns.ts";
import { appendTimeline } from "../db/timeline.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { milestoneSubject } from "../facts/campaign.ts";
import { withdrawQuestion } from "../turns/shared/end-session.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { anyId } from "./fields.ts";
import { noCampaign } from "./not-known.ts";

export const milestoneDone = command({
  name: "milestone done",
  summary: "Call a milestone done on your word: ms-1, or camp-1a2b3c4d/ms-1 when several campaigns are open.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => finish(deps, caller, id),
});

async function finish(deps: Deps, caller: Caller, id: string): Promise<CommandResult> {
  const found = await find(deps, id);
  if (found.type === "refused") return found;
  const { campaignId, milestoneId } = found;
  const result = await deps.database.transaction(async (tx): Promise<CommandResult> => {
    const campaign = await lockCampaign(tx, campaignId);
    const milestone = (await milestonesOf(tx, campaignId)).find((each) => each.milestoneId === milestoneId);
    if (campaign === null || milestone === undefined)
      return refused(`Milestone not found: ${milestoneId}`, `cos campaign status ${campaignId}`);
    // A plan that nobody has approved may still be replaced by one with other milestones.
    if (campaign.state === "planning")
      return refused(`${campaignId} has not started`, `cos campaign start ${campaignId}`);
    if (isCampaignOver(campaign.state))
      return refused(`${campaignId} is ${campaignStateWords(campaign)}`, `cos campaign status ${campaignId}`);
    if (milestone.status === "done")
      return refused(`${milestoneId} is already done`, `cos campaign status ${campaignId}`);
    const { actor, via } = caller;
    const now = deps.now();
    await updateMilestone(tx, milestone, { status: "done", completedAt: now, completedBy: actor });
    await withdrawQuestion(tx, deps, milestoneSubject(campaign, milestoneId));
    await appendTimeline(tx, {
      event: "campaign.milestone-done",
      campaignId,
      actor,
      via,
      at: now,
      detail: { milestoneId },
    });
    mark(tx, "campaign", campaignId);
    return done(
      { campaignId, milestoneId, status: "done" },
      confirmationCard(`${milestone.name} is done, on ${actor}'s word`),
    );
  });
  await deps.ring("run-campaign-day");
  return result;
}

type Found = { readonly type: "found"; readonly campaignId: string; readonly milestoneId: string } | RefusedCall;

/** Finds `camp-1a2b3c4d/ms-1`, or `ms-1` of the only open campaign that has one. */
async function find(deps: Pick<Deps, "database">, given: string): Promise<Found> {
  const { db } = deps.database;
  const [first = "", second] = given.split(/[/.]/);
  if (second !== undefined) {
    if ((await getCampaign(db, first)) === null) return await noCampaign(deps, first);
    return { type: "found", campaignId: first, milestoneId: second };
  }
  const holding = [];
  for (const { campaignId } of await openCampaigns(db)) {
    if ((await milestonesOf(db, campaignId)).some((each) => each.milestoneId === first)) holding.push(campaignId);
  }
  const [only] = holding;
  if (only === undefined) return refused(`Milestone not found: ${given}`, "cos campaign list");
  if (holding.length > 1)
    return {
      type: "refused",
      reason: `several campaigns have a ${given}`,
      next: `cos milestone done ${only}/${given}`,
    };
  return { type: "found", campaignId: only, milestoneId: first };
}
