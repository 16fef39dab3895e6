import type { PlanDiff } from "../campaigns/diff.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type CardBlock, note, plainCard, text } from "./card.ts";
import { planDiffLines } from "./plan-diff.ts";

export interface ReplanFacts {
  readonly name: string;
  readonly by: string;
  /** Why it was planned anew, as a sentence. */
  readonly why: string;
  readonly diff: PlanDiff;
  readonly notes: readonly string[];
}

/** The difference that a replan made, day by day (C-87). */
export function replanCard({ name, by, why, diff, notes }: ReplanFacts): Card {
  const changed = [
    ...(diff.days.length === 0 ? [] : [count(diff.days.length, "day")]),
    ...(diff.milestones.length === 0 ? [] : [count(diff.milestones.length, "milestone")]),
  ].join(" and ");
  const what = changed === "" ? "nothing changed" : `${changed} changed`;
  const title = `Replanned: ${what}`;
  const lines = planDiffLines(diff);
  const shown = lines.slice(0, 25);
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title,
    summary: `${firstLine(name, 100)} was replanned by ${by}: ${what}. ${why}`,
    blocks: [
      text(`${why} Planned by ${by}.`),
      ...(changed === ""
        ? []
        : [{ type: "list", items: shown.map((line) => [firstLine(line, 500)]) } as const satisfies CardBlock]),
      ...(lines.length > shown.length ? [text(`and ${lines.length - shown.length} more`)] : []),
      ...notes.slice(0, 10).map((each) => note(firstLine(each, 300))),
    ],
  });
}
