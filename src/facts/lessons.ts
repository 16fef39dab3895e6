import type { Goal } from "../core/goals/goal.ts";
import { tagsOf } from "../core/memory/episode.ts";
import { type Lesson, lessonsFor } from "../core/memory/lesson.ts";
import type { Db } from "../db/connection/client.ts";
import { candidatesFor } from "../db/episodes.ts";
import type { Deps } from "../deps.ts";

/** Lessons of past runs of the repository for a goal: at most `policy.memory.lessons`, none when no run is related to it. */
export async function lessonsOf(
  { database, policy, now }: Pick<Deps, "database" | "policy" | "now">,
  goal: Pick<Goal, "repositoryId" | "content" | "tags" | "linkage">,
  db: Db = database.db,
): Promise<Lesson[]> {
  const most = policy.memory.lessons;
  if (most === 0) return [];
  const tags = tagsOf(goal);
  const { candidates, words } = await candidatesFor(db, { ...goal, tags });
  return lessonsFor(candidates, { tags, words, now: now() }, most);
}
