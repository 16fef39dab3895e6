import { mapBriefs } from "./brief-pair.ts";
import { type Card, type CardBlock, note, plainCard } from "./card.ts";

export type PictureBlock = Extract<CardBlock, { type: "picture" }>;

/** A picture that is being uploaded to a platform that needs several calls for it. */
export interface PictureUnderWay {
  /** The platform's own id for the picture. */
  readonly id: string;
  /** True once the platform has said that it will show the picture: from then on we only wait. */
  readonly isTaken: boolean;
}

/** The first picture of a card. Null when it has none. */
export function pictureIn(card: Pick<Card, "blocks">): PictureBlock | null {
  return card.blocks.find((block) => block.type === "picture") ?? null;
}

/** The picture of a card that consists of nothing else. Null for every other card. */
export function pictureAlone(card: Pick<Card, "blocks">): PictureBlock | null {
  return card.blocks.length === 1 ? pictureIn(card) : null;
}

/** A picture's title, in one line. */
export function pictureTitle({ picture }: PictureBlock): string {
  return `Chart of the week ${picture.week.from} to ${picture.week.to}`;
}

/** A card without its picture, and the reply that shows the picture: on chat platforms a picture is a separate message. */
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
