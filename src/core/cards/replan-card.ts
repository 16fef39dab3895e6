import type { PlanChange } from "../campaigns/diff.ts";
import { count, firstLine } from "../text.ts";
import { type Card, note, plainCard, type Span, text } from "./card.ts";

export interface ReplanFacts {
  readonly name: string;
  readonly by: string;
  /** Why it was planned anew, in a sentence. */
  readonly why: string;
  readonly diff: readonly PlanChange[];
  readonly notes: readonly string[];
}

/** The difference that a replan made, day by day (C-87). */
export function replanCard({ name, by, why, diff, notes }: ReplanFacts): Card {
  const title = `Planned anew: ${count(diff.length, "change")}`;
  const shown = diff.slice(0, 30);
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title,
    summary: `${firstLine(name, 100)} was planned anew by ${by}: ${count(diff.length, "change")}. ${why}`,
    blocks: [
      text(`${why} Planned by ${by}.`),
      ...(shown.length === 0
        ? [text("The plan is as it was.")]
        : [{ type: "list" as const, items: shown.map(changeWords) }]),
      ...(diff.length > shown.length ? [text(`and ${diff.length - shown.length} more`)] : []),
      ...notes.slice(0, 10).map((each) => note(firstLine(each, 300))),
    ],
  });
}

function changeWords(change: PlanChange): Span[] {
  switch (change.type) {
    case "day-added":
      return [{ strong: `Day ${change.day}` }, " is new"];
    case "day-dropped":
      return [{ strong: `Day ${change.day}` }, " is gone"];
    case "goal-added":
      return [{ strong: `Day ${change.day}, new: ` }, firstLine(change.content, 120)];
    case "goal-again":
      return [{ strong: `Day ${change.day}, again: ` }, firstLine(change.content, 120)];
    case "goal-dropped":
      return [{ strong: `Day ${change.day}, left out: ` }, firstLine(change.content, 120)];
    case "goal-moved":
      return [{ strong: `Day ${change.from} → ${change.to}: ` }, firstLine(change.content, 120)];
    case "milestone-moved":
      return [{ strong: `Milestone, day ${change.from} → ${change.to}: ` }, firstLine(change.name, 100)];
  }
}
