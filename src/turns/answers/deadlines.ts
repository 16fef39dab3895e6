import {
  aboutCampaign,
  askedSoAt,
  type CampaignCheckpoint,
  type Checkpoint,
} from "../../core/checkpoints/checkpoint.ts";
import { shownOn } from "../../core/checkpoints/mirrors.ts";
import { awakeAfter } from "../../core/checkpoints/quiet.ts";
import { reminderNotice } from "../../core/cards/notices.ts";
import {
  dueExpiries,
  dueReminders,
  getCheckpoint,
  lockCheckpoint,
  lockFreeCheckpoint,
  settleCheckpoint,
  updatePending,
} from "../../db/checkpoints.ts";
import { type CampaignRow, lockCampaign } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { getGoal, lockGoal } from "../../db/goals.ts";
import { stillReminded } from "../../db/late-reminders.ts";
import { getSession, lockSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { whoIsAsked } from "../../facts/on-duty.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark, markNotice } from "../../db/connection/marks.ts";
import type { Deps, Doors } from "../../deps.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { expireCampaignQuestion, holdUnanswered } from "./answer-campaign.ts";
import { expireTuning } from "./answer-tuning.ts";
import { goOnUnanswered } from "./effects.ts";
import { applyTransition } from "../../db/transitions.ts";

type DeadlineDeps = Pick<Deps, "database"> & Doors;

/**
 * Reminds once of each question that has been open for long (30 min by policy, without quiet hours) and that nobody has acknowledged.
 * Questions that are due together and shown in the same places share one message. Safe to repeat. Returns the number of questions.
 */
export async function remindOfQuestions(deps: DeadlineDeps): Promise<number> {
  const now = deps.now();
  const { remindAfterMs } = deps.policy.checkpoints;
  const { quietHours, timezone } = deps.config;
  const open = await dueReminders(deps.database.db, new Date(now.getTime() - remindAfterMs));
  const due = open.filter((each) => awakeAfter(askedSoAt(each), remindAfterMs, quietHours, timezone) <= now);
  const together = new Map<string, Checkpoint[]>();
  for (const each of due) {
    const places = shownOn(each.reasons, deps.config.mirrors)?.join() ?? "everywhere";
    together.set(places, [...(together.get(places) ?? []), each]);
  }
  for (const some of together.values()) await deps.database.transaction((tx) => remind(tx, deps, some));
  return due.length;
}

/**
 * Reminds of those questions that are still open, in one message in the thread of the oldest. Questions that are locked by an answer are left
 * to the next call.
 */
async function remind(tx: Db, deps: DeadlineDeps, due: readonly Checkpoint[]): Promise<void> {
  const now = deps.now();
  const reminded: Checkpoint[] = [];
  for (const { checkpointId } of due) {
    const checkpoint = await lockFreeCheckpoint(tx, checkpointId);
    if (checkpoint === null || checkpoint.status !== "pending") continue;
    if (checkpoint.remindedAt !== null || checkpoint.acknowledgedAt !== null) continue;
    await updatePending(tx, checkpointId, { remindedAt: now });
    const { goalId, campaignId } = checkpoint;
    await appendTimeline(tx, { event: "checkpoint.reminded", goalId, campaignId, checkpointId, at: now });
    reminded.push(checkpoint);
  }
  const open = await stillReminded(tx, reminded);
  const woken = { duty: whoIsAsked(deps.config, now), second: deps.config.second };
  const notice = reminderNotice(open, deps.policy.places, woken);
  if (notice !== null) markNotice(tx, `${notice.checkpointId}.reminder.${open[0]?.checkpoint.version}`, notice);
}

/**
 * Expires questions that nobody answered in time: the goal is parked and its session continues (D12). The write is conditional like that of
 * answers, so a concurrent answer either wins or learns that it was too late (D10).
 */
export async function expireQuestions(deps: DeadlineDeps): Promise<void> {
  for (const { checkpointId } of await dueExpiries(deps.database.db, deps.now()))
    await deps.database.transaction((tx) => expireOne(tx, deps, checkpointId));
}

async function expireOne(tx: Db, deps: DeadlineDeps, checkpointId: string): Promise<void> {
  const now = deps.now();
  const seen = await getCheckpoint(tx, checkpointId);
  const ofCampaign = seen === null ? null : aboutCampaign(seen);
  if (ofCampaign !== null) return await expireOfCampaign(tx, deps, ofCampaign);
  if (seen?.kind === "tuning") return await expireTuning(tx, deps, checkpointId);
  const seenGoal = seen?.goalId === null || seen === null ? null : await getGoal(tx, seen.goalId);
  if (seenGoal === null) return;
  const held = seen?.kind === "breaker" ? await campaignOf(tx, seenGoal) : null;
  if (seenGoal.sessionId !== null) await lockSession(tx, seenGoal.sessionId);
  const goal = await lockGoal(tx, seenGoal.goalId);
  const checkpoint = await lockCheckpoint(tx, checkpointId);
  if (goal === null || checkpoint === null || checkpoint.status !== "pending" || checkpoint.expiresAt > now) return;

  await settleCheckpoint(tx, checkpointId, checkpoint.version, { ...unanswered, resolvedAt: now });
  await parkUnanswered(tx, deps, goal, checkpoint);
  if (held !== null) await holdUnanswered(tx, deps, held);
  await appendTimeline(tx, {
    event: "checkpoint.expired",
    goalId: goal.goalId,
    sessionId: goal.sessionId,
    checkpointId,
    at: now,
  });
  mark(tx, "checkpoint", checkpointId);
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
}

/** The campaign whose day the goal's session works, locked before the session (D9). Null when there is none. */
async function campaignOf(tx: Db, { sessionId }: Goal): Promise<CampaignRow | null> {
  const session = sessionId === null ? null : await getSession(tx, sessionId);
  return session?.campaignId == null ? null : await lockCampaign(tx, session.campaignId);
}

async function expireOfCampaign(
  tx: Db,
  deps: DeadlineDeps,
  { campaignId, checkpointId }: CampaignCheckpoint,
): Promise<void> {
  await lockCampaign(tx, campaignId);
  const locked = await lockCheckpoint(tx, checkpointId);
  const checkpoint = locked === null ? null : aboutCampaign(locked);
  if (checkpoint === null || checkpoint.status !== "pending" || checkpoint.expiresAt > deps.now()) return;
  await settleCheckpoint(tx, checkpointId, checkpoint.version, { ...unanswered, resolvedAt: deps.now() });
  await expireCampaignQuestion(tx, deps, checkpoint);
  await appendTimeline(tx, { event: "checkpoint.expired", campaignId, checkpointId, at: deps.now() });
  mark(tx, "checkpoint", checkpointId);
  mark(tx, "campaign", campaignId);
}

const unanswered = {
  status: "expired",
  chosenOption: null,
  humanNotes: null,
  resolvedBy: null,
  resolvedVia: null,
} as const;

/** Applies an expired question to its goal, depending on its kind (D12, D19). */
async function parkUnanswered(tx: Db, deps: DeadlineDeps, goal: Goal, checkpoint: Checkpoint): Promise<void> {
  // The session stays paused: the question was not about the goal.
  if (checkpoint.kind === "breaker") return;
  if (checkpoint.kind === "clarify") {
    await goOnUnanswered(tx, deps, goal);
    return;
  }
  if (goal.leasedBy !== null) return;
  const outcome = `Nobody answered in time. Ask again with: cos goal resume ${goal.goalId}`;
  // An ended ladder is not continued: resuming begins again, and asks first.
  const phase = checkpoint.kind === "escalation" ? { phase: "start" as const } : {};
  await applyTransition(tx, goal, { type: "parks", outcome, ...phase }, { updatedAt: deps.now() });
}
