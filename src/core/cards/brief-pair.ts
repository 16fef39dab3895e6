import type { Card, CardBlock } from "./card.ts";

/** How long the words of a line may be: once as long as on a phone, or twice, on a wide page. */
export type LineWidth = 1 | 2;

/** What a channel shows of a card on a phone, and on a wide page where that says more. */
export function briefPair(briefAt: (width: LineWidth) => readonly CardBlock[]): Pick<Card, "brief" | "wideBrief"> {
  const brief = briefAt(1);
  const wideBrief = briefAt(2);
  return JSON.stringify(brief) === JSON.stringify(wideBrief) ? { brief } : { brief, wideBrief };
}

/** Both of a card's briefs with something done to each. */
export function mapBriefs(
  { brief, wideBrief }: Pick<Card, "brief" | "wideBrief">,
  change: (brief: readonly CardBlock[]) => readonly CardBlock[],
): Pick<Card, "brief" | "wideBrief"> {
  return {
    ...(brief === undefined ? {} : { brief: change(brief) }),
    ...(wideBrief === undefined ? {} : { wideBrief: change(wideBrief) }),
  };
}
