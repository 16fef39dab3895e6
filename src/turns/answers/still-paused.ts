import type { AnswerDecision } from "../../core/checkpoints/answering.ts";
import { resumeCommand, type StillPaused } from "../../core/cards/paused-words.ts";
import { type CampaignRow, getCampaign } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { getSession, type Session } from "../../db/sessions.ts";
import { pausedSession } from "../../facts/paused-session.ts";

/** What an answer did not let go on: nothing more is asked of the database where nothing was paused. */

/** The session of an answered question, where it was paused before and is after what was decided; null: it is not. */
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

/** The same of the campaign that a question is about. */
export async function campaignStill(
  tx: Db,
  before: CampaignRow,
  { type }: AnswerDecision,
): Promise<StillPaused | null> {
  if (before.state !== "paused" || (type !== "recorded" && type !== "paused")) return null;
  const campaign = await getCampaign(tx, before.campaignId);
  // One that nobody has paused goes on with the answers of its day.
  if (campaign?.state !== "paused" || campaign.pausedBy === null) return null;
  const { campaignId: id, pausedBy } = campaign;
  return { id, pausedBy, command: `campaign resume ${id}` };
}
