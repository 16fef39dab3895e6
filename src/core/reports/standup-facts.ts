import type { Backing } from "../acceptance/backing.ts";
import type { CampaignState } from "../campaigns/campaign.ts";
import type { PreferenceKey, PreferenceLevel } from "../memory/preferences.ts";
import type { BranchNews, BranchState, RepositoryTrouble } from "./branches.ts";
import type { OpenQuestion, SessionView } from "./open-questions.ts";
import type { LimitedLine, ReportLine } from "./report-facts.ts";

/** Goals by their part of the standup (parts.ts), and everything else that may need a person. Amounts in micro-dollars. */
export interface StandupNeeds {
  readonly done: readonly DoneLine[];
  readonly failed: readonly ReportLine[];
  readonly deferred: readonly ReportLine[];
  /** All goals that are blocked and have no open question, newest first. */
  readonly parked: readonly ReportLine[];
  /** Goals left to a person (`manual_followup`) in the last weeks. */
  readonly manual: readonly ReportLine[];
  /** Longest waiting first. */
  readonly questions: readonly OpenQuestion[];
  /** Goals finished before the time of this report and not decided, oldest first. */
  readonly unmerged: readonly UnmergedLine[];
  /** Goals that were finished or left to a person too long ago for the lists. Null when this was not read. */
  readonly older: OlderWork | null;
  readonly working: readonly WorkingLine[];
  /** Number of branches that are being merged or wait in a merge queue. */
  readonly merging: number;
  /** Goals of open sessions in their order, then the goals that the next session would take. */
  readonly planned: readonly PlannedLine[];
  readonly sessions: readonly SessionView[];
  readonly campaigns: readonly StandupCampaign[];
  readonly news: readonly GoalNews[];
  readonly troubles: readonly RepositoryNews[];
  /** The places with too little space for goals to start, in words. Null when there are none. */
  readonly noSpace: string | null;
  /** Set when no repository is known. Absent when one is known, or this was not read. */
  readonly isWithoutRepository?: true;
}

/** The contents of a standup. `since` is when the last one was posted. */
export interface StandupFacts extends StandupNeeds {
  /** The local date of the standup. */
  readonly date: string;
  readonly since: Date;
  /** People who may answer, as COS_APPROVERS names them. Empty: the local person. */
  readonly askedOf: readonly string[];
  /** Set when it is posted for everybody: it then mentions nobody, because a mention notifies (D44). */
  readonly isPosted?: true;
  /** How many of the unmerged have waited longer than people are given. */
  readonly lateMerges: { readonly number: number; readonly afterMs: number };
  readonly limited: readonly LimitedLine[];
  readonly spend: SpendFacts;
  /** Preferences learnt from answers, where there are enough answers (S4-PL-12). */
  readonly learnt: readonly LearntLine[];
}

export interface LearntLine {
  readonly key: PreferenceKey;
  readonly reading: PreferenceLevel;
  /** True when an answer has changed it since the last standup. */
  readonly isNew: boolean;
}

/** A goal that was completed, and the state of its branch. Null when it has no branch. */
export interface DoneLine extends ReportLine, InOrder {
  readonly branch: BranchState["type"] | null;
}

/** The place of a finished, undecided branch in the order of merging. */
interface InOrder {
  /** The branches that have to be merged before it, in order (D37). Absent when there are none. */
  readonly mergeFirst?: readonly MergeBefore[];
}

export interface MergeBefore {
  readonly goalId: string;
  readonly content: string;
  /** True when somebody has asked for its merge. */
  readonly isUnderWay: boolean;
}

export interface UnmergedLine extends InOrder, Backing {
  readonly goalId: string;
  readonly content: string;
  readonly sinceMs: number;
}

/** A goal that goes on by itself. */
export interface WorkingLine {
  readonly goalId: string;
  readonly content: string;
  /**
   * Its state in the words of its card: "working", "verifying", "pushing", "retrying", "next", "interrupted", "waiting for its turn". For a
   * complete goal, the state of its merge.
   */
  readonly state: string;
  /** True when it is complete and its branch is being merged. */
  readonly isMerging: boolean;
  /** When it is tried again. Null when it is being worked, or goes on as soon as possible. */
  readonly until: Date | null;
}

export interface PlannedLine {
  readonly goalId: string;
  readonly content: string;
  readonly state: "in the session" | "pending";
  /** Set when its running session does not reach it before a person has answered. */
  readonly isHeld?: true;
  /** Goals that it builds on and that are not ready (D37). Absent when there are none. */
  readonly waitsFor?: readonly string[];
}

export interface OlderWork {
  readonly branches: number;
  readonly manual: number;
  readonly olderThanMs: number;
}

export interface StandupCampaign {
  readonly campaignId: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly startedAt: Date | null;
  /** The person who stopped it. Null when it ended by itself, or has not ended. */
  readonly endedBy: string | null;
  /** From 1. `days` is 0 while there is no plan. */
  readonly day: number;
  readonly days: number;
  readonly milestonesDone: number;
  /** How many of the done milestones a person said are done. */
  readonly milestonesOnWord: number;
  readonly milestones: number;
  readonly daysBehind: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly budgetMicroUsd: number;
  /** Goals planned for its current day that no other part of the standup shows. */
  readonly today: readonly string[];
  /** Its goals that wait for one of its days: first existing goals of `today`, then those of later days. */
  readonly goals: readonly { readonly goalId: string; readonly content: string; readonly isToday: boolean }[];
  readonly pausedBy: string | null;
  /** The campaign's own question that holds it. Null when none does; questions about its day may still hold it. */
  readonly waitsFor: string | null;
}

export interface SpendFacts {
  readonly sinceMicroUsd: number;
  readonly todayMicroUsd: number;
  readonly isEstimated: boolean;
  readonly dayCeilingMicroUsd: number;
  readonly reserved: readonly ReservedLine[];
}

/** Money that a running call may still cost. */
export interface ReservedLine {
  readonly goalId: string | null;
  readonly content: string;
  readonly leftMicroUsd: number;
}

/** A goal whose branch differs from our rows. */
export interface GoalNews {
  readonly goalId: string;
  readonly content: string;
  readonly branch: string;
  readonly headCommit: string;
  readonly isBranchThere: boolean;
  readonly repository: NewsPlace;
  readonly news: BranchNews;
  /** The goal whose merge brought this goal's change. Absent when no goal of ours did. */
  readonly broughtBy?: { readonly goalId: string; readonly content: string };
}

export interface RepositoryNews {
  readonly repository: NewsPlace;
  readonly trouble: RepositoryTrouble;
}

export interface NewsPlace {
  readonly name: string;
  /** The repository on this machine. For a remote repository, our copy. */
  readonly path: string;
  /** The URL of a remote repository. Null when the repository is on this machine. */
  readonly url: string | null;
  readonly baseBranch: string;
  /** Our own copy of its branches. */
  readonly mirrorDir: string;
  readonly machine: string;
}

const dayMs = 24 * 60 * 60_000;

/** The start of a standup's time: when the last one was posted. For one that a person asks for, at least a day ago. */
export function standupSince(lastAt: Date | null, now: Date, least: "nothing" | "a day"): Date {
  if (lastAt === null) return new Date(now.getTime() - 2 * dayMs);
  const dayAgo = now.getTime() - dayMs;
  return least === "a day" && lastAt.getTime() > dayAgo ? new Date(dayAgo) : lastAt;
}

/** The event of the timeline that ended a goal. */
export interface GoalEnd {
  readonly goalId: string;
  readonly timelineId: number;
  readonly at: Date;
}

/**
 * An end near the moment of a standup may be written after that standup was read, with an earlier time. The next standup therefore starts
 * this much earlier, and leaves out what the last one reported.
 */
export const endsLateMs = 10 * 60_000;

/** The ends that the last standup, of `since`, did not report. `said` is null when its ends are unknown. */
export function newEnds(
  ends: readonly GoalEnd[],
  { since, said }: { readonly since: Date; readonly said: readonly number[] | null },
): GoalEnd[] {
  if (said === null) return ends.filter(({ at }) => at >= since);
  return ends.filter(({ timelineId }) => !said.includes(timelineId));
}

/** The ends that the next standup has to leave out: those of the last `endsLateMs` before `now`. */
export function saidAlong(ends: readonly GoalEnd[], now: Date): number[] {
  return ends.flatMap(({ timelineId, at }) => (now.getTime() - at.getTime() <= endsLateMs ? [timelineId] : []));
}
