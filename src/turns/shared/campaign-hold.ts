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

/** Pauses, resumes and ends campaigns with the session of their day. The caller holds the campaign's lock (D9). */

/** Pauses the open session of the campaign's day. Running work is interrupted and goes on after the pause. */
export async function holdSession(tx: Db, deps: Doors, campaign: CampaignRow, by: string): Promise<void> {
  const session = await openSessionOf(tx, campaign);
  if (session !== null && (await pauseSession(tx, deps, session, by))) mark(tx, "session", session.sessionId);
}

/**
 * Resumes the paused session of the campaign's day. `none`: the day has no open session and needs another one. `open`: it was not paused.
 * `asked`: several people have to agree, and nothing was done.
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
  /** The person who ended it. Null when no day is left. */
  readonly by: string | null;
}

/** Ends a campaign because a person asked for it. It has not failed, but its state is `failed`: S4-CM has no other state for it. */
export async function stopCampaign(
  tx: Db,
  deps: Doors,
  campaign: CampaignRow,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await endCampaign(tx, deps, campaign, { state: "failed", reason, by });
}

/** Ends a campaign: ends its open session, cuts and parks running goals, and withdraws its open questions. */
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

/** Parks goals that have begun, because no later day continues them. Goals of another open session are left alone. */
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
  // It may have ended while this waited for the lock.
  return session?.status === "ended" ? null : session;
}
