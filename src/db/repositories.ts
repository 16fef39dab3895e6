import { and, eq, isNotNull, isNull, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { repositories } from "./schema/index.ts";

export type Repository = typeof repositories.$inferSelect;

/** Returns false when the id, the name or the path is taken. */
export async function insertRepository(db: Db, repository: Repository): Promise<boolean> {
  const inserted = await db.insert(repositories).values(repository).onConflictDoNothing().returning();
  return inserted.length > 0;
}

/** Changes the columns that a person may change later. `removedAt: null` restores a removed repository. */
export async function updateRepository(
  db: Db,
  repositoryId: string,
  changes: Partial<
    Pick<
      Repository,
      | "name"
      | "location"
      | "baseBranch"
      | "setup"
      | "checks"
      | "pushRemote"
      | "deployKey"
      | "agent"
      | "trials"
      | "checkNetwork"
      | "labels"
      | "billing"
      | "addedBy"
      | "removedAt"
    >
  >,
): Promise<void> {
  await db.update(repositories).set(changes).where(eq(repositories.repositoryId, repositoryId));
}

/** The repositories that were not removed, oldest first. */
export async function listRepositories(db: Db): Promise<Repository[]> {
  return await known(db, {});
}

const known = builtOnce<Record<string, never>, Repository[]>((db) =>
  db
    .select()
    .from(repositories)
    .where(isNull(repositories.removedAt))
    .orderBy(repositories.createdAt, repositories.name),
);

/** The repositories with these ids, in no order. Unknown ids are left out. */
export async function repositoriesById(db: Db, repositoryIds: readonly string[]): Promise<Repository[]> {
  return await byIds(db, { repositoryIds });
}

const byIds = builtOnce<{ repositoryIds: readonly string[] }, Repository[]>((db, place) =>
  db
    .select()
    .from(repositories)
    .where(sql`${repositories.repositoryId} = any(${place("repositoryIds")}::text[])`),
);

/** Finds a repository by id, also a removed one, or by name, absolute path or URL, if it was not removed. */
export async function findRepository(db: Db, wanted: string): Promise<Repository | null> {
  const found = await byAnyName(db, { wanted });
  return found[0] ?? null;
}

const byAnyName = builtOnce<{ wanted: string }, Repository[]>((db, place) =>
  db
    .select()
    .from(repositories)
    .where(isCalled(place("wanted")))
    .limit(1),
);

function isCalled(wanted: Placeholder): SQL | undefined {
  const isName = or(eq(repositories.name, wanted), eq(repositories.location, wanted));
  return or(eq(repositories.repositoryId, wanted), and(isNull(repositories.removedAt), isName));
}

/** The ids of the repositories that are meant: the one with this name, or (null) all that were not removed. */
export function idsOfMeant(wanted: Placeholder | null): SQL {
  return wanted === null
    ? sql`(select repository_id from ${repositories} where removed_at is null)`
    : sql`(select repository_id from ${repositories} where ${isCalled(wanted)})`;
}

/** The repository of a goal. Null when there is no such goal. */
export async function repositoryOfGoal(db: Db, goalId: string): Promise<Repository | null> {
  const found = await byGoal(db, { goalId });
  return found[0] ?? null;
}

const byGoal = builtOnce<{ goalId: string }, Repository[]>((db, place) => {
  const ofGoal = sql`(select repository_id from cos.goals where goal_id = ${place("goalId")})`;
  return db.select().from(repositories).where(eq(repositories.repositoryId, ofGoal));
});

/** The repository of a session. Null when there is no such session. */
export async function repositoryOfSession(db: Db, sessionId: string): Promise<Repository | null> {
  const found = await bySession(db, { sessionId });
  return found[0] ?? null;
}

const bySession = builtOnce<{ sessionId: string }, Repository[]>((db, place) => {
  const ofSession = sql`(select repository_id from cos.sessions where session_id = ${place("sessionId")})`;
  return db.select().from(repositories).where(eq(repositories.repositoryId, ofSession));
});

/** The repositories that a person has removed. */
export async function removedRepositories(db: Db): Promise<Repository[]> {
  return await db.select().from(repositories).where(isNotNull(repositories.removedAt));
}

/** Finds a repository by absolute path or URL, removed or not: a person may add it again with its rows. */
export async function repositoryAt(db: Db, location: string): Promise<Repository | null> {
  const found = await db.select().from(repositories).where(eq(repositories.location, location));
  return found[0] ?? null;
}

/** Number of unfinished things in a repository, by kind. */
export interface Unfinished {
  readonly sessions: number;
  readonly goals: number;
  readonly campaigns: number;
  readonly merges: number;
}

/** Counts what would be lost if the repository were removed. */
export async function unfinishedIn(db: Db, repositoryId: string): Promise<Unfinished> {
  const found = await db.execute<{ [Key in keyof Unfinished]: number }>(sql`
    select
      (select count(*)::int from cos.sessions where repository_id = ${repositoryId} and status <> 'ended') as sessions,
      (select count(*)::int from cos.goals where repository_id = ${repositoryId} and status in ('pending', 'in_progress', 'blocked')) as goals,
      (select count(*)::int from cos.campaigns where repository_id = ${repositoryId} and state in ('planning', 'active', 'paused')) as campaigns,
      (select count(*)::int from cos.merge_queues where repository_id = ${repositoryId} and ended_at is null)
        + (select count(*)::int from cos.merges join cos.goals using (goal_id)
           where repository_id = ${repositoryId} and merges.status in ('due', 'merging')) as merges`);
  return found.rows[0] ?? { sessions: 0, goals: 0, campaigns: 0, merges: 0 };
}

/**
 * Locks the row before something is begun in the repository, so that nothing else begins meanwhile (D9). Returns false when a person
 * has removed it: it takes no new work.
 */
export async function lockRepository(tx: Db, repositoryId: string): Promise<boolean> {
  const found = await locked(tx, { repositoryId });
  return found[0]?.removedAt === null;
}

const locked = builtOnce<{ repositoryId: string }, Pick<Repository, "removedAt">[]>((db, place) =>
  db
    .select({ removedAt: repositories.removedAt })
    .from(repositories)
    .where(eq(repositories.repositoryId, place("repositoryId")))
    .for("no key update"),
);
