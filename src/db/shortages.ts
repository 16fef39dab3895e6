import { and, asc, eq, isNull } from "drizzle-orm";
import type { PlaceSpace } from "../core/space/free.ts";
import type { Db } from "./connection/client.ts";
import { shortages } from "./schema/index.ts";

export type Shortage = typeof shortages.$inferSelect;

/** Whose disks these are: a machine and what it keeps its state under. */
export type Holder = Pick<Shortage, "machine" | "holder">;

/** Every place that is short of space now, the oldest first. */
export async function openShortages(db: Db): Promise<Shortage[]> {
  return await db.select().from(shortages).where(isNull(shortages.endedAt)).orderBy(asc(shortages.shortageId));
}

/** Begins one unless it is known already: then null, whichever process was first. */
export async function beginShortage(
  tx: Db,
  { machine, holder }: Holder,
  places: readonly PlaceSpace[],
  since: Date,
): Promise<Shortage | null> {
  const begun = await tx
    .insert(shortages)
    .values({ machine, holder, places: [...places], since })
    .onConflictDoNothing()
    .returning();
  return begun[0] ?? null;
}

/** Ends the open one; null when there is none, or another process was first. */
export async function endShortage(tx: Db, { holder }: Pick<Holder, "holder">, endedAt: Date): Promise<Shortage | null> {
  const ended = await tx
    .update(shortages)
    .set({ endedAt })
    .where(and(eq(shortages.holder, holder), isNull(shortages.endedAt)))
    .returning();
  return ended[0] ?? null;
}
