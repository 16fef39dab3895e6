import { type SQL, sql } from "drizzle-orm";
import { longestAskedMs } from "../core/asked-wait.ts";
import type { Db } from "./connection/client.ts";

/** Corrects due times that were written before the clock was set back. */

/**
 * Corrects due times that were written before the clock was set back by more than `forMs`. A claimed goal becomes due now. Any other
 * due time becomes as far in the future as it was when its row was written. When no row says when that was, or the row was written
 * again, the due time is limited to the longest wait that is possible. One statement; safe to repeat.
 */
export async function shortenWaits(db: Db, now: Date, forMs: number): Promise<void> {
  const at = sql`${now}::timestamptz`;
  const after = (ms: number) => sql`${new Date(now.getTime() + ms)}::timestamptz`;
  const isAhead = (written: SQL) => sql`${written} > ${after(forMs)}`;
  const back = (due: SQL, written: SQL) => sql`${due} - greatest(${written} - ${at}, interval '0')`;
  const [latest, dueAt, requestedAt, updatedAt] = [
    after(longestAskedMs),
    sql`due_at`,
    sql`requested_at`,
    sql`updated_at`,
  ];
  await db.execute(sql`
    with merges as (
      update cos.merges set requested_at = least(requested_at, ${at}), due_at = least(${back(dueAt, requestedAt)}, ${latest})
      where status in ('due', 'merging') and (${isAhead(requestedAt)} or due_at > ${latest})
    ), batches as (
      update cos.batches set asked_at = least(asked_at, ${at}), due_at = ${back(dueAt, sql`asked_at`)}
      where status in ('held', 'begun') and ${isAhead(sql`asked_at`)}
    ), pulls as (
      update cos.pulls set due_at = least(due_at, ${latest}),
        checks_due_at = case when checks_due_at > ${latest} then ${latest} else checks_due_at end
      where state in ('wanted', 'open') and (due_at > ${latest} or checks_due_at > ${latest})
    ), messages as (
      update cos.messages set updated_at = least(updated_at, ${at}),
        posted_at = case when posted_at > ${at} then ${at} else posted_at end,
        not_before = case when not_before is not null then least(${back(sql`not_before`, updatedAt)}, ${latest}) end
      where is_wanting and (${isAhead(updatedAt)} or ${isAhead(sql`posted_at`)} or not_before > ${latest})
    ), marks as (
      update cos.marks set not_before = ${latest} where not_before > ${latest}
    )
    update cos.goals set updated_at = least(updated_at, ${at}),
      wake_at = case when leased_by is null then ${back(sql`wake_at`, updatedAt)} else ${at} end
    where wake_at > ${at} and (leased_by is not null or ${isAhead(updatedAt)})`);
}
