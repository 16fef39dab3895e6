import { and, inArray, isNull, sql } from "drizzle-orm";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { inAskedOrder, isPendingQuestion } from "./checkpoints.ts";
import type { Db } from "./connection/client.ts";
import { checkpoints } from "./schema/index.ts";

/** Questions about what a night works. */

/** Open questions about goals and sessions of a night, in the order in which they were asked. */
export async function pendingOfNight(db: Db, nightId: string): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(and(isPendingQuestion, ofNight(nightId)))
    .orderBy(...inAskedOrder);
}

/** The morning reminds of the questions of its night, except of escalations, which remind by themselves. */
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

/** How many questions of a night were settled after a moment. */
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

/** About goals of its contract, wherever they are worked by now, and about those that joined its sessions. */
function ofNight(nightId: string) {
  return sql`${checkpoints.goalId} = any(array(
    select g.goal_id from cos.goals g join cos.sessions s on s.session_id = g.session_id where s.night_id = ${nightId}
    union select jsonb_array_elements_text(n.goal_ids) from cos.nights n where n.night_id = ${nightId}))`;
}
