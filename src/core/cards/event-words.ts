import type { EventDetails, EventName } from "../events/event.ts";

/** Who did something and where, as the words of an event include it. */
export interface Teller {
  /** " by ana in Slack", or empty. */
  readonly by: string;
  /** " in Slack", or empty. */
  readonly where: string;
  readonly actor: string | null;
  readonly isOfGoal: boolean;
}

/** A function for each event name that puts the event into words. */
export type EventWords = {
  readonly [Name in EventName]: (detail: EventDetails[Name], teller: Teller) => string;
};
