import type { EventDetails, EventName } from "./event.ts";

/** The goal, session, … that events of these names are about, so that nobody forgets to say it. */
type About<Name extends EventName> = Name extends `${"goal" | "run" | "agent" | "loop" | "recovery"}.${string}`
  ? { readonly goalId: string }
  : Name extends `campaign.${string}`
    ? { readonly campaignId: string }
    : Name extends `session.${string}`
      ? { readonly sessionId: string }
      : Name extends `checkpoint.${string}`
        ? { readonly checkpointId: string }
        : unknown;

/** Whether an event has no details, or none that must be there. */
type MayBeBare<Details> = string extends keyof Details ? true : Partial<Details> extends Details ? true : false;

/** An event's name with its details; those that have none may leave them out. */
export type Told<Name extends EventName = EventName> = {
  readonly [Each in Name]: { readonly event: Each } & (MayBeBare<EventDetails[Each]> extends true
    ? { readonly detail?: EventDetails[Each] }
    : { readonly detail: EventDetails[Each] });
}[Name];

/** Who did something, through which door; absent: nobody, by itself. */
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

/** What an event about a goal says beside its name and details: the goal, its session and run, when, and who. */
export function ofGoal(
  { goalId, sessionId, runId }: Pick<Required<Circumstances>, "sessionId" | "runId"> & { readonly goalId: string },
  at: Date,
  { actor = null, via = null }: By = {},
) {
  return { goalId, sessionId, runId, actor, via, at };
}
