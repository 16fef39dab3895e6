import { and, asc, desc, eq } from "drizzle-orm";
import type { Tried } from "../core/recovery/tried.ts";
import type { Db } from "./client.ts";
import { attempts, goals } from "./schema.ts";

/** Keeps an attempt. The same number of a run's ladder is kept once: safe twice. */
export async function insertAttempt(tx: Db, row: typeof attempts.$inferInsert): Promise<void> {
  await tx.insert(attempts).values(row).onConflictDoNothing();
}

/** Everything that was tried for a goal, oldest first. */
export async function attemptsOf(db: Db, goalId: string): Promise<Tried[]> {
  return await db.select().from(attempts).where(eq(attempts.goalId, goalId)).orderBy(asc(attempts.attemptId));
}

/** What a run has tried on all its ladders, oldest first. */
export async function attemptsOfRun(db: Db, runId: string): Promise<Tried[]> {
  return await db.select().from(attempts).where(eq(attempts.runId, runId)).orderBy(asc(attempts.attemptId));
}

/** What was tried under a fingerprint in a repository, by any goal, newest first, with how it went. */
export async function triedUnder(
  db: Db,
  fingerprint: string,
  repositoryId: string,
): Promise<(Tried & { readonly goalId: string })[]> {
  const found = await db
    .select({ attempt: attempts })
    .from(attempts)
    .innerJoin(goals, eq(goals.goalId, attempts.goalId))
    .where(and(eq(attempts.fingerprint, fingerprint), eq(goals.repositoryId, repositoryId)))
    .orderBy(desc(attempts.attemptId))
    .limit(50);
  return found.map((row) => row.attempt);
}
