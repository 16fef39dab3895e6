import { count, firstLine } from "../text.ts";
import { type Card, type CardBlock, sentence, type Span, text } from "./card.ts";

/** The words that explain what a change of kept output means. */
const meaning =
  "somebody has changed what it says, and the bot does not do that. Whether the criteria passed stands in the database, and still holds.";

/** The evidence whose kept output was changed. */
interface ChangedRow {
  readonly evidenceId: number;
  readonly command: string;
}

/** The card in red, with a first line that says which kept output was changed after it was stored (F-214). */
export function withChangedOutput(card: Card, changed: readonly ChangedRow[]): Card {
  const [first] = changed;
  if (first === undefined) return card;
  const others = changed.length === 1 ? "" : ` and ${count(changed.length - 1, "other")}`;
  const row: Span = { link: firstLine(first.command, 80), to: `/evidence/${first.evidenceId}` };
  const words = `${others} was written to since it was kept: ${meaning} Find out who did it. Before you rely on its criteria, run them yourself on the branch.`;
  return above(card, text({ strong: "Changed: " }, "the kept output of ", row, words));
}

/** A card about several goals, in red, with a first line that names the goals whose kept output was changed. */
export function withChangedGoals(card: Card, goalIds: readonly string[]): Card {
  const [said] = changedGoalsLines(goalIds);
  return said === undefined ? card : above(card, text(...sentence(said)));
}

/** The same line as text, for output that is not a card. Empty when no goal is affected. */
export function changedGoalsLines(goalIds: readonly string[]): string[] {
  const [first] = goalIds;
  if (first === undefined) return [];
  const others = goalIds.length === 1 ? "" : ` and ${count(goalIds.length - 1, "other goal")}`;
  return [
    `Changed: kept output of ${first}${others} was written to since it was kept: ${meaning} Look first: cos goal show ${first}`,
  ];
}

function above(card: Card, said: CardBlock): Card {
  return { ...card, tone: "bad", blocks: [said, ...card.blocks] };
}
