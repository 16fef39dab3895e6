import { mergeQueueCard } from "../core/cards/merge-queue-card.ts";
import type { Db } from "../db/connection/client.ts";
import { getQueue, type QueuedBranch, queuedOf } from "../db/merge-queues.ts";
import { findRepository } from "../db/repositories.ts";
import type { ProjectedCard } from "./drawn.ts";

/** Draws a merge queue's card. Null when there is no such queue. */
export async function drawQueue(db: Db, queueId: string): Promise<ProjectedCard | null> {
  const queue = await getQueue(db, queueId);
  if (queue === null) return null;
  const repository = await findRepository(db, queue.repositoryId);
  const card = mergeQueueCard({
    ...queue,
    repositoryName: repository?.name ?? queue.repositoryId,
    isOver: queue.endedAt !== null,
    branches: (await queuedOf(db, queueId)).map((branch) => ({
      ...branch,
      // The reason why its merge waits comes from the merge itself.
      reason: isTriedAgain(branch) ? (branch.merge?.outcome ?? null) : branch.reason,
    })),
  });
  return { id: queueId, threadSubject: null, card };
}

function isTriedAgain({ state, merge }: QueuedBranch): boolean {
  return state === "merges" && (merge?.status === "due" || merge?.status === "merging");
}
