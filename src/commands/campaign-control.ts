import { stepWords } from "../core/cards/campaign-card.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import type { CampaignStep } from "../core/campaigns/step.ts";
import { aboutCampaign } from "../core/checkpoints/checkpoint.ts";
import { cleanText } from "../core/text.ts";
import { type CampaignRow, daysOf, getCampaign, lockCampaign, updateCampaign } from "../db/campaigns.ts";
import { checkpointsOfCampaign, pendingOfCampaign } from "../db/checkpoints.ts";
import { severalWords } from "../core/cards/tally.ts";
import { ofSeveral } from "../facts/tally.ts";
import type { Db } from "../db/connection/client.ts";
import { oneAfterAnother } from "../db/connection/locks.ts";
import { appendTimeline } from "../db/timeline.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { recordAnswer } from "../turns/answers/answer.ts";
import { startCampaign } from "../turns/answers/answer-campaign.ts";
import { advanceCampaign } from "../turns/campaigns/advance.ts";
import { endCampaign, holdSession, releaseSession } from "../turns/shared/campaign-hold.ts";
import { forgetPauses } from "../turns/shared/sessions.ts";
import { withdrawQuestion } from "../turns/shared/end-session.ts";
import { chooseCampaign } from "./choose-campaign.ts";
import { answerWords } from "./answer-words.ts";
import { answererOf, type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { idOf, text } from "./fields.ts";

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

export const campaignPause = command({
  name: "campaign pause",
  summary: "Hold a campaign; what runs is cut and goes on later.",
  access: "change",
  positionals: { id: idOf("campaign") },
  run: (deps, caller, { id }) => change(deps, caller, id, pause),
});

export const campaignResume = command({
  name: "campaign resume",
  summary: "Go on with a held campaign; what nobody answered is asked again.",
  access: "change",
  positionals: { id: idOf("campaign") },
  run: (deps, caller, { id }) => change(deps, caller, id, resume),
});

export const campaignReplan = command({
  name: "campaign replan",
  summary: "Plan the remaining days anew; the difference is shown.",
  access: "change",
  positionals: { id: idOf("campaign") },
  options: { instructions: text("T", "what should be different (needs a model)").optional() },
  run: (deps, caller, { id, instructions = "" }) =>
    change(deps, caller, id, (changing) => replan(changing, cleanText(instructions).trim())),
});

export const campaignStop = command({
  name: "campaign stop",
  summary: "End a campaign for good; what was done stays.",
  access: "change",
  positionals: { id: idOf("campaign") },
  run: (deps, caller, { id }) => change(deps, caller, id, stop),
});

async function start(deps: Deps, caller: Caller, campaignId: string): Promise<CommandResult> {
  const campaign = await getCampaign(deps.database.db, campaignId);
  if (campaign === null) return notFound(campaignId);
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
    if (answered !== null && answered.decision.type !== "recorded")
      return answerWords(deps, answered.decision, answered.checkpoint);
  } else {
    const problem = await deps.database.transaction((tx) => startUnasked(tx, deps, campaignId, { actor, via }));
    if (problem !== null) return refused(problem, `cos campaign replan ${campaignId}`);
  }
  const step = await advanceNow(deps, campaignId, false);
  return done(
    { campaignId, state: (await getCampaign(deps.database.db, campaignId))?.state },
    confirmationCard(`${campaignId} has started`, [stepWords(step)]),
  );
}

/** Its question was not answered in time, or was answered with changes that came to nothing. */
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
  if (campaign.state === "completed" || campaign.state === "failed")
    return refused(`Campaign not active: ${campaign.state}`, status);
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
  const [question] = (await pendingOfCampaign(deps.database.db, campaignId)).flatMap(
    (each) => aboutCampaign(each) ?? [],
  );
  const value = {
    campaignId,
    day: campaign.currentDay,
    state: (await getCampaign(deps.database.db, campaignId))?.state,
    pausedForCheckpoint: question !== undefined,
    checkpointId: question?.checkpointId ?? null,
  };
  if (question !== undefined)
    return done(
      value,
      confirmationCard(`Day ${campaign.currentDay} of ${campaignId} waits for an answer`, [
        `cos answer ${question.checkpointId} ${question.options[0]?.label ?? ""}`,
      ]),
    );
  if (!begins(step)) return refused(`nothing begins: ${stepWords(step)}`, status);
  return done(value, confirmationCard(`Day ${campaign.currentDay} of ${campaignId}`, [stepWords(step)]));
}

/** Whether a day is worked now, or will be within seconds. */
function begins(step: CampaignStep): boolean {
  return step.type !== "rest" || step.reason === "is being worked";
}

async function advanceNow(deps: Deps, campaignId: string, isRunNow: boolean): Promise<CampaignStep> {
  return await oneAfterAnother(deps.database.pool, `cos ${campaignId}`, (signal) =>
    advanceCampaign(deps, campaignId, { runNow: isRunNow, signal }),
  );
}

interface Changing {
  readonly tx: Db;
  readonly deps: Deps;
  readonly caller: Caller;
  readonly campaign: CampaignRow;
}

/** Locks the campaign (D9), changes it, says so, lets it go on. */
async function change(
  deps: Deps,
  caller: Caller,
  campaignId: string,
  work: (changing: Changing) => Promise<CommandResult>,
): Promise<CommandResult> {
  const result = await deps.database.transaction(async (tx): Promise<CommandResult> => {
    const campaign = await lockCampaign(tx, campaignId);
    if (campaign === null) return notFound(campaignId);
    if (campaign.state === "completed" || campaign.state === "failed")
      return refused(
        `${campaignId} is ${campaign.state}: ${campaign.endReason ?? ""}`,
        `cos campaign status ${campaignId}`,
      );
    const changed = await work({ tx, deps, caller, campaign });
    if (changed.type === "done") mark(tx, "campaign", campaignId);
    return changed;
  });
  if (result.type === "done") await advanceNow(deps, campaignId, false);
  return result;
}

function notFound(campaignId: string): CommandResult {
  return refused(`Campaign not found: ${campaignId}`, "cos campaign list");
}

async function tell(
  { tx, deps, caller, campaign }: Changing,
  event: "campaign.paused" | "campaign.resumed" | "campaign.replan-asked",
): Promise<void> {
  const { actor, via } = caller;
  await appendTimeline(tx, { event, campaignId: campaign.campaignId, actor, via, at: deps.now() });
}

async function pause(changing: Changing): Promise<CommandResult> {
  const { tx, deps, caller, campaign } = changing;
  const { campaignId } = campaign;
  if (campaign.state === "planning")
    return refused(`${campaignId} has not started`, `cos campaign status ${campaignId}`);
  await forgetPauses(tx, await pendingOfCampaign(tx, campaignId));
  await updateCampaign(tx, campaignId, { state: "paused", pausedBy: caller.actor, updatedAt: deps.now() });
  await holdSession(tx, deps, campaign, caller.actor);
  await tell(changing, "campaign.paused");
  return done({ campaignId, state: "paused" }, confirmationCard(`${campaignId} is paused`));
}

async function resume(changing: Changing): Promise<CommandResult> {
  const { tx, deps, campaign } = changing;
  const { campaignId } = campaign;
  if (campaign.state === "planning")
    return refused(`${campaignId} has not started`, `cos campaign start ${campaignId}`);
  if (campaign.state === "active")
    return done({ campaignId, state: "active" }, confirmationCard(`${campaignId} is active`));
  // A day whose session is still open needs no other one: who stops it later is heard.
  const goesOn = !(await releaseSession(tx, deps, campaign));
  await forgetPauses(tx, await pendingOfCampaign(tx, campaignId));
  await updateCampaign(tx, campaignId, { state: "active", pausedBy: null, goesOn, updatedAt: deps.now() });
  await tell(changing, "campaign.resumed");
  return done({ campaignId, state: "active" }, confirmationCard(`${campaignId} goes on`));
}

async function replan(changing: Changing, instructions: string): Promise<CommandResult> {
  const { tx, deps, caller, campaign } = changing;
  const { campaignId } = campaign;
  const words = instructions === "" ? null : instructions;
  if (words !== null && deps.config.model === null)
    return refused(
      "--instructions need a model (COS_MODEL); without one the built-in rule plans",
      `cos campaign replan ${campaignId}`,
    );
  const asked = (await pendingOfCampaign(tx, campaignId)).filter((each) => each.kind === "replan");
  const several = ofSeveral(deps, asked);
  if (several !== null) return refused(severalWords(several), `cos approve ${several.checkpointId}`);
  const hasPlan = (await daysOf(tx, campaignId)).length > 0;
  const kind = campaign.state !== "planning" ? "replan" : hasPlan ? "modify" : "first";
  await updateCampaign(tx, campaignId, {
    wanted: { kind, by: caller.actor, isAutomatic: false, instructions: words },
    updatedAt: deps.now(),
  });
  for (const open of asked) await withdrawQuestion(tx, deps, open.subject);
  await tell(changing, "campaign.replan-asked");
  return done(
    { campaignId, replanning: true },
    confirmationCard(`${campaignId} is planned anew; the difference is shown in its thread`),
  );
}

async function stop(changing: Changing): Promise<CommandResult> {
  const { tx, deps, caller, campaign } = changing;
  await endCampaign(tx, deps, campaign, "failed", `Stopped by ${caller.actor}.`);
  return done(
    { campaignId: campaign.campaignId, state: "failed" },
    confirmationCard(`${campaign.campaignId} is stopped`),
  );
}
