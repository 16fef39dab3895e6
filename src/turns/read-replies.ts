import type { Deps } from "../deps.ts";
import { answerable } from "../core/checkpoints/checkpoint.ts";
import { compileReply } from "../core/replies/compile.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import { unreadReplies } from "../db/replies.ts";
import { settleReading } from "./reading.ts";

/**
 * Reads the replies that the grammar could not: with the model where one is configured. Safe twice: a reply that was
 * read meanwhile is left alone. Asked by a doorbell and by the tick.
 */
export async function readWaitingReplies(deps: Deps): Promise<void> {
  for (const row of await unreadReplies(deps.database.db)) {
    const checkpoint = await getCheckpoint(deps.database.db, row.checkpointId);
    if (checkpoint === null) continue;
    const question = { options: answerable(checkpoint), asksClarification: checkpoint.kind === "clarify" };
    const compiled = compileReply(row.text, question);
    await deps.database.transaction((tx) => settleReading(tx, deps, row.replyId, compiled));
  }
}
