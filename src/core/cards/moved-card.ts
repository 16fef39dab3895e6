import { type Card, text } from "./card.ts";

/** The state of a moved card. No other card has it. */
export const movedState = "moved";

/** The card that is left in the old channel and says where it continues. `subject`: what the card is about, shown in the new channel. */
export function movedCard({ kind, title }: Pick<Card, "kind" | "title">, subject: string): Card {
  return {
    kind,
    tone: "neutral",
    title,
    summary: `${title}: goes on in another channel`,
    blocks: [text("This goes on ", { link: "in another channel", to: `/#${subject}` }, ".")],
    actions: [],
    state: movedState,
  };
}
