import type { Card } from "./card.ts";

/** What is left of a card that a platform rejected: its summary, its actions, nothing that could be malformed. */
export function recoverCard(card: Card): Card {
  return { ...card, blocks: [] };
}
