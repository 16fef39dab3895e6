import { and, asc, count, eq, isNull } from "drizzle-orm";
import type { Remark } from "../core/forges/remarks.ts";
import type { Db } from "./connection/client.ts";
import { pullRemarks, pulls } from "./schema/index.ts";

/** The keys of what was heard about a goal's pull request. */
export async function heardKeys(db: Db, goalId: string): Promise<Set<string>> {
  const found = await db.select({ key: pullRemarks.key }).from(pullRemarks).where(eq(pullRemarks.goalId, goalId));
  return new Set(found.map(({ key }) => key));
}

/** Keeps what was heard now, behind what was heard before. The caller holds the goal's row. Safe twice. */
export async function keepRemarks(tx: Db, goalId: string, remarks: readonly Remark[], now: Date): Promise<void> {
  if (remarks.length === 0) return;
  const [there] = await tx.select({ many: count() }).from(pullRemarks).where(eq(pullRemarks.goalId, goalId));
  const first = there?.many ?? 0;
  await tx
    .insert(pullRemarks)
    .values(
      remarks.map(({ key, kind, author, body, path, line }, index) => {
        return { goalId, key, kind, author, body, path, line, position: first + index, heardAt: now };
      }),
    )
    .onConflictDoNothing();
}

/** What people said and nobody has had worked on, in the order in which it was heard. */
export async function waitingRemarks(db: Db, goalId: string): Promise<Remark[]> {
  const found = await db
    .select()
    .from(pullRemarks)
    .where(and(eq(pullRemarks.goalId, goalId), isNull(pullRemarks.runId)))
    .orderBy(asc(pullRemarks.position));
  return found.map(({ key, kind, author, body, path, line }) => {
    return { key, kind, author, body, path, line, isBot: false };
  });
}

/** All that waits is worked on by this run. The caller holds the goal's row. */
export async function giveRemarks(tx: Db, goalId: string, runId: string): Promise<void> {
  await tx
    .update(pullRemarks)
    .set({ runId })
    .where(and(eq(pullRemarks.goalId, goalId), isNull(pullRemarks.runId)));
  await tx.update(pulls).set({ remarksWaiting: 0, lastRemark: null }).where(eq(pulls.goalId, goalId));
}
