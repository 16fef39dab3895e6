import type { Card } from "./card.ts";

/** What is left of a card that a platform rejected: its summary, its actions, nothing that could be malformed. */
export function recoverCard(card: Card): Card {
  return { ...card, blocks: [] };
}

/** A title without its mark of Markdown, where it is shown as plain words or drawn as a title anyway. */
export function spokenTitle(title: string): string {
  return title.replace(/^#+ /, "");
}
