import type { Card } from "../core/cards/card.ts";

/** A current card, and the subject that its messages have. */
export interface ProjectedCard {
  readonly id: string;
  /** The subject whose thread it is posted in. Null for top level. */
  readonly threadSubject: string | null;
  /** The same for chats, if they differ from the console. Null for top level. */
  readonly chatThread?: string | null;
  readonly card: Card;
  /** The platforms that show it. All when absent. */
  readonly places?: ShownOn;
}

/** The only platforms that show a card. */
export interface ShownOn {
  readonly platforms: readonly string[];
  /** The question that it is or belongs to. Platforms that show the question already show the card too, whatever the settings say now. */
  readonly question: string | null;
}
