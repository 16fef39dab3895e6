import { overOf, readingCard } from "../core/cards/reading-card.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { getReply, proposedReplies } from "../db/replies.ts";
import type { Doors } from "../deps.ts";
import type { ProjectedCard } from "./drawn.ts";
import { placesWith } from "./question.ts";

/** Draws how a reply was read, in the reply's thread. Null when there is no such reply. */
export async function drawReply(db: Db, deps: Pick<Doors, "config">, replyId: string): Promise<ProjectedCard | null> {
  const row = await getReply(db, replyId);
  if (row === null) return null;
  const { checkpointId, version } = row;
  const [proposed, question, places] = await Promise.all([
    proposedReplies(db, checkpointId, version),
    getCheckpoint(db, checkpointId),
    placesWith(db, deps, checkpointId),
  ]);
  const others = proposed.flatMap(({ replyId: id, actor, compiled }) =>
    id === replyId || compiled === null ? [] : [{ actor, compiled }],
  );
  const over = question === null ? null : overOf(row, question);
  return { id: replyId, threadSubject: row.thread, card: readingCard({ ...row, others, over }), ...places };
}
