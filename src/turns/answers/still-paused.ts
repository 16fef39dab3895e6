import type { AnswerDecision } from "../../core/checkpoints/answering.ts";
import { resumeCommand, type StillPaused } from "../../core/cards/paused-words.ts";
import { type CampaignRow, getCampaign } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { getSession, type Session } from "../../db/sessions.ts";
import { pausedSession } from "../../facts/paused-session.ts";

/** Sessions and campaigns that stay paused after an answer. Nothing is read when nothing was paused. */

/** The session of an answered question if it was paused before and still is. Null otherwise. */
export async function pausedStill(
  tx: Db,
  before: Pick<Session, "sessionId" | "status"> | null,
  { type }: AnswerDecision,
): Promise<StillPaused | null> {
  if (before?.status !== "paused" || (type !== "recorded" && type !== "paused")) return null;
  const session = await getSession(tx, before.sessionId);
  if (session?.status !== "paused") return null;
  const { sessionId: id, pausedBy } = session;
  return { id, pausedBy, command: resumeCommand(await pausedSession(tx, session)) };
}

/** The same for the campaign of a question. */
export async function campaignStill(
  tx: Db,
  before: CampaignRow,
  { type }: AnswerDecision,
): Promise<StillPaused | null> {
  if (before.state !== "paused" || (type !== "recorded" && type !== "paused")) return null;
  const campaign = await getCampaign(tx, before.campaignId);
  // A campaign that nobody paused continues with the answers of its day.
  if (campaign?.state !== "paused" || campaign.pausedBy === null) return null;
  const { campaignId: id, pausedBy } = campaign;
  return { id, pausedBy, command: `campaign resume ${id}` };
}
