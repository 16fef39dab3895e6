import type { Backing } from "../acceptance/backing.ts";
import type { WeeklySummary } from "./summary.ts";
import type { Week } from "./week.ts";

/** One goal in a report. Its `tag` is computed from its evidence and never claims more than that (D27). */
export interface ReportLine extends Backing {
  readonly goalId: string;
  readonly content: string;
  readonly outcome: string | null;
  /** Set when its repository was removed, so that nothing can be done about it. */
  readonly isAway?: true;
  /** Absent when all goals of the report belong to one repository. */
  readonly repositoryName?: string;
}

export interface WaitingLine {
  readonly checkpointId: string;
  readonly content: string;
  readonly sinceMs: number;
  /** Like that of a goal. Also absent when the question is not about a goal. */
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
  /** Local dates, both included. */
  readonly from: string;
  readonly to: string;
  readonly done: readonly ReportLine[];
  /** Includes goals whose ladder ended, whatever was decided then. */
  readonly failed: readonly ReportLine[];
  readonly deferred: readonly ReportLine[];
  readonly manual: readonly ReportLine[];
  /** Goals that are blocked without an open question, and in none of the lists above. */
  readonly parked: readonly ReportLine[];
  readonly waiting: readonly WaitingLine[];
  readonly planned: readonly ReportLine[];
  /** Times during which work waited for a provider's limit; they cost no attempt. */
  readonly limited: readonly LimitedLine[];
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
}

export interface WeeklyFacts {
  readonly report: ReportFacts;
  readonly week: Week;
  readonly summary: WeeklySummary;
  /** How many matters wait for a person now (`waitsForPerson`). */
  readonly waitsForPerson: number;
  /** What happened after the last posted weekly. Absent when nothing did, or when this one is not posted. */
  readonly afterLast?: AfterWeekly;
}

/** What happened between the posting of a weekly and the end of its week. */
export interface AfterWeekly {
  /** The local date of that weekly. */
  readonly date: string;
  readonly complete: number;
  readonly failed: number;
  readonly deferred: number;
  readonly manual: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
}
