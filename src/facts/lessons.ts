import type { Goal } from "../core/goals/goal.ts";
import { tagsOf } from "../core/memory/episode.ts";
import { type Lesson, lessonsFor } from "../core/memory/lesson.ts";
import type { Db } from "../db/connection/client.ts";
import { candidatesFor } from "../db/episodes.ts";

/** What past runs of its repository teach about a goal; at most three, none when nothing is related to it. */
export async function lessonsOf(
  db: Db,
  goal: Pick<Goal, "repositoryId" | "content" | "tags" | "linkage">,
  now: Date,
): Promise<Lesson[]> {
  const tags = tagsOf(goal);
  const { candidates, words } = await candidatesFor(db, { ...goal, tags });
  return lessonsFor(candidates, { tags, words, now });
}
