import { isCampaignOver } from "../core/campaigns/campaign.ts";
import type { CampaignStep } from "../core/campaigns/step.ts";
import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import { cleanText } from "../core/text.ts";
import { type CampaignRow, daysOf, getCampaign, lockCampaign, updateCampaign } from "../db/campaigns.ts";
import { pendingOfCampaign } from "../db/checkpoints.ts";
import { severalWords } from "../core/cards/tally.ts";
import { viewCampaign } from "../facts/campaign.ts";
import { ofSeveral } from "../facts/tally.ts";
import type { Db } from "../db/connection/client.ts";
import { appendTimeline } from "../db/timeline.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { stopCampaign, holdSession, releaseSession } from "../turns/shared/campaign-hold.ts";
import { forgetPauses } from "../turns/shared/sessions.ts";
import { withdrawQuestion } from "../turns/shared/end-session.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { idOf, freeText } from "./fields.ts";
import { advanceNow, notFound } from "./campaign-start.ts";
import { askedItems } from "./campaign-status.ts";
import { chooseCampaign } from "./choose-campaign.ts";

export const campaignPause = command({
  name: "campaign pause",
  summary: "Hold a campaign; what runs is interrupted and goes on later.",
  access: "change",
  positionals: { id: idOf("campaign").optional() },
  run: (deps, caller, { id }) => change(deps, caller, id, pause),
});

export const campaignResume = command({
  name: "campaign resume",
  summary: "Go on with a held campaign; what nobody answered is asked again.",
  access: "change",
  positionals: { id: idOf("campaign").optional() },
  run: (deps, caller, { id }) => resumeNow(deps, caller, id),
});

export const campaignReplan = command({
  name: "campaign replan",
  summary: "Replan the remaining days; the difference is shown.",
  access: "change",
  positionals: { id: idOf("campaign").optional() },
  options: { instructions: freeText("T", "what should be different (needs a model)").optional() },
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

interface CampaignChange {
  readonly tx: Db;
  readonly deps: Deps;
  readonly caller: Caller;
  readonly campaign: CampaignRow;
}

/** Locks the campaign (the only open one if none is named, D9), changes it, marks its card, and lets it advance. */
async function change(
  deps: Deps,
  caller: Caller,
  wanted: string | undefined,
  work: (asked: CampaignChange) => Promise<CommandResult>,
): Promise<CommandResult> {
  return (await changeAndAdvance(deps, caller, wanted, work)).result;
}

/** Like `change`, and returns the campaign's next step; null when it was not changed. */
async function changeAndAdvance(
  deps: Deps,
  caller: Caller,
  wanted: string | undefined,
  work: (asked: CampaignChange) => Promise<CommandResult>,
): Promise<{ readonly result: CommandResult; readonly step: CampaignStep | null; readonly campaignId: string }> {
  const chosen = await chooseCampaign(deps, wanted);
  if (chosen.type === "refused") return { result: chosen, step: null, campaignId: "" };
  const { campaignId } = chosen.campaign;
  const result = await deps.database.transaction(async (tx): Promise<CommandResult> => {
    const campaign = await lockCampaign(tx, campaignId);
    if (campaign === null) return notFound(campaignId);
    if (isCampaignOver(campaign.state))
      return refused(
        `${campaignId} is over: ${campaign.endReason ?? campaign.state}`,
        `cos campaign status ${campaignId}`,
      );
    const changed = await work({ tx, deps, caller, campaign });
    if (changed.type === "done") mark(tx, "campaign", campaignId);
    return changed;
  });
  const step = result.type === "done" ? await advanceNow(deps, campaignId, false) : null;
  return { result, step, campaignId };
}

/** Resumes a campaign. If it still waits for an answer, says for which. */
async function resumeNow(deps: Deps, caller: Caller, wanted: string | undefined): Promise<CommandResult> {
  const { result, step, campaignId } = await changeAndAdvance(deps, caller, wanted, resume);
  if (result.type !== "done" || step?.type !== "rest" || step.reason !== "waits for an answer") return result;
  const { db } = deps.database;
  const campaign = await getCampaign(db, campaignId);
  if (campaign === null) return notFound(campaignId);
  const asked = await askedItems(db, await viewCampaign(db, campaign));
  const card = linesCard(`${campaignId} is not paused, and waits for an answer`, asked);
  return done({ campaignId, state: campaign.state }, card);
}

async function tell(
  { tx, deps, caller, campaign }: CampaignChange,
  event: "campaign.paused" | "campaign.resumed" | "campaign.replan-asked",
): Promise<void> {
  const { actor, via } = caller;
  await appendTimeline(tx, { event, campaignId: campaign.campaignId, actor, via, at: deps.now() });
}

async function pause(asked: CampaignChange): Promise<CommandResult> {
  const { tx, deps, caller, campaign } = asked;
  const { campaignId } = campaign;
  if (campaign.state === "planning")
    return refused(`${campaignId} has not started`, `cos campaign status ${campaignId}`);
  await forgetPauses(tx, await pendingOfCampaign(tx, campaignId));
  await updateCampaign(tx, campaignId, { state: "paused", pausedBy: caller.actor, updatedAt: deps.now() });
  await holdSession(tx, deps, campaign, caller.actor);
  await tell(asked, "campaign.paused");
  return done({ campaignId, state: "paused" }, confirmationCard(`${campaignId} is paused`));
}

async function resume(asked: CampaignChange): Promise<CommandResult> {
  const { tx, deps, campaign } = asked;
  const { campaignId } = campaign;
  if (campaign.state === "planning")
    return refused(`${campaignId} has not started`, `cos campaign start ${campaignId}`);
  // A day whose session is still open must not get another one, so that a later stop of the session is respected. A session that paused
  // by itself is not held yet.
  const released = await releaseSession(tx, deps, campaign);
  if (released.type === "asked")
    return refused(severalWords(released.checkpoint), `cos approve ${released.checkpoint.checkpointId}`);
  if (campaign.state === "active") {
    const line = `${campaignId} ${released.type === "released" ? "goes on" : "is not paused"}`;
    return done({ campaignId, state: "active" }, confirmationCard(line));
  }
  const goesOn = released.type === "none";
  await forgetPauses(tx, await pendingOfCampaign(tx, campaignId));
  await updateCampaign(tx, campaignId, { state: "active", pausedBy: null, goesOn, updatedAt: deps.now() });
  await tell(asked, "campaign.resumed");
  return done({ campaignId, state: "active" }, confirmationCard(`${campaignId} goes on`));
}

async function replan(changing: CampaignChange, instructions: string): Promise<CommandResult> {
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
  if (hasPlan && campaign.state === "planning" && deps.config.model === null)
    return refused(
      "no model is configured (COS_MODEL), so nothing else can be planned before the start; an outline is a plan (docs/campaigns.md)",
      "cos campaign create --from plan.md",
    );
  const kind = campaign.state !== "planning" ? "replan" : hasPlan && words !== null ? "modify" : "first";
  await updateCampaign(tx, campaignId, {
    wanted: { kind, by: caller.actor, isAutomatic: false, instructions: words },
    updatedAt: deps.now(),
  });
  for (const open of asked) await withdrawQuestion(tx, deps, open.subject);
  await tell(changing, "campaign.replan-asked");
  return done(
    { campaignId, replanning: true },
    confirmationCard(
      campaign.state === "planning"
        ? `${campaignId} is replanned; its plan is shown again: cos checkpoints`
        : `${campaignId} is replanned; what changed is said in its thread and on its page of the console`,
    ),
  );
}

async function stop(asked: CampaignChange): Promise<CommandResult> {
  const { tx, deps, caller, campaign } = asked;
  await stopCampaign(tx, deps, campaign, { by: caller.actor, reason: `Stopped by ${caller.actor}.` });
  return done(
    { campaignId: campaign.campaignId, state: "failed" },
    confirmationCard(`${campaign.campaignId} is stopped`),
  );
}
