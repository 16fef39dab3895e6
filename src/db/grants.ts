import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { checkpoints, grants } from "./schema/index.ts";

/** What a person allowed a goal's agent to do once (D29). */

/** Gives the agent one use of the requested action (D29). One grant for a checkpoint: idempotent. */
export async function insertGrant(
  tx: Db,
  grant: { goalId: string; fingerprint: string; checkpointId: string },
): Promise<void> {
  await tx.insert(grants).values(grant).onConflictDoNothing();
}

/** The goal's unused grants, each with the words of its checkpoint and the lines behind them. */
export async function openGrants(
  db: Db,
  goalId: string,
): Promise<{ readonly fingerprint: string; readonly action: string; readonly details: readonly string[] }[]> {
  const asked = await db
    .select({ fingerprint: grants.fingerprint, action: checkpoints.context, facts: checkpoints.facts })
    .from(grants)
    .innerJoin(checkpoints, eq(checkpoints.checkpointId, grants.checkpointId))
    .where(and(eq(grants.goalId, goalId), isNull(grants.usedAt)));
  return asked.map(({ facts, ...grant }) => ({ ...grant, details: facts.details }));
}

/** Uses one grant. Returns false when none was left. */
export async function useGrant(db: Db, goalId: string, fingerprint: string, now: Date): Promise<boolean> {
  const used = await db.execute(sql`
    update ${grants} set used_at = ${now} where grant_id = (
      select grant_id from ${grants} where goal_id = ${goalId} and fingerprint = ${fingerprint} and used_at is null
      order by grant_id limit 1 for update skip locked)`);
  return (used.rowCount ?? 0) > 0;
}
