import { eq, or } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { repositories } from "./schema/index.ts";

export type Repository = typeof repositories.$inferSelect;

/** False when the id, the name or the path is taken. */
export async function insertRepository(db: Db, repository: Repository): Promise<boolean> {
  const inserted = await db.insert(repositories).values(repository).onConflictDoNothing().returning();
  return inserted.length > 0;
}

/** Changes what a person may change later: base, setup, checks, push remote, agent. */
export async function updateRepository(
  db: Db,
  repositoryId: string,
  changes: Partial<Pick<Repository, "name" | "baseBranch" | "setup" | "checks" | "pushRemote" | "agent">>,
): Promise<void> {
  await db.update(repositories).set(changes).where(eq(repositories.repositoryId, repositoryId));
}

export async function listRepositories(db: Db): Promise<Repository[]> {
  return await db.select().from(repositories).orderBy(repositories.createdAt);
}

export async function repositoriesById(db: Db, repositoryIds: readonly string[]): Promise<Repository[]> {
  return await db.select().from(repositories).where(isAnyOf(repositories.repositoryId, repositoryIds));
}

/** By id, name or absolute path. */
export async function findRepository(db: Db, wanted: string): Promise<Repository | null> {
  const found = await db
    .select()
    .from(repositories)
    .where(or(eq(repositories.repositoryId, wanted), eq(repositories.name, wanted), eq(repositories.path, wanted)))
    .limit(1);
  return found[0] ?? null;
}

/** Locks the row: before a session is opened on it, so that no other one is meanwhile (D9). */
export async function lockRepository(tx: Db, repositoryId: string): Promise<void> {
  await tx.select().from(repositories).where(eq(repositories.repositoryId, repositoryId)).for("no key update");
}
