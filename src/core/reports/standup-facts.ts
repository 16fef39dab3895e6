import type { Backing } from "../acceptance/backing.ts";
import type { CampaignState } from "../campaigns/campaign.ts";
import type { PreferenceKey, PreferenceLevel } from "../memory/preferences.ts";
import type { BranchNews, BranchState, RepositoryTrouble } from "./branches.ts";
import type { OpenQuestion, SessionView } from "./open-questions.ts";
import type { LimitedLine, ReportLine } from "./report-facts.ts";

/** Goals by the part in which they stand (parts.ts), and what else may need a person. Amounts in micro-dollars. */
export interface StandupNeeds {
  readonly done: readonly DoneLine[];
  readonly failed: readonly ReportLine[];
  readonly deferred: readonly ReportLine[];
  /** Blocked without a question: all of them, the newest first. */
  readonly parked: readonly ReportLine[];
  /** Left to a person (`manual_followup`), in the last weeks. */
  readonly manual: readonly ReportLine[];
  /** The longest waiting first. */
  readonly questions: readonly OpenQuestion[];
  /** Finished before this report's time and undecided, the oldest first. */
  readonly unmerged: readonly UnmergedLine[];
  /** What was finished or left to a person so long ago that it stands in no list; null: nobody looked. */
  readonly older: OlderWork | null;
  readonly working: readonly WorkingLine[];
  /** How many branches are being merged, or wait for that in a merge queue. */
  readonly merging: number;
  /** Open sessions' goals in their order, then what the next session would take. */
  readonly planned: readonly PlannedLine[];
  readonly sessions: readonly SessionView[];
  readonly campaigns: readonly StandupCampaign[];
  readonly news: readonly GoalNews[];
  readonly troubles: readonly RepositoryNews[];
  /** Where there is too little space for goals to start, in words; null: nowhere. */
  readonly noSpace: string | null;
  /** No repository is known yet; absent: one is, or nobody looked. */
  readonly isWithoutRepository?: true;
}

/** What a standup says. `since` is when the last one was posted. */
export interface StandupFacts extends StandupNeeds {
  /** The local date that it is for. */
  readonly date: string;
  readonly since: Date;
  /** Who may answer, as COS_APPROVERS names them; empty: the local person. */
  readonly askedOf: readonly string[];
  /** It is for everybody to read: it mentions nobody, each would be notified (D44). */
  readonly isPosted?: true;
  /** Of the unmerged: for longer than people are given. */
  readonly lateMerges: { readonly number: number; readonly afterMs: number };
  readonly limited: readonly LimitedLine[];
  readonly spend: SpendFacts;
  /** What approvers' answers have taught, of what enough have spoken (S4-PL-12). */
  readonly learnt: readonly LearntLine[];
}

export interface LearntLine {
  readonly key: PreferenceKey;
  readonly reading: PreferenceLevel;
  /** An answer has moved it since the last standup. */
  readonly isNew: boolean;
}

/** A goal that was completed, and what has become of its branch; null: it has none. */
export interface DoneLine extends ReportLine, InOrder {
  readonly branch: BranchState["type"] | null;
}

/** A finished branch that nobody has decided about, among others. */
interface InOrder {
  /** What is merged before it, in its order (D37); absent: nothing. */
  readonly mergeFirst?: readonly MergeBefore[];
}

export interface MergeBefore {
  readonly goalId: string;
  readonly content: string;
  /** Somebody has asked for it. */
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
  /** "working", "verifying", "pushing", "retrying", "next", "interrupted", "waiting for its turn": as its card says; what becomes of its branch. */
  readonly state: string;
  /** It is complete, and its branch is being merged. */
  readonly isMerging: boolean;
  /** When it tries again; null: it is at it, or as soon as it can. */
  readonly until: Date | null;
}

export interface PlannedLine {
  readonly goalId: string;
  readonly content: string;
  readonly state: "in the session" | "pending";
  /** Its session is at work and does not come to it before a person has said something; absent: no. */
  readonly isHeld?: true;
  /** Goals that it is on top of and that are not ready (D37); absent: none. */
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
  /** The person who stopped it; null: it ended by itself, or has not. */
  readonly endedBy: string | null;
  /** From 1; `days` is 0 while it has no plan. */
  readonly day: number;
  readonly days: number;
  readonly milestonesDone: number;
  /** Those of them that a person called done. */
  readonly milestonesOnWord: number;
  readonly milestones: number;
  readonly daysBehind: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly budgetMicroUsd: number;
  /** What its current day has planned and stands nowhere else. */
  readonly today: readonly string[];
  /** Its goals that wait for a day of it: those of `today` that exist, then later ones. */
  readonly goals: readonly { readonly goalId: string; readonly content: string; readonly isToday: boolean }[];
  readonly pausedBy: string | null;
  /** Its own question that holds it; null: none does, but those of its day may. */
  readonly waitsFor: string | null;
}

export interface SpendFacts {
  readonly sinceMicroUsd: number;
  readonly todayMicroUsd: number;
  readonly isEstimated: boolean;
  readonly dayCeilingMicroUsd: number;
  readonly reserved: readonly ReservedLine[];
}

/** What a call that has not ended may still cost. */
export interface ReservedLine {
  readonly goalId: string | null;
  readonly content: string;
  readonly leftMicroUsd: number;
}

/** A goal whose branch differs from what our rows say. */
export interface GoalNews {
  readonly goalId: string;
  readonly content: string;
  readonly branch: string;
  readonly headCommit: string;
  readonly isBranchThere: boolean;
  readonly repository: NewsPlace;
  readonly news: BranchNews;
  /** The goal whose merge brought this one's change; absent: none of ours did. */
  readonly broughtBy?: { readonly goalId: string; readonly content: string };
}

export interface RepositoryNews {
  readonly repository: NewsPlace;
  readonly trouble: RepositoryTrouble;
}

export interface NewsPlace {
  readonly name: string;
  /** Where it lies on this machine; of a repository elsewhere our copy. */
  readonly path: string;
  /** Where it is, if that is elsewhere; null: on this machine. */
  readonly url: string | null;
  readonly baseBranch: string;
  /** Where our own copy of its branches lies. */
  readonly mirrorDir: string;
  readonly machine: string;
}

const dayMs = 24 * 60 * 60_000;

/** From when a standup reports: since the last one, and asked for by hand at least the last day. */
export function standupSince(lastAt: Date | null, now: Date, least: "nothing" | "a day"): Date {
  if (lastAt === null) return new Date(now.getTime() - 2 * dayMs);
  const dayAgo = now.getTime() - dayMs;
  return least === "a day" && lastAt.getTime() > dayAgo ? new Date(dayAgo) : lastAt;
}

/** How a goal ended: which event of the timeline says so. */
export interface GoalEnd {
  readonly goalId: string;
  readonly timelineId: number;
  readonly at: Date;
}

/**
 * What ends at the moment of a standup may be written after that was read, with a time from before: the next one reads from so much
 * earlier on, and leaves out what the last one has said.
 */
export const endsLateMs = 10 * 60_000;

/** Those that the last standup, of `since`, has not said. `said` null: nobody knows what that was. */
export function newEnds(
  ends: readonly GoalEnd[],
  { since, said }: { readonly since: Date; readonly said: readonly number[] | null },
): GoalEnd[] {
  if (said === null) return ends.filter(({ at }) => at >= since);
  return ends.filter(({ timelineId }) => !said.includes(timelineId));
}

/** What the standup after one of `now` has to know of what this one has said. */
export function saidAlong(ends: readonly GoalEnd[], now: Date): number[] {
  return ends.flatMap(({ timelineId, at }) => (now.getTime() - at.getTime() <= endsLateMs ? [timelineId] : []));
}
