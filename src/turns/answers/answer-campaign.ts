import { budgetsOf } from "../../core/campaigns/budgets.ts";
import type { CampaignCheckpoint, CampaignQuestion, Effect } from "../../core/checkpoints/checkpoint.ts";
import { type Answer, answerCheckpoint, type AnswerDecision, withCeiling } from "../../core/checkpoints/answering.ts";
import {
  type CampaignRow,
  daysOf,
  lockCampaign,
  milestonesOf,
  updateCampaign,
  updateDay,
  updateMilestone,
} from "../../db/campaigns.ts";
import {
  getCheckpoint,
  lockCheckpoint,
  pendingOfCampaign,
  settleCheckpoint,
  updatePending,
} from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { campaignDayTotal, campaignTotal } from "../../db/totals.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";
import { type Answered, type Answerer, recordDecision } from "../shared/audit.ts";
import { stopCampaign, holdSession } from "../shared/campaign-hold.ts";
import { workedDay, milestoneSubject, viewCampaign } from "../../facts/campaign.ts";
import { forgetPauses } from "../shared/sessions.ts";
import { campaignStill } from "./still-paused.ts";
import { countVote } from "./vote.ts";
import { startCampaign, activate, type CampaignAnswerFacts } from "./start-campaign.ts";
import { nobodysAnswer } from "../../core/cards/paused-words.ts";

/**
 * Records an answer about a campaign and applies it, as `answerIn` does for goals: the same decision, the same conditional write, the same
 * audit trail (D9, D10, D13). The next step of the campaign does the rest.
 */
export async function answerCampaign(
  tx: Db,
  deps: Doors,
  seen: CampaignCheckpoint,
  said: { readonly answer: Answer; readonly answerer: Answerer },
): Promise<Answered | null> {
  const { checkpointId, campaignId, kind } = seen;
  const campaign = await lockCampaign(tx, campaignId);
  const locked = await lockCheckpoint(tx, checkpointId);
  if (campaign === null || locked === null) return null;
  const checkpoint = { ...locked, kind, campaignId };
  const given = needsBudget(kind, answerCheckpoint(checkpoint, said.answer, deps.now()), said.answer);
  const decided = withCeiling(given, said.answer, (await campaignTotal(tx, campaignId)).spentMicroUsd);
  const decision = await voteOn(tx, deps, { campaign, checkpoint, ...said }, decided);
  const answering = { campaign, checkpoint, ...said };

  if (decision.type === "paused") {
    await recordDecision(
      tx,
      deps,
      { ...answering, sessionId: null },
      { choice: decision.option.label, effect: "pause", settles: false },
    );
    const isCards = await forgetPauses(tx, await pendingOfCampaign(tx, campaignId));
    // A campaign that is paused in another way is resumed by that person.
    if (campaign.pausedBy === null || isCards) {
      await updatePending(tx, checkpointId, { pausedBy: said.answerer.actor });
      const changes = { state: "paused", pausedBy: said.answerer.actor, updatedAt: deps.now() } as const;
      await updateCampaign(tx, campaignId, changes);
    }
  } else if (decision.type === "recorded") {
    const { label, effect } = decision.option;
    const settled = await settleCheckpoint(tx, checkpointId, checkpoint.version, {
      status: decision.status,
      chosenOption: label,
      humanNotes: said.answer.notes ?? said.answer.instructions,
      resolvedBy: decision.by ?? said.answerer.actor,
      resolvedVia: said.answerer.via,
      resolvedAt: deps.now(),
    });
    if (!settled) throw new Error(`checkpoint ${checkpointId} changed while it was locked`);
    await recordDecision(tx, deps, { ...answering, sessionId: null }, { choice: label, effect, settles: true });
    const answerer = { ...said.answerer, actor: decision.by ?? said.answerer.actor };
    await applyAnswer(tx, deps, { ...answering, answerer }, effect);
  }
  const after = (await getCheckpoint(tx, checkpointId)) ?? checkpoint;
  if (decision.type === "paused" || decision.type === "recorded") {
    mark(tx, "checkpoint", checkpointId);
    mark(tx, "campaign", campaignId);
  }
  return { decision, checkpoint: after, paused: await campaignStill(tx, campaign, decision) };
}

/** Counts a vote if several people have to agree. A request for another plan approves nothing, so it needs no votes. */
async function voteOn(
  tx: Db,
  deps: Doors,
  facts: CampaignAnswerFacts,
  decided: AnswerDecision,
): Promise<AnswerDecision> {
  const isNewPlan = decided.type === "recorded" && decided.option.effect === "modify";
  if (facts.checkpoint.kind === "plan" && isNewPlan) return decided;
  const { requester, createdBy } = facts.campaign;
  const voting = { ...facts, sessionId: null, requester: requester ?? createdBy, mayReopen: false };
  return await countVote(tx, deps, voting, decided);
}

/** Asks for a number when more money is given without one. */
function needsBudget(kind: CampaignQuestion, decision: AnswerDecision, answer: Answer): AnswerDecision {
  const isBare = decision.type === "recorded" && decision.option.effect === "modify" && answer.budgetMicroUsd === null;
  return kind === "money" && isBare ? { type: "instructions-needed" } : decision;
}

async function applyAnswer(tx: Db, deps: Doors, facts: CampaignAnswerFacts, effect: Effect): Promise<void> {
  const { campaign, checkpoint, answerer } = facts;
  switch (effect) {
    case "continue":
      await goOn(tx, deps, facts);
      return;
    case "modify":
      await changeWith(tx, deps, facts);
      return;
    case "skip":
      if (checkpoint.kind === "plan")
        await stopCampaign(tx, deps, campaign, { by: answerer.actor, reason: `Given up by ${answerer.actor}.` });
      else if (checkpoint.kind === "money")
        await stopCampaign(tx, deps, campaign, {
          by: answerer.actor,
          reason: `Stopped by ${answerer.actor}: its money is used up.`,
        });
      else if (checkpoint.kind === "replan") await activate(tx, deps, facts);
      return;
    case "edit":
    case "pause":
    case "retry":
    case "manual":
      return;
  }
}

async function goOn(tx: Db, deps: Doors, facts: CampaignAnswerFacts): Promise<void> {
  const { campaign, checkpoint, answerer } = facts;
  const { campaignId } = campaign;
  switch (checkpoint.kind) {
    case "plan":
      await startCampaign(tx, deps, campaign, answerer);
      return;
    case "milestone": {
      const milestone = await milestoneOf(tx, checkpoint);
      if (milestone !== null) await updateMilestone(tx, milestone, { status: "in_progress" });
      await activate(tx, deps, facts);
      return;
    }
    case "confirm": {
      const milestone = await milestoneOf(tx, checkpoint);
      const done = { status: "done", completedAt: deps.now(), completedBy: answerer.actor } as const;
      if (milestone !== null) await updateMilestone(tx, milestone, done);
      return;
    }
    case "replan": {
      const wanted = { kind: "replan", by: answerer.actor, isAutomatic: false, instructions: null } as const;
      await updateCampaign(tx, campaignId, { wanted, updatedAt: deps.now() });
      await activate(tx, deps, facts);
      return;
    }
    case "money": {
      const view = await viewCampaign(tx, campaign);
      const day = workedDay(view);
      const { spentMicroUsd } = await campaignDayTotal(tx, campaignId, campaign.currentDay);
      const left = campaign.totalBudgetMicroUsd - view.spent.committedMicroUsd;
      if (day !== null) await updateDay(tx, day, { budgetMicroUsd: spentMicroUsd + left });
      await activate(tx, deps, facts);
      return;
    }
  }
}

async function changeWith(tx: Db, deps: Doors, facts: CampaignAnswerFacts): Promise<void> {
  const { campaign, checkpoint, answer, answerer } = facts;
  const { campaignId } = campaign;
  const { budgetMicroUsd, criteria } = answer;
  const words = [answer.instructions, criteria].filter((each) => each !== null).join("\n\n");
  if (budgetMicroUsd !== null)
    await updateCampaign(tx, campaignId, { totalBudgetMicroUsd: budgetMicroUsd, updatedAt: deps.now() });
  switch (checkpoint.kind) {
    case "plan": {
      const wanted = {
        kind: "modify",
        by: answerer.actor,
        isAutomatic: false,
        instructions: words === "" ? null : words,
      } as const;
      await updateCampaign(tx, campaignId, { wanted, updatedAt: deps.now() });
      return;
    }
    case "milestone": {
      const milestone = await milestoneOf(tx, checkpoint);
      if (milestone === null) return;
      const added =
        words === "" ? [] : [{ by: answer.writtenBy ?? answerer.actor, text: words, at: deps.now().toISOString() }];
      await updateMilestone(tx, milestone, {
        status: "in_progress",
        instructions: [...milestone.instructions, ...added],
      });
      await activate(tx, deps, facts);
      return;
    }
    case "money":
      if (budgetMicroUsd !== null) await raiseDays(tx, deps, campaignId, budgetMicroUsd);
      await activate(tx, deps, facts);
      return;
    case "confirm":
    case "replan":
      return;
  }
}

/** A higher total raises the days that are not over to at least their share (C-88). */
async function raiseDays(tx: Db, deps: Doors, campaignId: string, budgetMicroUsd: number): Promise<void> {
  const days = await daysOf(tx, campaignId);
  const { dailyMicroUsd } = budgetsOf({ budgetMicroUsd, days: days.length, policy: deps.policy });
  for (const day of days) {
    if (day.status !== "done" && day.budgetMicroUsd < dailyMicroUsd)
      await updateDay(tx, day, { budgetMicroUsd: dailyMicroUsd });
  }
  await updateCampaign(tx, campaignId, { dailyBudgetMicroUsd: dailyMicroUsd, updatedAt: deps.now() });
}

async function milestoneOf(tx: Db, checkpoint: CampaignCheckpoint) {
  const all = await milestonesOf(tx, checkpoint.campaignId);
  return all.find((each) => milestoneSubject(each, each.milestoneId) === checkpoint.subject) ?? null;
}

/** After an expired question: a campaign that waited for it is held, and asks again when it is resumed (D12). */
export async function expireCampaignQuestion(tx: Db, deps: Doors, checkpoint: CampaignCheckpoint): Promise<void> {
  const campaign = await lockCampaign(tx, checkpoint.campaignId);
  if (campaign === null) return;
  // The question whether a milestone is done holds nothing before the last day is over.
  const holds =
    checkpoint.kind === "confirm"
      ? workedDay({ campaign, days: await daysOf(tx, campaign.campaignId) }) === null
      : checkpoint.kind !== "plan";
  if (holds) await holdUnanswered(tx, deps, campaign);
}

/** Pauses a campaign and its day's session until somebody resumes it. Nothing is asked until then. The caller holds its lock. */
export async function holdUnanswered(tx: Db, deps: Doors, campaign: CampaignRow): Promise<void> {
  const by = nobodysAnswer;
  await forgetPauses(tx, await pendingOfCampaign(tx, campaign.campaignId));
  if (campaign.state === "active" || campaign.state === "paused")
    await updateCampaign(tx, campaign.campaignId, { state: "paused", pausedBy: by, updatedAt: deps.now() });
  await holdSession(tx, deps, campaign, by);
  mark(tx, "campaign", campaign.campaignId);
}
