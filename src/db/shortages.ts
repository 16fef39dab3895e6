import { and, asc, eq, isNull } from "drizzle-orm";
import type { PlaceSpace } from "../core/space/free.ts";
import type { Db } from "./connection/client.ts";
import { shortages } from "./schema/index.ts";

export type Shortage = typeof shortages.$inferSelect;

/** Identifies the disks: a machine, and the directory that it keeps its state in. */
export type Holder = Pick<Shortage, "machine" | "holder">;

/** All current shortages of space, oldest first. */
export async function openShortages(db: Db): Promise<Shortage[]> {
  return await db.select().from(shortages).where(isNull(shortages.endedAt)).orderBy(asc(shortages.shortageId));
}

/** Begins a shortage. Returns null when it is already known, whichever process was first. */
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

/** Ends the open shortage. Null when there is none, or when another process was first. */
export async function endShortage(tx: Db, { holder }: Pick<Holder, "holder">, endedAt: Date): Promise<Shortage | null> {
  const ended = await tx
    .update(shortages)
    .set({ endedAt })
    .where(and(eq(shortages.holder, holder), isNull(shortages.endedAt)))
    .returning();
  return ended[0] ?? null;
}
