import type { Card } from "./card.ts";

/** What can have a card of its own. The card is drawn again when its rows have changed. A notice has no rows except its mark. */
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

/** A `progress` mark may wait for the interval between two drawings (D17). */
export type Urgency = "now" | "progress";

/** A message that is posted once. */
export interface Notice {
  readonly card: Card;
  /** The subject whose message gets it as a reply in its thread. */
  readonly threadSubject: string | null;
  /** The thread in a chat, if it differs. Null: it is posted by itself there. */
  readonly chatThread?: string | null;
  /** The only platform that shows it. Absent: every platform does. */
  readonly platform?: string;
  /** The question that it belongs to. It is posted wherever that question is. */
  readonly checkpointId?: string;
}
