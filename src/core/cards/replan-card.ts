import type { PlanDiff } from "../campaigns/diff.ts";
import { count, firstLine } from "../text.ts";
import { type Card, note, plainCard, text } from "./card.ts";
import { planDiffLines } from "./plan-diff.ts";

export interface ReplanFacts {
  readonly name: string;
  readonly by: string;
  /** Why it was planned anew, in a sentence. */
  readonly why: string;
  readonly diff: PlanDiff;
  readonly notes: readonly string[];
}

/** The difference that a replan made, day by day (C-87). */
export function replanCard({ name, by, why, diff, notes }: ReplanFacts): Card {
  const changed = diff.days.length + diff.milestones.length;
  const title = `Planned anew: ${count(diff.days.length, "day")} changed`;
  const lines = planDiffLines(diff);
  const shown = lines.slice(0, 25);
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title,
    summary: `${firstLine(name, 100)} was planned anew by ${by}: ${count(changed, "change")}. ${why}`,
    blocks: [
      text(`${why} Planned by ${by}.`),
      { type: "list", items: shown.map((line) => [firstLine(line, 500)]) },
      ...(lines.length > shown.length ? [text(`and ${lines.length - shown.length} more`)] : []),
      ...notes.slice(0, 10).map((each) => note(firstLine(each, 300))),
    ],
  });
}
