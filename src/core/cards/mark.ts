import type { Card } from "./card.ts";

/** What has a card of its own: its rows are drawn anew when they have changed. A notice has no rows but its mark. */
export type Subject =
  | "goal"
  | "checkpoint"
  | "session"
  | "campaign"
  | "evening"
  | "morning"
  | "queue"
  | "reply"
  | "batch"
  | "notice";

/** `progress` may wait for the interval (D17). */
export type Urgency = "now" | "progress";

/** Something that is said once. */
export interface Notice {
  readonly card: Card;
  /** The subject whose message it hangs under as a thread reply. */
  readonly threadSubject: string | null;
  /** The same in a chat, where that differs; null: by itself. */
  readonly chatThread?: string | null;
  /** The only platform that shows it; every one when absent. */
  readonly platform?: string;
  /** The question that it belongs to: it is shown where that is. */
  readonly checkpointId?: string;
}
