import type { Card, CardBlock, Text } from "./card.ts";
import { spanText } from "./drawn-lines.ts";
import { pictureAlone } from "./picture.ts";
import { spokenTitle } from "./plain.ts";

/** A card that belongs into a thread, and is posted in its channel because there is no thread: somebody deleted it, or its first message was refused. */

/** Returns what a card is called outside its channel: its title, for a question with its subject. */
export function nameOfCard({ title, lead }: { readonly title: string; readonly lead?: Text | null }): string {
  const [about] = lead ?? [];
  const name = spokenTitle(title);
  return about === undefined ? name : `${name}: ${spanText(about)}`;
}

/**
 * Adds a line that says what the card belongs to, because nothing above it says so. `plain`: only the summary is drawn, so the line is
 * added there. A card that is only a picture stays as it is.
 */
export function outsideThread(card: Card, belongsTo: string, plain: boolean): Card {
  if (plain) return { ...card, summary: `${card.summary} ${label}${belongsTo}.` };
  if (pictureAlone(card) !== null) return card;
  const line: CardBlock = { type: "text", text: [label, belongsTo], isKept: true };
  const { blocks, brief, wideBrief } = card;
  return {
    ...card,
    blocks: [line, ...blocks],
    ...(brief === undefined ? {} : { brief: [line, ...brief] }),
    ...(wideBrief === undefined ? {} : { wideBrief: [line, ...wideBrief] }),
  };
}

const label = "Belongs to: ";
