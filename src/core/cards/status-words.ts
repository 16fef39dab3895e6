import type { Backing } from "../acceptance/backing.ts";
import { type Goal, goalStatuses, type GoalStatus } from "../goals/goal.ts";
import { firstLine } from "../text.ts";
import type { Span } from "./card.ts";
import { tagText } from "./tag-words.ts";

/** The names of goal statuses. */

/**
 * "1 working, 2 waiting for an answer, 1 parked". `asked`: number of goals with an open question. `open`: for each goal with an open run,
 * its current state.
 */
export function goalCountWords(
  counts: ReadonlyMap<GoalStatus, number>,
  { asked, open }: { readonly asked: number; readonly open: readonly string[] },
): string {
  const blocked = counts.get("blocked") ?? 0;
  const waiting = Math.min(asked, blocked);
  const words = goalStatuses.flatMap((status): [number, string][] => {
    switch (status) {
      case "blocked":
        return [
          [waiting, "waiting for an answer"],
          [blocked - waiting, "parked"],
        ];
      case "in_progress":
        return [...new Set(open)].map((now) => [open.filter((each) => each === now).length, now]);
      case "pending":
      case "complete":
      case "failed":
      case "deferred":
      case "manual_followup":
        return [[counts.get(status) ?? 0, statusWords(status)]];
    }
  });
  return (
    words
      .filter(([number]) => number > 0)
      .map(([number, what]) => `${number} ${what}`)
      .join(", ") || "none"
  );
}

/** Other words for a status, as lists show them or as people say them. */
const alsoCalled: Readonly<Record<string, GoalStatus>> = {
  next: "in_progress",
  starting: "in_progress",
  pushing: "in_progress",
  "looking for another way": "in_progress",
  verifying: "in_progress",
  retrying: "in_progress",
  interrupted: "in_progress",
  "waiting for its turn": "in_progress",
  waiting: "blocked",
  parked: "blocked",
  "waiting for an answer": "blocked",
  done: "complete",
  completed: "complete",
  manual: "manual_followup",
};

/** The status with this name, as programs or as people write it. Null when there is none. */
export function statusNamed(word: string): GoalStatus | null {
  const name = word.trim().toLowerCase();
  const isIt = (status: GoalStatus): boolean => name === status || name === statusWords(status);
  return goalStatuses.find(isIt) ?? (Object.hasOwn(alsoCalled, name) ? (alsoCalled[name] ?? null) : null);
}

/** A goal's status as people read it. */
export function statusWords(status: GoalStatus): string {
  switch (status) {
    case "pending":
      return "pending";
    case "in_progress":
      return "working";
    case "blocked":
      return "waits for a person";
    case "complete":
      return "complete";
    case "failed":
      return "failed";
    case "deferred":
      return "skipped";
    case "manual_followup":
      return "left to a person";
  }
}

/** The status for places where nothing else shows the evidence of a complete goal: "complete, verified" (D27). */
export function backedStateWords(status: GoalStatus, backing: Backing): string {
  return status === "complete" ? `${statusWords(status)}, ${tagText(backing)}` : statusWords(status);
}

/** Maximum number of goals that are named, one a line. */
const mostNamed = 5;

/** A goal that waits for its agent's provider, or for a remote that does not accept its push now. */
export type AwaitingGoal = Pick<Goal, "goalId" | "content" | "phase" | "wakeAt">;

/** What an awaiting goal waits for. */
export function awaitedWords({ phase }: Pick<AwaitingGoal, "phase">): string {
  return phase === "finish" ? "waits to be pushed" : "waits for its provider";
}

/** The end of such a goal's line: until when it waits. */
export function awaitedUntil({ wakeAt }: Pick<AwaitingGoal, "wakeAt">): Span[] {
  return wakeAt === null ? [] : [", until ", { at: wakeAt.toISOString() }];
}

/** Goals that wait for their provider or their push, and until when. The caller gives those that go on first at the front. */
export function awaitingItems(goals: readonly AwaitingGoal[]): Span[][] {
  const items = goals
    .slice(0, mostNamed)
    .map((goal): Span[] => [
      { strong: `${awaitedWords(goal)} ` },
      { link: goal.goalId, to: `/goals/${goal.goalId}` },
      ` ${firstLine(goal.content, 80)}`,
      ...awaitedUntil(goal),
    ]);
  const more = goals.length - items.length;
  return more > 0 ? [...items, [`and ${more} more that wait so`]] : items;
}
