import { readingCard } from "../core/cards/reading-card.ts";
import type { Db } from "../db/connection/client.ts";
import { getReply, proposedReplies } from "../db/replies.ts";
import type { Doors } from "../deps.ts";
import type { Drawn } from "./drawn.ts";
import { placesWith } from "./question.ts";

/** The card that reads a reply back, in the thread where it was written; null when there is no such reply. */
export async function drawReply(db: Db, deps: Pick<Doors, "config">, replyId: string): Promise<Drawn | null> {
  const row = await getReply(db, replyId);
  if (row === null) return null;
  const proposed = await proposedReplies(db, row.checkpointId, row.version);
  const others = proposed.flatMap(({ replyId: id, actor, compiled }) =>
    id === replyId || compiled === null ? [] : [{ actor, compiled }],
  );
  const places = await placesWith(db, deps, row.checkpointId);
  return { id: replyId, threadSubject: row.thread, card: readingCard({ ...row, others }), ...places };
}
