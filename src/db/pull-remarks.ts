import { and, asc, count, eq, inArray, isNull } from "drizzle-orm";
import type { Remark } from "../core/forges/remarks.ts";
import type { Db } from "./connection/client.ts";
import { pullRemarks, pulls } from "./schema/index.ts";

/** The keys of all remarks on a goal's pull requests, and how many of them no run has worked on yet. */
export async function heardBefore(
  db: Db,
  goalId: string,
): Promise<{ readonly known: ReadonlySet<string>; readonly waiting: number }> {
  const { key, runId } = pullRemarks;
  const found = await db.select({ key, runId }).from(pullRemarks).where(eq(pullRemarks.goalId, goalId));
  return { known: new Set(found.map((each) => each.key)), waiting: found.filter((each) => each.runId === null).length };
}

/** Stores new remarks behind the earlier ones. The caller holds the goal's row. Idempotent. */
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

/** Remarks that no run has worked on yet, in the order in which they were read. */
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

/** Assigns these remarks to a run; `waiting` is how many still wait. The caller holds the goal's row. */
export async function giveRemarks(
  tx: Db,
  goalId: string,
  { runId, keys, waiting }: { readonly runId: string; readonly keys: readonly string[]; readonly waiting: number },
): Promise<void> {
  await tx
    .update(pullRemarks)
    .set({ runId })
    .where(and(eq(pullRemarks.goalId, goalId), inArray(pullRemarks.key, [...keys])));
  const rest = waiting === 0 ? { lastRemark: null } : {};
  await tx
    .update(pulls)
    .set({ remarksWaiting: waiting, ...rest })
    .where(eq(pulls.goalId, goalId));
}
