import type { Card, CardBlock } from "./card.ts";

/** Length of a line's words: 1 for a phone, 2 for a wide page, which takes twice as much. */
export type LineWidth = 1 | 2;

/** The brief for a phone, and the one for a wide page if that says more. */
export function briefPair(briefAt: (width: LineWidth) => readonly CardBlock[]): Pick<Card, "brief" | "wideBrief"> {
  const brief = briefAt(1);
  const wideBrief = briefAt(2);
  return JSON.stringify(brief) === JSON.stringify(wideBrief) ? { brief } : { brief, wideBrief };
}

/** Applies `change` to both briefs of a card. */
export function mapBriefs(
  { brief, wideBrief }: Pick<Card, "brief" | "wideBrief">,
  change: (brief: readonly CardBlock[]) => readonly CardBlock[],
): Pick<Card, "brief" | "wideBrief"> {
  return {
    ...(brief === undefined ? {} : { brief: change(brief) }),
    ...(wideBrief === undefined ? {} : { wideBrief: change(wideBrief) }),
  };
}
