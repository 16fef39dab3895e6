import { and, inArray, isNull, sql } from "drizzle-orm";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { inAskedOrder, isPendingQuestion } from "./checkpoints.ts";
import type { Db } from "./connection/client.ts";
import { checkpoints } from "./schema/index.ts";

/** Checkpoints about the goals of a night. */

/** Open checkpoints about goals of a night, in the order in which they were asked. */
export async function pendingOfNight(db: Db, nightId: string): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(and(isPendingQuestion, ofNight(nightId)))
    .orderBy(...inAskedOrder);
}

/** Records that the morning report has reminded of the night's open checkpoints. Not of escalations, which have reminders of their own. */
export async function remindedByMorning(tx: Db, nightId: string, now: Date): Promise<void> {
  await tx
    .update(checkpoints)
    .set({ remindedAt: now })
    .where(
      and(
        isPendingQuestion,
        isNull(checkpoints.remindedAt),
        sql`${checkpoints.kind} <> 'escalation'`,
        ofNight(nightId),
      ),
    );
}

/** Number of a night's checkpoints that were settled since `since`. */
export async function decisionsSince(db: Db, nightId: string, since: Date): Promise<number> {
  const found = await db
    .select({ settled: sql<number>`count(*)::int` })
    .from(checkpoints)
    .where(
      and(
        inArray(checkpoints.status, ["approved", "rejected"]),
        ofNight(nightId),
        sql`${checkpoints.resolvedAt} >= ${since}`,
      ),
    );
  return found[0]?.settled ?? 0;
}

/** Matches checkpoints about goals of the night's contract, wherever they are worked now, and about goals that joined its sessions. */
function ofNight(nightId: string) {
  return sql`${checkpoints.goalId} = any(array(
    select g.goal_id from cos.goals g join cos.sessions s on s.session_id = g.session_id where s.night_id = ${nightId}
    union select jsonb_array_elements_text(n.goal_ids) from cos.nights n where n.night_id = ${nightId}))`;
}
