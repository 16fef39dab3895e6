import { mapBriefs } from "./brief-pair.ts";
import { type Card, type CardBlock, note, plainCard } from "./card.ts";

export type PictureBlock = Extract<CardBlock, { type: "picture" }>;

/** A picture on its way to a platform that takes one in several calls. */
export interface PictureUnderWay {
  /** The platform's own id of it. */
  readonly id: string;
  /** The platform has said that it will be shown: from now on it is only waited for. */
  readonly isTaken: boolean;
}

/** The first picture of a card; null without one. */
export function pictureIn(card: Pick<Card, "blocks">): PictureBlock | null {
  return card.blocks.find((block) => block.type === "picture") ?? null;
}

/** The picture of a card that is nothing else; null for every other card. */
export function pictureAlone(card: Pick<Card, "blocks">): PictureBlock | null {
  return card.blocks.length === 1 ? pictureIn(card) : null;
}

/** A picture's one line. */
export function pictureTitle({ picture }: PictureBlock): string {
  return `Chart of the week ${picture.week.from} to ${picture.week.to}`;
}

/** A card and the reply that shows its picture: on chat platforms a picture is a message of its own. */
export function pictureBelow(card: Card): { readonly card: Card; readonly below: Card | null } {
  const shown = pictureIn(card);
  if (shown === null) return { card, below: null };
  const title = pictureTitle(shown);
  const { kind, tone } = card;
  const without = (blocks: readonly CardBlock[]): readonly CardBlock[] =>
    blocks.map((block) => (block.type === "picture" ? note("The chart is in the thread.") : block));
  return {
    card: {
      ...card,
      blocks: without(card.blocks),
      ...mapBriefs(card, without),
    },
    below: plainCard({ kind, tone, title, summary: `${title}: ${shown.words}`, blocks: [shown] }),
  };
}
