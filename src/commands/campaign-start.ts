import { stepWords } from "../core/cards/campaign-step-words.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import type { CampaignStep } from "../core/campaigns/step.ts";
import { isCampaignOver, progressOf } from "../core/campaigns/campaign.ts";
import { holdingQuestion } from "../core/campaigns/question.ts";
import { answerCommand } from "../core/cards/answer-command.ts";
import { aboutCampaign, type CampaignCheckpoint } from "../core/checkpoints/checkpoint.ts";
import { toUsd } from "../core/money.ts";
import { type CampaignRow, daysOf, getCampaign, lockCampaign } from "../db/campaigns.ts";
import { checkpointsOfCampaign, pendingOfCampaign } from "../db/checkpoints.ts";
import { campaignDayTotal } from "../db/totals.ts";
import { viewCampaign } from "../facts/campaign.ts";
import { ofSeveral } from "../facts/tally.ts";
import type { Db } from "../db/connection/client.ts";
import { oneAfterAnother } from "../db/connection/locks.ts";
import { appendTimeline } from "../db/timeline.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { recordAnswer } from "../turns/answers/answer.ts";
import { startCampaign } from "../turns/answers/start-campaign.ts";
import { advanceCampaign } from "../turns/campaigns/advance.ts";
import { chooseCampaign } from "./choose-campaign.ts";
import { noCampaign } from "./not-known.ts";
import { answerWords } from "./answer-words.ts";
import { answererOf, type Caller, command, type CommandResult, done, refused, unknownId } from "./command.ts";
import { idOf } from "./fields.ts";

export const campaignStart = command({
  name: "campaign start",
  summary: "Approve a campaign's plan: its days run from now on.",
  access: "change",
  positionals: { id: idOf("campaign") },
  run: (deps, caller, { id }) => start(deps, caller, id),
});

export const campaignRun = command({
  name: "campaign run",
  summary: "Begin the campaign's next day now, whatever the time; or let a day go on that was stopped.",
  access: "change",
  positionals: { id: idOf("campaign").optional() },
  run: (deps, caller, { id }) => runNow(deps, caller, id),
});

async function start(deps: Deps, caller: Caller, campaignId: string): Promise<CommandResult> {
  const campaign = await getCampaign(deps.database.db, campaignId);
  if (campaign === null) return await noCampaign(deps, campaignId);
  if (campaign.state !== "planning")
    return refused(`${campaignId} is already ${campaign.state}`, `cos campaign status ${campaignId}`);
  const { actor, via } = caller;
  const plan = (await pendingOfCampaign(deps.database.db, campaignId)).find((each) => each.kind === "plan");
  if (plan !== undefined) {
    const answer = {
      choice: "Start",
      version: null,
      notes: null,
      instructions: null,
      criteria: null,
      budgetMicroUsd: null,
    };
    const answered = await recordAnswer(deps, plan.checkpointId, answer, answererOf(caller));
    if (answered !== null && answered.decision.type !== "recorded") return answerWords(deps, answered);
  } else {
    const problem = await deps.database.transaction((tx) => startUnasked(tx, deps, campaignId, { actor, via }));
    if (problem !== null) return refused(problem, `cos campaign replan ${campaignId}`);
  }
  const step = await advanceNow(deps, campaignId, false);
  return done(
    { campaignId, state: (await getCampaign(deps.database.db, campaignId))?.state },
    confirmationCard(`${campaignId} has started`, [stepWords(step, campaignId)]),
  );
}

/** Starts a campaign that has no open question about its plan: it expired, or was answered with changes that led to no plan. */
async function startUnasked(
  tx: Db,
  deps: Deps,
  campaignId: string,
  by: { actor: string; via: string },
): Promise<string | null> {
  const campaign = await lockCampaign(tx, campaignId);
  if (campaign === null || campaign.state !== "planning") return `${campaignId} is not waiting to be started`;
  if (campaign.wanted !== null) return `${campaignId} is being planned`;
  if ((await daysOf(tx, campaignId)).length === 0) return `${campaignId} has no plan yet`;
  const asked = (await checkpointsOfCampaign(tx, campaignId)).filter(({ kind }) => kind === "plan");
  if (ofSeveral(deps, asked) !== null)
    return `several people have to agree to the plan of ${campaignId} (COS_QUORUM), and it is not being asked`;
  await startCampaign(tx, deps, campaign, by);
  mark(tx, "campaign", campaignId);
  return null;
}

async function runNow(deps: Deps, caller: Caller, wanted: string | undefined): Promise<CommandResult> {
  const chosen = await chooseCampaign(deps, wanted);
  if (chosen.type === "refused") return chosen;
  const { campaign } = chosen;
  const { campaignId } = campaign;
  const status = `cos campaign status ${campaignId}`;
  if (campaign.state === "planning")
    return refused(`Campaign not active: ${campaign.state}`, `cos campaign start ${campaignId}`);
  if (isCampaignOver(campaign.state)) return refused(`Campaign not active: ${campaign.state}`, status);
  if (campaign.state === "paused" && campaign.pausedBy !== null)
    return refused(`Campaign not active: ${campaign.state}`, `cos campaign resume ${campaignId}`);
  const days = await daysOf(deps.database.db, campaignId);
  if (campaign.currentDay > days.length) return refused("No more days planned", `cos campaign replan ${campaignId}`);
  await appendTimeline(deps.database.db, {
    event: "campaign.run",
    campaignId,
    actor: caller.actor,
    via: caller.via,
    at: deps.now(),
  });
  const step = await advanceNow(deps, campaignId, true);
  const question = await heldBy(deps, campaignId, step);
  const value = {
    ...(await dayValue(deps, campaign)),
    pausedForCheckpoint: question !== null,
    checkpointId: question?.checkpointId ?? null,
  };
  if (question !== null)
    return done(
      value,
      confirmationCard(`Day ${campaign.currentDay} of ${campaignId} waits for an answer`, [
        `cos ${answerCommand({ ...question, recommended: question.options.find((each) => each.isRecommended) ?? null })}`,
      ]),
    );
  if (!begins(step)) return refused(`nothing begins: ${stepWords(step, campaignId)}`, status);
  return done(value, confirmationCard(`Day ${campaign.currentDay} of ${campaignId}`, [stepWords(step, campaignId)]));
}

/** Returns the state of the day that was current when the command was given (S4-CX-04, S4-CX-11). */
async function dayValue({ database: { db } }: Deps, { campaignId, currentDay: day }: CampaignRow) {
  const now = await getCampaign(db, campaignId);
  if (now === null) throw new Error(`no campaign ${campaignId}`);
  const { days, goals, milestones } = await viewCampaign(db, now);
  const planned = days.find(({ dayNumber }) => dayNumber === day)?.goals ?? [];
  const isDone = ({ goalId }: { readonly goalId: string }): boolean =>
    goals.some((goal) => goal.goalId === goalId && goal.status === "complete");
  return {
    campaignId,
    day,
    state: now.state,
    goalsCompleted: planned.filter(isDone).length,
    costUsd: toUsd((await campaignDayTotal(db, campaignId, day)).spentMicroUsd),
    progress: progressOf(milestones),
  };
}

/** Returns the question that keeps the day from beginning; null when none is open, or the open ones hold nothing. */
async function heldBy(deps: Deps, campaignId: string, step: CampaignStep): Promise<CampaignCheckpoint | null> {
  const pending = await pendingOfCampaign(deps.database.db, campaignId);
  const open = pending.flatMap((each) => aboutCampaign(each) ?? []);
  const isWaiting = step.type === "rest" && step.reason === "waits for an answer";
  return holdingQuestion(open) ?? (isWaiting ? (open[0] ?? null) : null);
}

/** True when a day is being worked, or will be within seconds. */
function begins(step: CampaignStep): boolean {
  return step.type !== "rest" || step.reason === "is being worked";
}

/** Makes one step of a campaign, after any step that runs in another process. `isRunNow`: the next day begins now, not at its hour. */
export async function advanceNow(deps: Deps, campaignId: string, isRunNow: boolean): Promise<CampaignStep> {
  return await oneAfterAnother(deps.database.pool, `cos ${campaignId}`, (signal) =>
    advanceCampaign(deps, campaignId, { runNow: isRunNow, signal }),
  );
}

/** Refuses an id that no campaign has. */
export function notFound(campaignId: string): CommandResult {
  return unknownId("Campaign", campaignId);
}
