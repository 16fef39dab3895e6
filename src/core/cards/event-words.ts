import type { EventDetails, EventName } from "../events/event.ts";

/** Who and where, as words of an event name them. */
export interface Teller {
  /** " by ana in Slack", or nothing. */
  readonly by: string;
  /** " in Slack", or nothing. */
  readonly where: string;
  readonly actor: string | null;
  readonly isOfGoal: boolean;
}

/** The words for each event, by its name. */
export type EventWords = {
  readonly [Name in EventName]: (detail: EventDetails[Name], teller: Teller) => string;
};
