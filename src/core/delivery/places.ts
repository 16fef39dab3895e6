/** Where a message of each kind is posted in a chat (F-408): at the channel's top level, or in a thread. */

/** Kinds of messages, as `policy.places` names them. */
export type SaidKind =
  /** A session that somebody started, or a night. */
  | "session"
  /** The session of a campaign's day. The campaign's own message shows its progress. */
  | "day"
  | "goal"
  /** The question before a goal's last attempt. All other questions are posted at top level. */
  | "clarify"
  /** The attempts behind an escalation. */
  | "attempts"
  | "reminder"
  | "limit"
  | "stopped";

export type MessagePlaces = Readonly<Record<SaidKind, "channel" | "thread">>;

/** The subject of the message that messages of a session belong under. All sessions of a night share the night's message. */
export function sessionMessage(
  places: MessagePlaces,
  session: { readonly sessionId: string; readonly nightId: string | null; readonly campaignId: string | null },
): string {
  return session.nightId ?? threadInChat(places, "day", session.campaignId) ?? session.sessionId;
}

/** The subject of the message whose thread it is posted in; null for top level. `under`: the subject it belongs to, if any. */
export function threadInChat(places: MessagePlaces, said: SaidKind, under: string | null): string | null {
  return places[said] === "thread" ? under : null;
}
