import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Card } from "../core/cards/card.ts";
import type { Reminded } from "../core/cards/notices.ts";
import { isPendingQuestion } from "./checkpoints.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import type { Message } from "./messages.ts";
import { campaigns, checkpoints, goals, messages } from "./schema/index.ts";

/** Those of these checkpoints that are still open in the same version and not acknowledged, oldest first. */
export async function stillReminded(db: Db, named: NonNullable<Card["reminds"]>): Promise<Reminded[]> {
  const ids = named.map(({ checkpointId }) => checkpointId);
  const found = await db
    .select({
      checkpoint: checkpoints,
      content: sql<string>`coalesce(${goals.content}, ${campaigns.name}, ${checkpoints.context})`,
    })
    .from(checkpoints)
    .leftJoin(goals, eq(goals.goalId, checkpoints.goalId))
    .leftJoin(campaigns, eq(campaigns.campaignId, checkpoints.campaignId))
    .where(and(isAnyOf(checkpoints.checkpointId, ids), isPendingQuestion, isNull(checkpoints.acknowledgedAt)))
    .orderBy(asc(checkpoints.askedAt), asc(checkpoints.checkpointId));
  const versions = new Map(named.map(({ checkpointId, version }) => [checkpointId, version]));
  return found.filter(({ checkpoint }) => versions.get(checkpoint.checkpointId) === checkpoint.version);
}

/** Deletes a reminder that was not posted yet. */
export async function dropReminder(db: Db, messageId: number): Promise<void> {
  await db.delete(messages).where(isUnposted(messageId));
}

/** Replaces the card of a reminder that was not posted yet. */
export async function redrawReminder(
  db: Db,
  messageId: number,
  drawn: Pick<Message, "card" | "threadSubject">,
): Promise<void> {
  await db.update(messages).set(drawn).where(isUnposted(messageId));
}

function isUnposted(messageId: number): SQL | undefined {
  return and(eq(messages.messageId, messageId), isNull(messages.address), isNull(messages.postingSince));
}
