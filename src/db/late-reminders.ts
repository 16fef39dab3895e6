import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { type Message } from "./messages.ts";
import { checkpoints, messages } from "./schema/index.ts";

/**
 * Takes a reminder away that was held until nothing it reminds of is open any more, or is asked as it was: it would wake somebody for
 * nothing. One message reminds of all questions that were reminded of in the same moment. False: it is none, or still of use.
 */
export async function dropLateReminder(db: Db, { messageId, subject }: Message): Promise<boolean> {
  const [, checkpointId] = /^([^.]+)\.reminder\.\d+$/.exec(subject) ?? [];
  if (checkpointId === undefined) return false;
  const dropped = await db.execute(sql`
    delete from ${messages} late where late.message_id = ${messageId} and late.address is null and late.posting_since is null
    and not exists (
      select 1 from ${checkpoints} asked join ${checkpoints} still on still.reminded_at = asked.reminded_at
      where asked.checkpoint_id = ${checkpointId} and still.status = 'pending')
    returning 1`);
  return dropped.rows.length > 0;
}
