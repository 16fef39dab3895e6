import { type Campaign, type DayPlan, isCampaignOver, type Milestone } from "./campaign.ts";
import type { CampaignQuestion } from "../checkpoints/checkpoint.ts";

/** The state of a milestone's goals. */
export interface MilestoneWork extends Pick<Milestone, "milestoneId" | "status" | "targetDay"> {
  /** Goals that are planned for coming days, or being worked. */
  readonly left: number;
  /** Goals that failed or are parked. */
  readonly unfinished: number;
  /** Goals that are complete but not verified, skipped, or left to a person. */
  readonly unproven: number;
  readonly verified: number;
  /** The first day with one of its goals, or its target day when it has none. */
  readonly firstDay: number;
  readonly asked: AskedWhetherDone;
}

/** Whether a person was asked if a milestone is done, about its current goals: not asked, open, answered, or expired. */
export type AskedWhetherDone = "no" | "open" | "answered" | "unanswered";

/** The newest session of the day that is being worked. */
export interface DaySession {
  readonly status: "running" | "paused" | "ended";
  /** True when nothing in it can go on before somebody answers. */
  readonly isOnlyWaiting: boolean;
  /** The person who stopped it. Null when it ended by itself. */
  readonly endedBy: string | null;
  /** Number of the day's goals that ended in it, with any result. */
  readonly worked: number;
  /** True when it ended because the calendar day's money is spent, by whichever work. */
  readonly isOutOfDay: boolean;
}

export interface CampaignFacts {
  readonly campaign: Pick<Campaign, "state" | "currentDay" | "pausedBy" | "totalBudgetMicroUsd">;
  readonly spentMicroUsd: number;
  /** True when somebody has asked for another plan. */
  readonly wantsPlan: boolean;
  /** The open question that holds the campaign. The question whether a milestone is done is not included. */
  readonly question: Exclude<CampaignQuestion, "confirm"> | null;
  readonly confirming: boolean;
  /** Null after the last day. */
  readonly day: Pick<DayPlan, "dayNumber" | "status" | "budgetMicroUsd"> | null;
  readonly session: DaySession | null;
  /** The cost of the day so far. */
  readonly daySpentMicroUsd: number;
  /** Number of the day's goals that could still be worked. */
  readonly unworked: number;
  /** True when a person wants the day to go on although its session has ended. */
  readonly goesOn: boolean;
  readonly milestones: readonly MilestoneWork[];
  /** The local date for which a day is due now. Null when it is not time yet. */
  readonly dueDate: string | null;
  /** True when days of campaigns begin by themselves. */
  readonly isScheduled: boolean;
  /** The current local date. */
  readonly today: string;
  /** The other session that holds the repository. */
  readonly busyWith: string | null;
  /** This campaign's share of the money that is left under the calendar day's ceiling. */
  readonly shareMicroUsd: number;
}

export type RestReason =
  | "ended"
  | "not started"
  | "paused"
  | "waits for an answer"
  | "is being worked"
  | "not time yet"
  | "schedule is off"
  | "repository is busy"
  | "day's ceiling";

export type CampaignStep =
  | { readonly type: "rest"; readonly reason: RestReason }
  /** Make the plan that somebody has asked for. This asks a model, so it happens outside of transactions. */
  | { readonly type: "plan" }
  /** All its goals are verified (C-82). */
  | { readonly type: "finish-milestone"; readonly milestoneId: string }
  /** All its goals have ended, but not all are verified: a person says whether it is done. */
  | { readonly type: "confirm-milestone"; readonly milestoneId: string }
  /** hold: its day waits for answers, so it pauses by itself. go-on: it goes on by itself (C-84). */
  | { readonly type: "hold" }
  | { readonly type: "go-on" }
  /** A person stopped the day's session. */
  | { readonly type: "pause"; readonly by: string }
  | { readonly type: "close-day"; readonly carries: boolean }
  /** The money is used up, or a day's budget is too small for its next goal (C-89). */
  | { readonly type: "ask-money"; readonly why: "total" | "day" }
  | { readonly type: "ask-milestone"; readonly milestoneId: string }
  | { readonly type: "begin-day"; readonly date: string; readonly budgetMicroUsd: number }
  | { readonly type: "end"; readonly state: "completed" | "failed" };

/**
 * Decides the next step of a campaign. After the step it is called again. The order of the checks: the campaign is over, a person holds it,
 * a milestone was achieved, a day is being worked, the end, the next day. `minimumMicroUsd`: with less money nothing is started.
 * S4-CX-01…14, C-82…C-89, D6, D7, D20.
 */
export function decideCampaign(facts: CampaignFacts, minimumMicroUsd: number): CampaignStep {
  const { campaign, day, session } = facts;
  if (isCampaignOver(campaign.state)) return rest("ended");
  if (facts.wantsPlan) return { type: "plan" };
  if (campaign.state === "planning") return rest(facts.question === null ? "not started" : "waits for an answer");

  const achieved = achievedMilestone(facts.milestones, day?.dayNumber ?? null);
  if (achieved !== null) return achieved;
  if (campaign.state === "paused" && campaign.pausedBy !== null) return rest("paused");
  if (facts.question !== null) return campaign.state === "active" ? { type: "hold" } : rest("waits for an answer");

  if (day?.status === "in_progress" && session !== null) {
    if (session.status !== "ended") {
      const isHeld = session.status === "paused" || session.isOnlyWaiting;
      if (isHeld) return campaign.state === "paused" ? rest("waits for an answer") : { type: "hold" };
      return campaign.state === "paused" ? { type: "go-on" } : rest("is being worked");
    }
  }
  if (campaign.state === "paused") return { type: "go-on" };

  const leftMicroUsd = campaign.totalBudgetMicroUsd - facts.spentMicroUsd;
  if (day === null) return endOf(facts);
  const dayLeftMicroUsd = Math.min(day.budgetMicroUsd - facts.daySpentMicroUsd, leftMicroUsd);
  if (day.status === "in_progress") {
    if (facts.unworked === 0) return { type: "close-day", carries: false };
    if (session?.endedBy != null && !facts.goesOn) return { type: "pause", by: session.endedBy };
    if (leftMicroUsd < minimumMicroUsd) return { type: "ask-money", why: "total" };
    // Goals for which a day's money was too little go to the next day (C-84). If the day worked none at all, a person is asked.
    if (session?.worked === 0 && !facts.goesOn) {
      if (!session.isOutOfDay) return { type: "ask-money", why: "day" };
      // Another date has its own money, and an answer would not bring it sooner.
      if (facts.dueDate === null) return rest("day's ceiling");
      return beginning(facts, facts.dueDate, dayLeftMicroUsd, minimumMicroUsd);
    }
    if (!facts.goesOn || dayLeftMicroUsd < minimumMicroUsd) return { type: "close-day", carries: true };
    return beginning(facts, facts.today, dayLeftMicroUsd, minimumMicroUsd);
  }

  if (leftMicroUsd < minimumMicroUsd) return { type: "ask-money", why: "total" };
  if (facts.dueDate === null) return rest(facts.isScheduled ? "not time yet" : "schedule is off");
  const next = facts.milestones.find((each) => each.status === "pending" && each.firstDay <= day.dayNumber);
  if (next !== undefined) return { type: "ask-milestone", milestoneId: next.milestoneId };
  return beginning(facts, facts.dueDate, dayLeftMicroUsd, minimumMicroUsd);
}

/** Begins or continues the day, if the repository is free and there is a share of the calendar day's money (S4-CX-05). */
function beginning(
  { busyWith, shareMicroUsd }: CampaignFacts,
  date: string,
  leftMicroUsd: number,
  minimumMicroUsd: number,
): CampaignStep {
  if (busyWith !== null) return rest("repository is busy");
  if (shareMicroUsd < minimumMicroUsd) return rest("day's ceiling");
  return { type: "begin-day", date, budgetMicroUsd: Math.min(leftMicroUsd, shareMicroUsd) };
}

/** The first milestone whose goals have all ended, or that has none. It is done when all goals are verified; else a person decides. */
function achievedMilestone(milestones: readonly MilestoneWork[], day: number | null): CampaignStep | null {
  for (const milestone of milestones) {
    const { milestoneId, unproven, verified, asked } = milestone;
    if (!mayBeDone(milestone, day)) continue;
    if (unproven === 0 && verified > 0) return { type: "finish-milestone", milestoneId };
    if (asked === "no") return { type: "confirm-milestone", milestoneId };
  }
  return null;
}

/** True when the milestone may be done. `day`: the day that is being worked or comes next; null when all days are over. */
function mayBeDone(milestone: MilestoneWork, day: number | null): boolean {
  const { status, targetDay } = milestone;
  if (status === "in_progress" && haveEndedWell(milestone)) return true;
  if (!hasNoGoals(milestone)) return false;
  return day === null ? status === "in_progress" || status === "pending" : status === "in_progress" && targetDay < day;
}

/** True when the milestone has no goals, now or later. Only a person can then say whether it is done. */
export function hasNoGoals({ left, unfinished, unproven, verified }: MilestoneWork): boolean {
  return left + unfinished + unproven + verified === 0;
}

/** True when all its goals have ended, and none of them failed or is parked. */
export function haveEndedWell({ left, unfinished, unproven, verified }: MilestoneWork): boolean {
  return left === 0 && unfinished === 0 && unproven + verified > 0;
}

/**
 * The end after the last day: completed when every milestone is done (S4-CX-09). A question that nobody answered is asked once more (D12).
 */
function endOf({ milestones, confirming }: CampaignFacts): CampaignStep {
  if (milestones.every((each) => each.status === "done")) return { type: "end", state: "completed" };
  const unanswered = milestones.find((each) => mayBeDone(each, null) && each.asked === "unanswered");
  if (unanswered !== undefined) return { type: "confirm-milestone", milestoneId: unanswered.milestoneId };
  if (confirming) return rest("waits for an answer");
  return { type: "end", state: "failed" };
}

function rest(reason: RestReason): CampaignStep {
  return { type: "rest", reason };
}

/**
 * The part of the money left under a calendar day's ceiling with which one campaign may begin. Money that was promised to others and is not
 * used stays theirs. Campaigns that still have to begin get equal shares (D22).
 */
export function fairShare(day: {
  readonly ceilingMicroUsd: number;
  readonly committedMicroUsd: number;
  /** Money that open sessions may still spend. */
  readonly promisedMicroUsd: number;
  /** Number of campaigns whose day is due and has not begun, including this one. */
  readonly toBegin: number;
}): number {
  const free = day.ceilingMicroUsd - day.committedMicroUsd - day.promisedMicroUsd;
  return Math.max(0, Math.floor(free / Math.max(1, day.toBegin)));
}
