/** Where in a chat channel something is said (F-408): by itself, or in a thread. */

/** What is said, as `policy.places` names it. */
export type SaidKind =
  /** A session somebody started, and a night. */
  | "session"
  /** The session of a campaign's day: the campaign's own message says how far it is. */
  | "day"
  | "goal"
  /** The question before a goal's last attempt; every other question stands by itself. */
  | "clarify"
  /** The attempts behind an escalation. */
  | "attempts"
  | "reminder"
  | "limit"
  | "stopped";

export type MessagePlaces = Readonly<Record<SaidKind, "channel" | "thread">>;

/** Under which message what belongs to a session is said: a night has one message, whatever sessions it has. */
export function sessionMessage(
  places: MessagePlaces,
  session: { readonly sessionId: string; readonly nightId: string | null; readonly campaignId: string | null },
): string {
  return session.nightId ?? threadInChat(places, "day", session.campaignId) ?? session.sessionId;
}

/** The subject under whose message it hangs in a chat; null: by itself. `under`: what it belongs to, where there is one. */
export function threadInChat(places: MessagePlaces, said: SaidKind, under: string | null): string | null {
  return places[said] === "thread" ? under : null;
}
