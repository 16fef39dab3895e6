import type { MessagePlaces } from "../delivery/places.ts";

/** How soon and where cards and messages are shown: in the console and in chats. */
export interface ShowingPolicy {
  readonly delivery: {
    readonly progressEveryMs: number;
    readonly fallbackMs: number;
    /** How long a new reply waits for the message under which it belongs, when that is not stored yet. */
    readonly awaitParentMs: number;
    /** A message that fails this often while its platform answers otherwise is abandoned, so that the channel continues. */
    readonly attemptsBeforePoisoned: number;
    /** The longest delay between two attempts while a platform is down. */
    readonly longestPauseMs: number;
    /** The minimum time between two posts in one chat channel (platforms allow about one a second). */
    readonly chatEveryMs: number;
  };
  /** Which messages a chat shows in the channel and which in a thread. The console shows all of them on their own. */
  readonly places: MessagePlaces;
  readonly projection: {
    /** Changes within this time after a COMMIT are drawn together. */
    readonly windowMs: number;
    /** The same for progress. */
    readonly progressWindowMs: number;
    /** How long a person waits for the cards after their action is recorded. */
    readonly longestWaitMs: number;
    /** The delay after the database was unavailable. */
    readonly retryMs: number;
    /** When a card that could not be drawn is retried. */
    readonly againAfterMs: number;
  };
  readonly console: {
    /** How long a console link can be opened, and how long the session that it opens is valid. */
    readonly linkMs: number;
    readonly sessionMs: number;
    /** The precision with which a session's last use is stored. */
    readonly seenEveryMs: number;
  };
  readonly chat: {
    /** A command that takes longer posts that it is in progress. */
    readonly progressAfterMs: number;
    /** An action not recorded by then is acknowledged as not recorded yet (D13); platforms allow 3 s. */
    readonly notYetAfterMs: number;
    /** Time limit for the platform's answer about who a person is; a click must be answered within 3 s. */
    readonly personWaitMs: number;
    /** How long recording is retried. */
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
