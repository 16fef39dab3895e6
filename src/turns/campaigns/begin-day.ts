import type { PlannedGoal } from "../../core/campaigns/campaign.ts";
import type { Instruction } from "../../core/goals/goal.ts";
import { localDate } from "../../core/time.ts";
import { updateCampaign, updateDay } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { getGoal, lockGoal, updateGoal } from "../../db/goals.ts";
import type { Repository } from "../../db/repositories.ts";
import { updateRun } from "../../db/runs.ts";
import { claimRun } from "../../db/schedules.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { pinBase } from "../shared/base.ts";
import { addGoal } from "../shared/new-goal.ts";
import { readForGoal, type ReadForGoal } from "../shared/goal-request.ts";
import { repositorySource } from "../shared/source-files.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { openSession } from "../goal/sessions.ts";
import { endGoal } from "../shared/end-goal.ts";
import { type CampaignView, campaignSchedule, workedDay } from "../../facts/campaign.ts";
import { projectDates } from "../shared/campaign-dates.ts";
import { applyTransition } from "../../db/transitions.ts";

/** The repository's state and the files named by a day's goals, read before the day's rows are written. */
export type PreparedDay =
  | {
      readonly type: "prepared";
      readonly repository: Repository;
      readonly baseCommit: string;
      readonly read: ReadonlyMap<string, ReadForGoal>;
    }
  | { readonly type: "failed"; readonly reason: string };

/** Fetches git and reads files, outside of transactions. Goals whose rows exist keep their content. */
export async function prepareDay(deps: Deps, view: CampaignView): Promise<PreparedDay> {
  const base = await pinBase(deps, view.campaign.repositoryId);
  if (base.type === "failed") return base;
  const read = new Map<string, ReadForGoal>();
  for (const goal of workedDay(view)?.goals ?? []) {
    if (view.goals.some((each) => each.goalId === goal.goalId)) continue;
    read.set(
      goal.goalId,
      await readForGoal(repositorySource(deps, base.repository), goal.request, { type: "checkout" }),
    );
  }
  return { type: "prepared", repository: base.repository, baseCommit: base.commit, read };
}

/**
 * Begins a day, or resumes it after its session ended: stores its goals, a session with them and its date. The caller has made this
 * decision and holds the locks of the calendar day and the campaign. S4-CX-05, S4-CX-14, C-84, D16.
 */
export async function beginDay(
  tx: Db,
  deps: AskDeps,
  view: CampaignView,
  begin: {
    /** The date of the scheduled run; an earlier date when a missed day is made up for. */
    readonly date: string;
    readonly budgetMicroUsd: number;
    readonly prepared: Extract<PreparedDay, { type: "prepared" }>;
  },
): Promise<void> {
  const { campaign, milestones } = view;
  const { campaignId } = campaign;
  const now = deps.now();
  const day = workedDay(view);
  if (day === null) throw new Error(`campaign ${campaignId} has no day ${campaign.currentDay}`);
  await claimRun(tx, campaignId, begin.date, now);

  const goalIds: string[] = [];
  for (const [nth, planned] of day.goals.entries()) {
    const instructions = milestones.find((each) => each.milestoneId === planned.milestoneId)?.instructions ?? [];
    const isOpen = await ensureGoalRow(tx, deps, view, {
      planned,
      nth,
      day: day.dayNumber,
      instructions,
      prepared: begin.prepared,
    });
    if (isOpen) goalIds.push(planned.goalId);
  }
  const date = (day.status === "in_progress" ? day.date : null) ?? localDate(now, deps.config.timezone);
  await updateDay(tx, day, { status: "in_progress", date });
  await projectDates(tx, deps, view, {
    after: begin.date,
    from: day.dayNumber + 1,
    schedule: await campaignSchedule(tx, deps),
  });
  await updateCampaign(tx, campaignId, { state: "active", pausedBy: null, goesOn: false, updatedAt: now });
  await appendTimeline(tx, {
    event: "campaign.day-begun",
    campaignId,
    at: now,
    detail: { day: day.dayNumber, date, goals: goalIds, budgetMicroUsd: begin.budgetMicroUsd },
  });
  if (goalIds.length === 0) return;
  await openSession(tx, deps, {
    repositoryId: campaign.repositoryId,
    kind: "campaign",
    goalIds,
    budgetMicroUsd: begin.budgetMicroUsd,
    onLimit: deps.policy.recovery.onLimit,
    inOrder: false,
    baseCommit: begin.prepared.baseCommit,
    startedBy: campaign.createdBy,
    via: "campaign",
    campaign: { campaignId, day: day.dayNumber },
  });
}

interface PlannedRow {
  readonly planned: PlannedGoal;
  /** Number of goals before it in its day. */
  readonly nth: number;
  readonly day: number;
  readonly instructions: readonly Instruction[];
  readonly prepared: Extract<PreparedDay, { type: "prepared" }>;
}

/** Stores a planned goal's row, or resumes the goal. Returns false when there is nothing to work on. */
async function ensureGoalRow(tx: Db, deps: AskDeps, view: CampaignView, row: PlannedRow): Promise<boolean> {
  const { planned, nth, day, instructions, prepared } = row;
  const { campaignId, createdBy, requester } = view.campaign;
  const { goalId, milestoneId, request } = planned;
  if ((await getGoal(tx, goalId)) !== null) return await takeUpAgain(tx, deps, { goalId, day, milestoneId });

  const read = prepared.read.get(goalId) ?? { type: "wrong", problem: "it was not read", next: "", isMissing: true };
  const linked = read.type === "read" ? read.linked : { request, linkedText: null, criteria: null, tasks: null };
  const place = { goalId, campaignId, campaignDay: day, milestoneId };
  const by = { actor: createdBy, via: "campaign", requester };
  await addGoal(tx, deps, by, { repository: prepared.repository, linked, nth, planned: place });
  if (instructions.length > 0) await updateGoal(tx, goalId, { instructions: [...instructions], updatedAt: deps.now() });
  if (read.type === "read") return true;
  const goal = await lockGoal(tx, goalId);
  if (goal === null) throw new Error(`goal ${goalId} vanished when it was made`);
  const outcome = `Setup failed: ${read.problem}`;
  await endGoal(tx, deps, { goal }, { status: "failed", outcome, kind: "setup" });
  return false;
}

/** Resumes a goal of an earlier day, or of an earlier session of this day. Finished work stays. Returns false when it is not worked. */
async function takeUpAgain(
  tx: Db,
  deps: AskDeps,
  { goalId, day, milestoneId }: { goalId: string; day: number; milestoneId: string | null },
): Promise<boolean> {
  const goal = await lockGoal(tx, goalId);
  if (goal === null || goal.status === "complete" || goal.leasedBy !== null) return false;
  const isSameDay = goal.campaignDay === day;
  const isOver = goal.status === "deferred" || goal.status === "manual_followup";
  // A goal that ended on this day stays ended. The plan of a later day begins it again.
  if (isSameDay && (isOver || goal.status === "failed" || goal.status === "blocked")) return false;
  const now = deps.now();
  const goesOn = goal.status === "in_progress" || (goal.status === "blocked" && goal.phase !== "start");
  if (!goesOn && goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: now });
  // The plan contains it again, so earlier failures do not lead to a question.
  const again = { type: goesOn ? "goesOnAgain" : "beginsAgain", isForgotten: true } as const;
  await applyTransition(tx, goal, again, { campaignDay: day, milestoneId, updatedAt: now });
  await appendTimeline(tx, { event: "goal.resumed", goalId, at: now, detail: { day } });
  return true;
}
