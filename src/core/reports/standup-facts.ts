import type { EvidenceTag } from "../acceptance/tag.ts";
import type { CampaignState } from "../campaigns/campaign.ts";
import type { BranchNews, BranchState, RepositoryTrouble } from "./branches.ts";
import type { OpenQuestion, SessionView } from "./open-questions.ts";
import type { LimitedLine, ReportLine } from "./standup.ts";

/** What a standup says. `since` is when the last one was posted. Amounts in micro-dollars. */
export interface StandupFacts {
  /** The local date that it is for. */
  readonly date: string;
  readonly since: Date;
  readonly done: readonly DoneLine[];
  readonly failed: readonly ReportLine[];
  /** Blocked without a question: all of them, the newest first. */
  readonly parked: readonly ReportLine[];
  /** Left to a person (`manual_followup`), in the last weeks. */
  readonly manual: readonly ReportLine[];
  /** Who may answer, as COS_APPROVERS names them; empty: the local person. */
  readonly askedOf: readonly string[];
  /** The longest waiting first. */
  readonly questions: readonly OpenQuestion[];
  /** Finished before this standup's time and undecided, the oldest first. */
  readonly unmerged: readonly UnmergedLine[];
  /** Of those: for longer than people are given. */
  readonly lateMerges: { readonly number: number; readonly afterMs: number };
  readonly sessions: readonly SessionView[];
  /** Open sessions' goals in their order, then what the next session would take. */
  readonly planned: readonly PlannedLine[];
  readonly campaigns: readonly CampaignLine[];
  readonly limited: readonly LimitedLine[];
  readonly spend: SpendFacts;
  readonly news: readonly GoalNews[];
  readonly troubles: readonly RepositoryNews[];
}

/** A goal that was completed, and what has become of its branch; null: it has none. */
export interface DoneLine extends ReportLine {
  readonly branch: BranchState["type"] | null;
}

export interface UnmergedLine {
  readonly goalId: string;
  readonly content: string;
  readonly tag: EvidenceTag;
  readonly sinceMs: number;
}

export interface PlannedLine {
  readonly goalId: string;
  readonly content: string;
  readonly state: "working" | "waits for an answer" | "in the session" | "pending";
}

export interface CampaignLine {
  readonly campaignId: string;
  readonly name: string;
  readonly state: CampaignState;
  /** From 1; `days` is 0 while it has no plan. */
  readonly day: number;
  readonly days: number;
  readonly milestonesDone: number;
  readonly milestones: number;
  readonly daysBehind: number;
  readonly spentMicroUsd: number;
  readonly budgetMicroUsd: number;
  /** What its current day has planned. */
  readonly today: readonly string[];
  readonly pausedBy: string | null;
}

export interface SpendFacts {
  readonly sinceMicroUsd: number;
  readonly todayMicroUsd: number;
  readonly isEstimated: boolean;
  readonly dayCeilingMicroUsd: number;
  readonly reserved: readonly Reservation[];
}

/** What a call that has not ended may still cost. */
export interface Reservation {
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
}

export interface RepositoryNews {
  readonly repository: NewsPlace;
  readonly trouble: RepositoryTrouble;
}

export interface NewsPlace {
  readonly name: string;
  readonly path: string;
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
