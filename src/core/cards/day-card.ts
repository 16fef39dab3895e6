import type { GoalStatus } from "../goals/goal.ts";
import type { Backing } from "../acceptance/backing.ts";
import { formatUsd } from "../money.ts";
import { tagWords } from "./tag-words.ts";
import { count, firstLine } from "../text.ts";
import { type Card, plainCard, type Span, text } from "./card.ts";
import { onWord } from "./on-word.ts";
import { statusWords } from "./status-words.ts";

export interface DayOverFacts {
  readonly name: string;
  readonly days: number;
  readonly result: {
    readonly day: number;
    readonly goalsCompleted: number;
    readonly goals: number;
    readonly costMicroUsd: number;
    readonly costIsEstimated: boolean;
    readonly progress: number;
    /** Number of milestones that a person said are done. */
    readonly onWord: number;
    readonly carried: number;
  };
  readonly goals: readonly (Backing & {
    readonly goalId: string;
    readonly content: string;
    readonly status: GoalStatus;
  })[];
}

/** The result of a campaign's day, for the campaign's thread: every goal with its evidence. */
export function dayOverCard({ name, days, result, goals }: DayOverFacts): Card {
  const title = `Day ${result.day} of ${days} is over: ${result.goalsCompleted} of ${count(result.goals, "goal")} complete`;
  const cost = `${formatUsd(result.costMicroUsd)}${result.costIsEstimated ? " (estimated)" : ""}`;
  const progress = `${Math.round(result.progress * 100)} % of the milestones done${onWord(result.onWord)}`;
  const carried = result.carried === 0 ? "" : `, ${count(result.carried, "goal")} left for the next day`;
  return plainCard({
    kind: "notice",
    tone: result.goalsCompleted === result.goals ? "good" : "neutral",
    title,
    summary: `${firstLine(name, 100)}: ${title}, ${cost} spent, ${progress}${carried}.`,
    blocks: [
      {
        type: "list",
        items: goals
          .slice(0, 20)
          .map((goal): Span[] => [
            tagWords(goal),
            { link: firstLine(goal.content, 90), to: `/goals/${goal.goalId}` },
            `: ${statusWords(goal.status)}`,
          ]),
      },
      ...(goals.length > 20 ? [text(`and ${goals.length - 20} more`)] : []),
      text(`${cost} spent, ${progress}${carried}.`),
    ],
  });
}
