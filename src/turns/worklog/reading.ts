import type { Deps } from "../../deps.ts";

/** Dependencies of the code that reads events for worklogs. */
export type WorklogReadDeps = Pick<Deps, "database" | "config" | "policy" | "now" | "timers" | "log" | "git">;

/** The goal and run that an event is about, with its id and time. */
export interface EventSubject {
  readonly goalId: string;
  readonly runId: string;
  readonly timelineId: number;
  readonly at: Date;
}
