import { lostness, lostWords } from "../core/cards/ground-words.ts";
import { circleThrough, groundState } from "../core/goals/ground.ts";
import type { Db } from "../db/connection/client.ts";
import { getGoal } from "../db/goals.ts";
import { edgesUnder, groundsOf } from "../db/grounds.ts";
import { findRepository, type Repository } from "../db/repositories.ts";

/** Why a goal cannot build on others, and what to do next. */
export interface OrderProblem {
  readonly reason: string;
  readonly next: string;
  /** The id that no goal has, if that is the reason. */
  readonly unknownId?: string;
}

/**
 * Why a goal may not build on others (D37): one does not exist, is of another repository or is lost, or the order would be a circle. Null
 * when it may. `goalId` is null for a new goal. The caller holds the repository's lock, so that nobody closes a circle meanwhile.
 */
export async function whyNotAfter(
  tx: Db,
  goalId: string | null,
  repository: Pick<Repository, "repositoryId" | "name">,
  after: readonly string[],
): Promise<OrderProblem | null> {
  const grounds = await groundsOf(tx, after);
  for (const each of after) {
    const ground = grounds.get(each);
    if (ground === undefined) {
      const next = `cos goals --repo ${repository.name}`;
      return { reason: `Goal not found: ${each}`, next, unknownId: each };
    }
    const goal = await getGoal(tx, each);
    if (goal !== null && goal.repositoryId !== repository.repositoryId) {
      const other = (await findRepository(tx, goal.repositoryId))?.name ?? goal.repositoryId;
      return {
        reason: `${each} is a goal of ${other}: a goal can only be on top of one of its own repository, ${repository.name}`,
        next: `cos goals --repo ${repository.name}`,
      };
    }
    if (groundState(ground) === "lost") return lostWords(ground, lostness(ground), goalId);
  }
  if (goalId === null) return null;
  const circle = circleThrough(goalId, new Map([...(await edgesUnder(tx, after)), [goalId, after]]));
  if (circle === null) return null;
  const [, first] = circle;
  return {
    reason: `that goes in a circle: ${circle.join(" → ")}`,
    next: first === undefined || first === goalId ? `cos goal show ${goalId}` : `cos goal edit ${first} --after none`,
  };
}
