import { type Campaign, type DayPlan, isCampaignOver, type Milestone } from "./campaign.ts";
import type { CampaignQuestion } from "../checkpoints/checkpoint.ts";

/** How the goals of a milestone stand. */
export interface MilestoneWork extends Pick<Milestone, "milestoneId" | "status" | "targetDay"> {
  /** Planned for days to come, or being worked. */
  readonly left: number;
  /** Failed or parked. */
  readonly unfinished: number;
  /** Complete and not verified, skipped, or left to a person. */
  readonly unproven: number;
  readonly verified: number;
  /** The first day with one of its goals; its target day when it has none. */
  readonly firstDay: number;
  readonly asked: AskedWhetherDone;
}

/** Whether a person was asked if a milestone is done, about its goals as they are: answered, or nobody did in time. */
export type AskedWhetherDone = "no" | "open" | "answered" | "unanswered";

/** The newest session of the day that is being worked. */
export interface DaySession {
  readonly status: "running" | "paused" | "ended";
  /** Nothing of it can go on before somebody answers. */
  readonly isOnlyWaiting: boolean;
  /** Who stopped it; null: it came to its own end. */
  readonly endedBy: string | null;
  /** Goals of the day that it ended, whichever way. */
  readonly worked: number;
  /** It ended because all of the calendar day's money is spent, whoever spent it. */
  readonly isOutOfDay: boolean;
}

export interface CampaignFacts {
  readonly campaign: Pick<Campaign, "state" | "currentDay" | "pausedBy" | "totalBudgetMicroUsd">;
  readonly spentMicroUsd: number;
  /** Somebody wants another plan. */
  readonly wantsPlan: boolean;
  /** The open question that holds the campaign; whether a milestone is done holds nothing. */
  readonly question: Exclude<CampaignQuestion, "confirm"> | null;
  readonly confirming: boolean;
  /** Null: past the last day. */
  readonly day: Pick<DayPlan, "dayNumber" | "status" | "budgetMicroUsd"> | null;
  readonly session: DaySession | null;
  /** What the day has cost so far. */
  readonly daySpentMicroUsd: number;
  /** Goals of the day that could still be worked. */
  readonly unworked: number;
  /** A person wants the day to go on whose session has ended. */
  readonly goesOn: boolean;
  readonly milestones: readonly MilestoneWork[];
  /** The local date for which a day is due now; null: it is not time yet. */
  readonly dueDate: string | null;
  /** Days of campaigns begin by themselves. */
  readonly isScheduled: boolean;
  /** The local date of now. */
  readonly today: string;
  /** Another session holds the repository. */
  readonly busyWith: string | null;
  /** Its share of what is left of the calendar day's ceiling. */
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
  /** Make the plan that is wanted; asks a model, so it happens outside of transactions. */
  | { readonly type: "plan" }
  /** All its goals are verified (C-82). */
  | { readonly type: "finish-milestone"; readonly milestoneId: string }
  /** All its goals have ended, not all of them verified: a person says whether it is done. */
  | { readonly type: "confirm-milestone"; readonly milestoneId: string }
  /** Its day waits for answers: paused by itself, and going on by itself (C-84). */
  | { readonly type: "hold" }
  | { readonly type: "go-on" }
  /** A person stopped the day's session. */
  | { readonly type: "pause"; readonly by: string }
  | { readonly type: "close-day"; readonly carries: boolean }
  /** The money is used up, or what a day may cost is too little for its next goal (C-89). */
  | { readonly type: "ask-money"; readonly why: "total" | "day" }
  | { readonly type: "ask-milestone"; readonly milestoneId: string }
  | { readonly type: "begin-day"; readonly date: string; readonly budgetMicroUsd: number }
  | { readonly type: "end"; readonly state: "completed" | "failed" };

/**
 * What a campaign does next: one step, after which it is asked again. Read downwards: what is over, what a person holds,
 * what was achieved, the day that is being worked, the end, the next day. `minimumMicroUsd`: less than that starts
 * nothing. S4-CX-01…14, C-82…C-89, D6, D7, D20.
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
    // What a day's money was not enough for goes over to the next day (C-84), but not from day to day for ever.
    if (session?.worked === 0 && !facts.goesOn) {
      if (!session.isOutOfDay) return { type: "ask-money", why: "day" };
      // Another date has its own money, and nobody's answer brings it sooner.
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

/** Its day begins or goes on, when the repository is free and there is a share of the calendar day's money (S4-CX-05). */
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

/** Milestones whose goals have all ended, or that have none: done when all are verified, else a person says so. */
function achievedMilestone(milestones: readonly MilestoneWork[], day: number | null): CampaignStep | null {
  for (const milestone of milestones) {
    const { milestoneId, unproven, verified, asked } = milestone;
    if (!mayBeDone(milestone, day)) continue;
    if (unproven === 0 && verified > 0) return { type: "finish-milestone", milestoneId };
    if (asked === "no") return { type: "confirm-milestone", milestoneId };
  }
  return null;
}

/** `day`: the one that is worked or comes next; null: they are all over. */
function mayBeDone(milestone: MilestoneWork, day: number | null): boolean {
  const { status, targetDay } = milestone;
  if (status === "in_progress" && haveEndedWell(milestone)) return true;
  if (!hasNoGoals(milestone)) return false;
  return day === null ? status === "in_progress" || status === "pending" : status === "in_progress" && targetDay < day;
}

/** Whether no goal is any of it, and none is to come: what it is done by only a person can say. */
export function hasNoGoals({ left, unfinished, unproven, verified }: MilestoneWork): boolean {
  return left + unfinished + unproven + verified === 0;
}

/** Whether all its goals have ended, none of them failed or parked. */
export function haveEndedWell({ left, unfinished, unproven, verified }: MilestoneWork): boolean {
  return left === 0 && unfinished === 0 && unproven + verified > 0;
}

/** Past the last day: completed when every milestone is done (S4-CX-09). What nobody answered is asked once more (D12). */
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
 * The part of what is left of a calendar day's ceiling that one campaign may begin with: what others were promised and
 * have not used stays theirs, and those that are still to begin get as much (D22).
 */
export function fairShare(day: {
  readonly ceilingMicroUsd: number;
  readonly committedMicroUsd: number;
  /** What open sessions may still spend. */
  readonly promisedMicroUsd: number;
  /** Campaigns whose day is due and has not begun, this one among them. */
  readonly toBegin: number;
}): number {
  const free = day.ceilingMicroUsd - day.committedMicroUsd - day.promisedMicroUsd;
  return Math.max(0, Math.floor(free / Math.max(1, day.toBegin)));
}
