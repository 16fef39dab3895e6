import { and, eq, isNotNull, isNull, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { repositories } from "./schema/index.ts";

export type Repository = typeof repositories.$inferSelect;

/** False when the id, the name or the path is taken. */
export async function insertRepository(db: Db, repository: Repository): Promise<boolean> {
  const inserted = await db.insert(repositories).values(repository).onConflictDoNothing().returning();
  return inserted.length > 0;
}

/** Changes what a person may change later. `removedAt` null takes a removed one back. */
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

/** Those that are known, the oldest first. */
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

/** The repositories with these IDs, in no order; IDs that none has are left out. */
export async function repositoriesById(db: Db, repositoryIds: readonly string[]): Promise<Repository[]> {
  return await byIds(db, { repositoryIds });
}

const byIds = builtOnce<{ repositoryIds: readonly string[] }, Repository[]>((db, place) =>
  db
    .select()
    .from(repositories)
    .where(sql`${repositories.repositoryId} = any(${place("repositoryIds")}::text[])`),
);

/** By id, also one that was removed; or by name, absolute path or URL one that is known. */
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

/** The ids of the repositories that somebody means: the one that is called so, or (null) all that are known. */
export function idsOfMeant(wanted: Placeholder | null): SQL {
  return wanted === null
    ? sql`(select repository_id from ${repositories} where removed_at is null)`
    : sql`(select repository_id from ${repositories} where ${isCalled(wanted)})`;
}

/** The one that a goal is for; null when there is no such goal. */
export async function repositoryOfGoal(db: Db, goalId: string): Promise<Repository | null> {
  const found = await byGoal(db, { goalId });
  return found[0] ?? null;
}

const byGoal = builtOnce<{ goalId: string }, Repository[]>((db, place) => {
  const ofGoal = sql`(select repository_id from cos.goals where goal_id = ${place("goalId")})`;
  return db.select().from(repositories).where(eq(repositories.repositoryId, ofGoal));
});

/** The one that a session works in; null when there is no such session. */
export async function repositoryOfSession(db: Db, sessionId: string): Promise<Repository | null> {
  const found = await bySession(db, { sessionId });
  return found[0] ?? null;
}

const bySession = builtOnce<{ sessionId: string }, Repository[]>((db, place) => {
  const ofSession = sql`(select repository_id from cos.sessions where session_id = ${place("sessionId")})`;
  return db.select().from(repositories).where(eq(repositories.repositoryId, ofSession));
});

/** Those that a person has removed. */
export async function removedRepositories(db: Db): Promise<Repository[]> {
  return await db.select().from(repositories).where(isNotNull(repositories.removedAt));
}

/** By absolute path or URL, removed or not: its rows are there for whoever makes it known again. */
export async function repositoryAt(db: Db, location: string): Promise<Repository | null> {
  const found = await db.select().from(repositories).where(eq(repositories.location, location));
  return found[0] ?? null;
}

/** What is not over in a repository, by what it is: how often there is of it. */
export interface Unfinished {
  readonly sessions: number;
  readonly goals: number;
  readonly campaigns: number;
  readonly merges: number;
}

/** What somebody would miss if the repository were gone. */
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
 * Locks the row: before something is begun in it, so that nothing else is meanwhile (D9). False when a person has removed it: no
 * new work is taken for it.
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
