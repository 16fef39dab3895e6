import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { endedStatuses } from "../../core/goals/goal.ts";
import { type CampaignRow, goalsOfCampaign, sessionsOfDay, updateCampaign } from "../../db/campaigns.ts";
import { pendingCheckpoint, pendingOfCampaign } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { lockGoal } from "../../db/goals.ts";
import { getSession, lockSession, type Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { ofSeveral } from "../../facts/tally.ts";
import { resumeSession } from "./breaker.ts";
import { pauseSession } from "./sessions.ts";
import { endSession, withdrawQuestion } from "./end-session.ts";
import { applyTransition } from "../../db/transitions.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";

/** Campaigns that are held, go on or end, with the session of their day. The caller holds the campaign's lock (D9). */

/** Holds the open session of its day; what runs is interrupted and goes on later. */
export async function holdSession(tx: Db, deps: Doors, campaign: CampaignRow, by: string): Promise<void> {
  const session = await openSessionOf(tx, campaign);
  if (session !== null && (await pauseSession(tx, deps, session, by))) mark(tx, "session", session.sessionId);
}

/**
 * Lets the held session of its day go on. `none`: the day has none to go on with and needs another one; `open`: it was not
 * held; `asked`: several people have to agree to that, and nothing was done.
 */
export async function releaseSession(
  tx: Db,
  deps: Doors,
  campaign: CampaignRow,
): Promise<
  { readonly type: "none" | "open" | "released" } | { readonly type: "asked"; readonly checkpoint: Checkpoint }
> {
  const session = await openSessionOf(tx, campaign);
  if (session === null) return { type: "none" };
  if (session.status !== "paused") return { type: "open" };
  const checkpoint = ofSeveral(deps, [await pendingCheckpoint(tx, session.sessionId)]);
  if (checkpoint !== null) return { type: "asked", checkpoint };
  await resumeSession(tx, deps, session);
  await withdrawQuestion(tx, deps, session.sessionId);
  lookAt(tx, session.sessionId);
  return { type: "released" };
}

export interface CampaignEnd {
  readonly state: "completed" | "failed";
  readonly reason: string;
  /** Who ended it; null: its days are over. */
  readonly by: string | null;
}

/** Ends a campaign on a person's word: it has not failed, though its row says so (S4-CM's states know no other). */
export async function stopCampaign(
  tx: Db,
  deps: Doors,
  campaign: CampaignRow,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await endCampaign(tx, deps, campaign, { state: "failed", reason, by });
}

/** Ends a campaign for good: its open session ends, what runs is cut and parked, what is asked about it is withdrawn. */
export async function endCampaign(
  tx: Db,
  deps: Doors,
  campaign: CampaignRow,
  { state, reason, by }: CampaignEnd,
): Promise<void> {
  const { campaignId } = campaign;
  const now = deps.now();
  const session = await openSessionOf(tx, campaign);
  if (session !== null) await endSession(tx, deps, session, { reason });
  await parkUnfinished(tx, deps, campaignId);
  await updateCampaign(tx, campaignId, {
    state,
    endedAt: now,
    endReason: reason,
    endedBy: by,
    pausedBy: null,
    wanted: null,
    updatedAt: now,
  });
  for (const { subject } of await pendingOfCampaign(tx, campaignId)) await withdrawQuestion(tx, deps, subject);
  await appendTimeline(tx, { event: `campaign.${state}`, campaignId, actor: by, at: now, detail: { reason } });
}

/** No next day takes up what had begun: it waits for a person's word, unless another session is at it. */
async function parkUnfinished(tx: Db, deps: Doors, campaignId: string): Promise<void> {
  for (const { goalId, sessionId } of await goalsOfCampaign(tx, campaignId)) {
    const session = sessionId === null ? null : await getSession(tx, sessionId);
    if (session !== null && session.status !== "ended") continue;
    const goal = await lockGoal(tx, goalId);
    if (goal === null || endedStatuses.includes(goal.status)) continue;
    if (goal.leasedBy === null && goal.status !== "in_progress") continue;
    const outcome = `The campaign ended before this goal did. Go on with: cos goal resume ${goalId}`;
    await applyTransition(tx, goal, { type: "isLeft", outcome, stop: "stop" }, { updatedAt: deps.now() });
    mark(tx, "goal", goalId);
  }
}

async function openSessionOf(tx: Db, { campaignId, currentDay }: CampaignRow): Promise<Session | null> {
  const [newest] = await sessionsOfDay(tx, campaignId, currentDay);
  if (newest === undefined || newest.status === "ended") return null;
  const session = await lockSession(tx, newest.sessionId);
  // Somebody else may have ended it while this waited for it.
  return session?.status === "ended" ? null : session;
}
