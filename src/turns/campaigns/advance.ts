import { progressOf } from "../../core/campaigns/campaign.ts";
import { type CampaignStep, decideCampaign } from "../../core/campaigns/step.ts";
import { localDate } from "../../core/time.ts";
import {
  type CampaignRow,
  lockCampaign,
  milestonesOf,
  openCampaigns,
  updateCampaign,
  updateMilestone,
} from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { onlyOne } from "../../db/connection/locks.ts";
import { lockRepository } from "../../db/repositories.ts";
import { claimRun } from "../../db/schedules.ts";
import { appendSpend, lockDay, openPlanningCalls } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { askForMilestone, askForMoney, askWhetherDone } from "./questions.ts";
import { beginDay, type PreparedDay, prepareDay } from "./begin-day.ts";
import { closeDay } from "./close-day.ts";
import { type CampaignView, gatherFacts, viewCampaign, withoutMoneyOf } from "../../facts/campaign.ts";
import { endCampaign } from "../shared/campaign-hold.ts";
import { makeWantedPlan } from "./make-plan.ts";
import { pausedByRepository } from "../../core/cards/paused-words.ts";

/**
 * Advances every campaign as far as possible now. Called by the tick, and when a doorbell reports that a campaign's session has ended
 * or that somebody answered (D6). Only one process works on a campaign at a time; a call that finds nothing to do is cheap.
 * `stopping` aborts when this process ends.
 */
export async function advanceCampaigns(deps: Deps, stopping?: AbortSignal): Promise<void> {
  for (const { campaignId } of await openCampaigns(deps.database.db)) {
    if (stopping?.aborted === true) return;
    const advance = async (signal: AbortSignal): Promise<void> => {
      await advanceCampaign(deps, campaignId, { runNow: false, signal });
    };
    try {
      await onlyOne(deps.database.pool, `cos ${campaignId}`, advance, { stopping });
    } catch (error) {
      // The other campaigns go on, and the next call tries this one again.
      deps.log.error("campaign.failed", { campaignId, error });
    }
  }
}

/** More steps than any campaign needs at once: a rule that would loop stops here and is logged. */
const mostSteps = 40;

/**
 * Takes steps until nothing can be done now, and returns the last one. `runNow`: a person wants the day to begin now. The caller holds
 * the campaign's name (`onlyOne`) until `signal` aborts. Each step is decided and written under row locks, so concurrent callers take
 * each step only once.
 */
export async function advanceCampaign(
  deps: Deps,
  campaignId: string,
  { runNow, signal }: { readonly runNow: boolean; readonly signal: AbortSignal },
): Promise<CampaignStep> {
  let mayRunNow = runNow;
  await settleInterruptedPlanning(deps, campaignId);
  for (let steps = 0; steps < mostSteps; steps += 1) {
    if (signal.aborted) return { type: "rest", reason: "is being worked" };
    const step = await takeStep(deps, campaignId, mayRunNow, null);
    if (step.type === "rest") return step;
    deps.log.info("campaign.step", { campaignId, step: step.type });
    if (step.type === "plan") await makeWantedPlan(deps, campaignId, signal);
    if (step.type === "begin-day") {
      await begin(deps, campaignId, mayRunNow);
      mayRunNow = false;
    }
  }
  deps.log.error("campaign.circles", { campaignId });
  return { type: "rest", reason: "is being worked" };
}

/**
 * Books interrupted planning calls at their reserved cost, as an estimate (D22). The caller holds the campaign's name, so no other
 * process still waits for such a call.
 */
async function settleInterruptedPlanning({ database, now }: Deps, campaignId: string): Promise<void> {
  for (const { callId, day, committedMicroUsd: amountMicroUsd } of await openPlanningCalls(database.db, campaignId)) {
    const entry = { kind: "settled", amountMicroUsd, isEstimated: true, at: now() } as const;
    await appendSpend(database.db, { callId, campaignId, day }, entry);
  }
}

/** Fetches git and reads files first, then makes the same decision again under the locks. */
async function begin(deps: Deps, campaignId: string, runNow: boolean): Promise<void> {
  const [campaign] = (await openCampaigns(deps.database.db)).filter((each) => each.campaignId === campaignId);
  if (campaign === undefined) return;
  const prepared = await prepareDay(deps, await viewCampaign(deps.database.db, campaign));
  await takeStep(deps, campaignId, runNow, prepared);
}

/** Gathers, decides and acts in one transaction. Calls to models and git are left to the caller. */
async function takeStep(
  deps: Deps,
  campaignId: string,
  runNow: boolean,
  prepared: PreparedDay | null,
): Promise<CampaignStep> {
  return await deps.database.transaction(async (tx) => {
    await lockDay(tx, localDate(deps.now(), deps.config.timezone));
    const campaign = await lockCampaign(tx, campaignId);
    if (campaign === null) return { type: "rest", reason: "ended" };
    if (prepared !== null) await lockRepository(tx, campaign.repositoryId);
    const view = await viewCampaign(tx, campaign);
    const facts = await gatherFacts(tx, deps, view, runNow);
    const step = decideCampaign(facts, deps.policy.goals.minimumTurnMicroUsd);
    if (step.type === "rest" && step.reason === "day's ceiling" && facts.dueDate !== null) {
      // The card shows the missing money from the first call on.
      if (await claimRun(tx, withoutMoneyOf(campaignId), facts.dueDate, deps.now())) mark(tx, "campaign", campaignId);
    }
    if (step.type === "rest" || step.type === "plan") return step;
    if (step.type === "begin-day") {
      if (prepared === null) return step;
      await startDay(tx, deps, view, { ...step, prepared });
    } else {
      await act(tx, deps, view, step);
    }
    mark(tx, "campaign", campaignId);
    return step;
  });
}

async function startDay(
  tx: Db,
  deps: AskDeps,
  view: CampaignView,
  { prepared, ...step }: Extract<CampaignStep, { type: "begin-day" }> & { readonly prepared: PreparedDay },
): Promise<void> {
  if (prepared.type === "prepared") {
    await beginDay(tx, deps, view, { ...step, prepared });
    return;
  }
  const { campaignId } = view.campaign;
  await updateCampaign(tx, campaignId, {
    state: "paused",
    pausedBy: pausedByRepository(prepared.reason),
    updatedAt: deps.now(),
  });
  await appendTimeline(tx, { event: "campaign.held", campaignId, at: deps.now(), detail: { reason: prepared.reason } });
}

async function act(
  tx: Db,
  deps: AskDeps,
  view: CampaignView,
  step: Exclude<CampaignStep, { type: "rest" | "plan" | "begin-day" }>,
): Promise<void> {
  const { campaign } = view;
  const { campaignId } = campaign;
  const now = deps.now();
  switch (step.type) {
    case "finish-milestone": {
      const { milestoneId } = step;
      await updateMilestone(tx, { campaignId, milestoneId }, { status: "done", completedAt: now, completedBy: null });
      await appendTimeline(tx, { event: "campaign.milestone-done", campaignId, at: now, detail: { milestoneId } });
      return;
    }
    case "confirm-milestone":
      await askWhetherDone(tx, deps, view, step.milestoneId);
      return;
    case "ask-milestone":
      await hold(tx, deps, campaign, null);
      await askForMilestone(tx, deps, view, step.milestoneId);
      return;
    case "ask-money":
      await hold(tx, deps, campaign, null);
      await askForMoney(tx, deps, view, step.why);
      return;
    case "hold":
      await hold(tx, deps, campaign, null);
      return;
    case "pause":
      await hold(tx, deps, campaign, step.by);
      return;
    case "go-on":
      await updateCampaign(tx, campaignId, { state: "active", pausedBy: null, updatedAt: now });
      await appendTimeline(tx, { event: "campaign.goes-on", campaignId, at: now });
      return;
    case "close-day":
      await closeDay(tx, deps, view, step.carries);
      return;
    case "end":
      await endCampaign(tx, deps, campaign, {
        state: step.state,
        reason: await endWords(tx, step.state, campaign),
        by: null,
      });
      return;
  }
}

/** Pauses the campaign: without `by` until a question is answered, with `by` until that person resumes it. */
async function hold(tx: Db, deps: AskDeps, { campaignId }: CampaignRow, by: string | null): Promise<void> {
  await updateCampaign(tx, campaignId, { state: "paused", pausedBy: by, updatedAt: deps.now() });
  await appendTimeline(tx, { event: "campaign.held", campaignId, actor: by, at: deps.now() });
}

async function endWords(tx: Db, state: "completed" | "failed", { campaignId }: CampaignRow): Promise<string> {
  const milestones = await milestonesOf(tx, campaignId);
  if (state === "completed") return "Every milestone is done.";
  const missing = milestones.filter((each) => each.status !== "done").map((each) => each.name);
  return `Its days are over at ${Math.round(progressOf(milestones) * 100)} %; not done: ${missing.join(", ")}.`;
}
