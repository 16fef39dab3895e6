import type { MessagePlaces } from "../delivery/places.ts";

/** How soon and where something is shown: cards, the console, chats. */
export interface ShowingPolicy {
  readonly delivery: {
    readonly progressEveryMs: number;
    readonly fallbackMs: number;
    /** How long a new reply waits for the message under which it belongs, when that is not stored yet. */
    readonly awaitParentMs: number;
    /** A message that fails this often while its platform answers otherwise is given up, so that the channel goes on. */
    readonly attemptsBeforePoisoned: number;
    /** The longest pause between two attempts while a platform is down. */
    readonly longestPauseMs: number;
    /** The least time between two posts into one channel of a chat platform (they allow about one a second). */
    readonly chatEveryMs: number;
  };
  /** What stands in a chat channel by itself, and what in a thread; the console shows everything by itself. */
  readonly places: MessagePlaces;
  readonly projection: {
    /** What changes within this time of a COMMIT is drawn at once. */
    readonly windowMs: number;
    /** The same for progress. */
    readonly progressWindowMs: number;
    /** So long a person waits for cards once what they did is recorded. */
    readonly longestWaitMs: number;
    /** After the database was away. */
    readonly retryMs: number;
    /** When a card that could not be drawn is tried again. */
    readonly againAfterMs: number;
  };
  readonly console: {
    /** How long a link to the console can be opened, and how long what it opens lets somebody in. */
    readonly linkMs: number;
    readonly sessionMs: number;
    /** How exactly it is kept when a session was last used. */
    readonly seenEveryMs: number;
  };
  readonly chat: {
    /** A command that takes longer says that it is being worked on. */
    readonly progressAfterMs: number;
    /** What could not be recorded by then is acknowledged as not recorded yet (D13); platforms give 3 s. */
    readonly notYetAfterMs: number;
    /** The platform's word on who somebody is, is waited for this long; a click must be answered within 3 s. */
    readonly personWaitMs: number;
    /** How long recording is tried again. */
    readonly keepTryingMs: number;
    /** How far back missed thread replies are fetched; event ids are kept a little longer (D13). */
    readonly lookBackMs: number;
    readonly keepEventsMs: number;
  };
}

export const defaultShowingPolicy: ShowingPolicy = {
  delivery: {
    progressEveryMs: 15_000,
    fallbackMs: 5_000,
    awaitParentMs: 5_000,
    attemptsBeforePoisoned: 8,
    longestPauseMs: 30_000,
    chatEveryMs: 1_000,
  },
  places: {
    session: "channel",
    day: "thread",
    goal: "thread",
    clarify: "channel",
    attempts: "thread",
    reminder: "thread",
    limit: "thread",
    stopped: "thread",
  },
  projection: {
    windowMs: 75,
    progressWindowMs: 1_000,
    longestWaitMs: 1_500,
    retryMs: 1_000,
    againAfterMs: 60_000,
  },
  console: {
    linkMs: 60 * 60_000,
    sessionMs: 30 * 24 * 60 * 60_000,
    seenEveryMs: 60 * 60_000,
  },
  chat: {
    progressAfterMs: 1_000,
    notYetAfterMs: 2_000,
    personWaitMs: 1_000,
    keepTryingMs: 60_000,
    lookBackMs: 23 * 60 * 60_000,
    keepEventsMs: 24 * 60 * 60_000,
  },
};
