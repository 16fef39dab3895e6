import { askedLine } from "../core/cards/question-name.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { Db } from "../db/connection/client.ts";
import { goalsById } from "../db/goals.ts";
import { repositoriesOf } from "./repository-names.ts";

/** Returns a function that gives a question in one line with its goal, and with its repository if there are several repositories. */
export async function askedLines(db: Db, asked: readonly Checkpoint[]): Promise<(question: Checkpoint) => string> {
  const goals = await goalsById(db, [...new Set(asked.flatMap(({ goalId }) => goalId ?? []))]);
  const contents = new Map(goals.map(({ goalId, content }) => [goalId, content]));
  const repositories = await repositoriesOf(db, goals);
  return ({ goalId, context }) => {
    const where = repositories.get(goalId ?? "");
    return `${askedLine(context, contents.get(goalId ?? "") ?? null)}${where === undefined ? "" : ` · ${where}`}`;
  };
}
