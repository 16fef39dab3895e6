import type { Instruction } from "../goals/goal.ts";
import type { CardBlock } from "./card.ts";

/** Instructions that people gave a goal's agent, word for word, each with who and when. Empty when there are none. */
export function toldBlocks(told: readonly Instruction[]): CardBlock[] {
  if (told.length === 0) return [];
  return [
    { type: "list", items: told.map(({ by, at, text }) => [{ strong: `Told by ${by}` }, " ", { at }, `: ${text}`]) },
  ];
}
