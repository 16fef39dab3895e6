import type { Card } from "../core/cards/card.ts";

/** A card as it is now, and the name under which messages show it. */
export interface ProjectedCard {
  readonly id: string;
  /** The subject whose message it hangs under as a thread reply. */
  readonly threadSubject: string | null;
  /** The same in a chat, where that differs; null: by itself. */
  readonly chatThread?: string | null;
  readonly card: Card;
  /** Everywhere when absent. */
  readonly places?: ShownOn;
}

/** The only platforms that show a card. */
export interface ShownOn {
  readonly platforms: readonly string[];
  /** The question that it is, or belongs to: where that is shown already, it is shown too, whatever settings say now. */
  readonly question: string | null;
}
