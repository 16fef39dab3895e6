import type { Backing } from "../acceptance/backing.ts";
import type { WeeklySummary } from "./summary.ts";
import type { Week } from "./week.ts";

/** One goal in a report; `tag` is computed from its evidence and never says more than that (D27). */
export interface ReportLine extends Backing {
  readonly goalId: string;
  readonly content: string;
  readonly outcome: string | null;
  /** Its repository was removed: nobody can do anything about it; absent: it is known. */
  readonly isAway?: true;
  /** Absent where all goals of the report are of one: nobody asks which. */
  readonly repositoryName?: string;
}

export interface WaitingLine {
  readonly checkpointId: string;
  readonly content: string;
  readonly sinceMs: number;
  /** As of a goal; absent, too, where it is about none. */
  readonly repositoryName?: string;
}

export interface LimitedLine {
  readonly goalId: string;
  readonly content: string;
  readonly from: Date;
  readonly until: string;
  readonly repositoryName?: string;
}

export interface ReportFacts {
  /** Both included, local dates. */
  readonly from: string;
  readonly to: string;
  readonly done: readonly ReportLine[];
  /** Also those whose ladder ended, whatever was decided then. */
  readonly failed: readonly ReportLine[];
  readonly deferred: readonly ReportLine[];
  readonly manual: readonly ReportLine[];
  /** Blocked without a question, and in none of the lists above. */
  readonly parked: readonly ReportLine[];
  readonly waiting: readonly WaitingLine[];
  readonly planned: readonly ReportLine[];
  /** Times in which a provider's limit was waited for; nothing was burnt in them. */
  readonly limited: readonly LimitedLine[];
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
}

export interface WeeklyFacts {
  readonly report: ReportFacts;
  readonly week: Week;
  readonly summary: WeeklySummary;
  /** How many matters go on only when a person says so, now (`waitsForPerson`). */
  readonly waitsForPerson: number;
  /** What the last posted weekly could not say yet; absent: nothing, or nobody posts this one. */
  readonly afterLast?: AfterWeekly;
}

/** What happened after a weekly was posted, until its week was over. */
export interface AfterWeekly {
  /** The local date that it was for. */
  readonly date: string;
  readonly complete: number;
  readonly failed: number;
  readonly deferred: number;
  readonly manual: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
}
