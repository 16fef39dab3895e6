import { type Card, text } from "./card.ts";

/** Of a card that says so; nothing else has it. */
export const movedState = "moved";

/** What a card says in a channel that was left: where it goes on. `subject` is what it is about, and is shown elsewhere now. */
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
