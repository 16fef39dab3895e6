import type { EventDetails, EventName } from "./event.ts";

/** The id that events of these names must have: of their goal, session, … */
type About<Name extends EventName> = Name extends `${"goal" | "run" | "agent" | "loop" | "recovery"}.${string}`
  ? { readonly goalId: string }
  : Name extends `campaign.${string}`
    ? { readonly campaignId: string }
    : Name extends `session.${string}`
      ? { readonly sessionId: string }
      : Name extends `checkpoint.${string}`
        ? { readonly checkpointId: string }
        : unknown;

/** True when an event has no required details. */
type MayBeBare<Details> = string extends keyof Details ? true : Partial<Details> extends Details ? true : false;

/** An event's name with its details, which are optional when none are required. */
export type Told<Name extends EventName = EventName> = {
  readonly [Each in Name]: { readonly event: Each } & (MayBeBare<EventDetails[Each]> extends true
    ? { readonly detail?: EventDetails[Each] }
    : { readonly detail: EventDetails[Each] });
}[Name];

/** Who did something, and through which interface. Absent when no person did it. */
export interface By {
  readonly actor?: string | null;
  readonly via?: string | null;
}

/** What an event is about, and when it happened. */
interface Circumstances extends By {
  readonly at: Date;
  readonly goalId?: string | null;
  readonly sessionId?: string | null;
  readonly runId?: string | null;
  readonly checkpointId?: string | null;
  readonly campaignId?: string | null;
}

/** An event to be written. */
export type NewEvent<Name extends EventName = EventName> = {
  readonly [Each in Name]: Told<Each> & Circumstances & About<Each>;
}[Name];

/** Returns the common fields of an event about a goal: the goal, its session and run, the time, and who. */
export function ofGoal(
  { goalId, sessionId, runId }: Pick<Required<Circumstances>, "sessionId" | "runId"> & { readonly goalId: string },
  at: Date,
  { actor = null, via = null }: By = {},
) {
  return { goalId, sessionId, runId, actor, via, at };
}
