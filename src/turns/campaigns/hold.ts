import { type CampaignRow, sessionsOfDay, updateCampaign } from "../../db/campaigns.ts";
import { pendingOfCampaign } from "../../db/checkpoints.ts";
import type { Db } from "../../db/client.ts";
import { lockSession, type Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { resumeSession } from "../breaker.ts";
import { pauseSession } from "../sessions.ts";
import { saySession, type Saying } from "../say.ts";
import { endSession, wakeSession, withdrawQuestion } from "../wake.ts";

/** Campaigns that are held, go on or end, with the session of their day. The caller holds the campaign's lock (D9). */

/** Holds the open session of its day; what runs is cut and goes on later. */
export async function holdSession(tx: Db, deps: Saying, campaign: CampaignRow, by: string): Promise<void> {
  const session = await openSessionOf(tx, campaign);
  if (session !== null && (await pauseSession(tx, deps, session, by))) await saySession(tx, deps, session.sessionId);
}

/** Lets the held session of its day go on. True when a goal became ready. */
export async function releaseSession(tx: Db, deps: Saying, campaign: CampaignRow): Promise<boolean> {
  const session = await openSessionOf(tx, campaign);
  if (session?.status !== "paused") return false;
  await resumeSession(tx, deps, session);
  await withdrawQuestion(tx, deps, session.sessionId);
  const isReady = await wakeSession(tx, deps, session.sessionId);
  await saySession(tx, deps, session.sessionId);
  return isReady;
}

/** Ends a campaign for good: its open session ends, what is asked about it is withdrawn. */
export async function endCampaign(
  tx: Db,
  deps: Saying,
  campaign: CampaignRow,
  state: "completed" | "failed",
  reason: string,
): Promise<void> {
  const { campaignId } = campaign;
  const now = deps.now();
  const session = await openSessionOf(tx, campaign);
  if (session !== null) await endSession(tx, deps, session, reason);
  await updateCampaign(tx, campaignId, {
    state,
    endedAt: now,
    endReason: reason,
    pausedBy: null,
    wanted: null,
    updatedAt: now,
  });
  for (const { subject } of await pendingOfCampaign(tx, campaignId)) await withdrawQuestion(tx, deps, subject);
  await appendTimeline(tx, { event: `campaign.${state}`, campaignId, at: now, detail: { reason } });
}

async function openSessionOf(tx: Db, { campaignId, currentDay }: CampaignRow): Promise<Session | null> {
  const [newest] = await sessionsOfDay(tx, campaignId, currentDay);
  return newest === undefined || newest.status === "ended" ? null : await lockSession(tx, newest.sessionId);
}
