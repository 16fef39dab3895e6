import { formatUsd } from "../money.ts";
import { closedFilesWords } from "../isolation/files.ts";
import { rungNames } from "../recovery/ladder.ts";
import type { Tried } from "../recovery/tried.ts";
import { capitalised, count } from "../text.ts";
import { type CardBlock, note, text } from "./card.ts";
import { runItems, runsLine } from "./command-runs.ts";
import { approachItems, lastWordsBlocks } from "./escalation-card.ts";
import type { GoalCardFacts } from "./goal-facts.ts";

/** A goal's place on the recovery ladder, and its attempts, in words. */

/** "run once, failed once; runs again in a fresh place". Null when it has not failed, and for a goal that an agent works. */
export function runsWords({ ladder, goal }: GoalCardFacts): string | null {
  if (ladder === null || ladder.attempts.every((each) => each.end === "passed")) return null;
  const line = runsLine(ladder.attempts);
  const isRunAgain = goal.status === "in_progress" && ladder.attempt > 1;
  return line === null || !isRunAgain ? line : `${line}; runs again in a fresh place`;
}

/** "level 2 of 4, alternate approach, attempt 1". Null before its first run, and when every attempt passed. */
export function ladderWords({ ladder, goal }: GoalCardFacts): string | null {
  if (ladder === null || ladder.attempts.every((each) => each.end === "passed")) return null;
  const tried = `${count(ladder.attempts.length, "attempt")} so far`;
  if (goal.status === "complete") return `${rungNames[ladder.rung]}, after ${count(ladder.attempts.length, "attempt")}`;
  if (goal.recoveryLevel === 4) return `level 4 of 4, ${rungNames[4]}, ${tried}`;
  const again = ladder.ladder > 1 ? `, ladder ${ladder.ladder}` : "";
  return `level ${ladder.rung} of 4, ${rungNames[ladder.rung]}, attempt ${ladder.attempt}${again} (${tried})`;
}

/** "same approach $0.12, alternate approach $0.08": the cost of each rung. */
function rungCosts(attempts: readonly Tried[]): string {
  const rungs = [...new Set(attempts.map((each) => each.rung))].toSorted((one, other) => one - other);
  return rungs
    .map((rung) => {
      const mine = attempts.filter((each) => each.rung === rung);
      const total = mine.reduce((sum, each) => sum + each.costMicroUsd, 0);
      return `${rungNames[rung]} ${formatUsd(total)}${mine.some((each) => each.costIsEstimated) ? " (estimated)" : ""}`;
    })
    .join(", ");
}

/** What each approach tried, its cost and its result. If the last attempt met closed files, also how to open them. */
export function triedBlocks({ ladder, isolation }: Pick<GoalCardFacts, "ladder" | "isolation">): CardBlock[] {
  if (ladder === null || ladder.attempts.every((each) => each.end === "passed")) return [];
  const last = ladder.attempts.at(-1);
  const said = `${last?.error ?? ""}\n${last?.output ?? ""}`;
  const shut = isolation?.shown.includes("files") === true && last?.end !== "passed" ? closedFilesWords(said) : [];
  const closed = shut.map((words) => note(capitalised(words)));
  if (runsLine(ladder.attempts) !== null)
    return [{ type: "list", items: runItems(ladder.attempts).slice(-8) }, ...closed];
  return [
    text({ strong: ladder.attempts.at(-1)?.end === "passed" ? "What was tried" : "Tried so far" }),
    { type: "list", items: approachItems(ladder.attempts).slice(0, 8) },
    ...lastWordsBlocks(ladder.attempts),
    ...closed,
    note(`Cost by level: ${rungCosts(ladder.attempts)}`),
  ];
}
