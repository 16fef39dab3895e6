import type { Card } from "../core/cards/card.ts";

/** A card as it is now, and the name under which messages show it. */
export interface Drawn {
  readonly id: string;
  /** The subject whose message it hangs under as a thread reply. */
  readonly threadSubject: string | null;
  readonly card: Card;
  /** The only platform that shows it; every one when absent. */
  readonly platform?: string;
}
