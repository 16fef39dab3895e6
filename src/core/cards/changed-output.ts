import { count, firstLine } from "../text.ts";
import { type Card, type Span, text } from "./card.ts";

/** Whose kept output is meant. */
interface ChangedRow {
  readonly evidenceId: number;
  readonly command: string;
}

/** The card, in red, with what is first to be known of its evidence: kept output that is not what was kept (F-214). */
export function withChangedOutput(card: Card, changed: readonly ChangedRow[]): Card {
  const [first] = changed;
  if (first === undefined) return card;
  const others = changed.length === 1 ? "" : ` and ${count(changed.length - 1, "other")}`;
  const row: Span = { link: firstLine(first.command, 80), to: `/evidence/${first.evidenceId}` };
  const said = text({ strong: "Changed: " }, "the kept output of ", row, `${others} was written to since it was kept.`);
  return { ...card, tone: "bad", blocks: [said, ...card.blocks] };
}
