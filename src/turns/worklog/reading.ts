import type { Deps } from "../../deps.ts";

/** What reading events for worklogs needs. */
export type WorklogReadDeps = Pick<Deps, "database" | "config" | "policy" | "now" | "timers" | "log" | "git">;

/** What an event is about. */
export interface EventSubject {
  readonly goalId: string;
  readonly runId: string;
  readonly timelineId: number;
  readonly at: Date;
}
