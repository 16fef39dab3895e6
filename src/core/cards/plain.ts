import type { Card } from "./card.ts";

/** What is kept of a card that a platform rejected: its summary and its actions, without blocks that could be malformed. */
export function recoverCard(card: Card): Card {
  return { ...card, blocks: [] };
}

/** A title without its Markdown mark, for places that show plain words or draw a title themselves. */
export function spokenTitle(title: string): string {
  return title.replace(/^#+ /, "");
}
