import { and, eq, inArray, isNull } from "drizzle-orm";
import type { LostGuard } from "../core/callers.ts";
import type { Db } from "./client.ts";
import { lostGuards } from "./schema.ts";

/** One boot of a machine. What cannot tell its boot counts for every boot of its machine. */
export interface Booted {
  readonly machine: string;
  readonly boot: string;
}

/** May be called again. */
export async function keepLostGuard(tx: Db, booted: Booted, guard: LostGuard, at: Date): Promise<void> {
  const { machine, boot } = booted;
  const { runId, uid, beganTicks } = guard;
  await tx.insert(lostGuards).values({ machine, boot, runId, uid, beganTicks, at }).onConflictDoNothing();
}

/** Those since this boot for which nobody has looked yet, oldest first. */
export async function standingLostGuards(db: Db, { machine, boot }: Booted): Promise<readonly LostGuard[]> {
  const { runId, uid, beganTicks } = lostGuards;
  return await db
    .select({ runId, uid, beganTicks })
    .from(lostGuards)
    .where(and(eq(lostGuards.machine, machine), isNull(lostGuards.lookedAt), ofBoot(boot)))
    .orderBy(lostGuards.at);
}

/** A person has looked for what they let go; the runs of those that stood. */
export async function settleLostGuards(
  tx: Db,
  { machine, boot }: Booted,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<readonly string[]> {
  const settled = await tx
    .update(lostGuards)
    .set({ lookedAt: at, lookedBy: by })
    .where(and(eq(lostGuards.machine, machine), isNull(lostGuards.lookedAt), ofBoot(boot)))
    .returning({ runId: lostGuards.runId });
  return [...new Set(settled.map((each) => each.runId))];
}

function ofBoot(boot: string) {
  return boot === "" ? undefined : inArray(lostGuards.boot, [boot, ""]);
}
