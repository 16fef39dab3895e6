import { and, desc, eq, sql } from "drizzle-orm";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { noteLocked } from "./connection/looks.ts";
import { keepOrWrite } from "./connection/later.ts";
import { idsOfMeant } from "./repositories.ts";
import { sessions } from "./schema/index.ts";

export type Session = typeof sessions.$inferSelect;

/** Returns false when the id is taken or the repository already has an open session (unique index). */
export async function insertSession(db: Db, session: typeof sessions.$inferInsert): Promise<boolean> {
  const inserted = await db.insert(sessions).values(session).onConflictDoNothing().returning();
  if (inserted.length > 0) noteLocked(db, session.sessionId);
  return inserted.length > 0;
}

/** Returns the session, or null when there is none. */
export async function getSession(db: Db, sessionId: string): Promise<Session | null> {
  const found = await byId(db, { sessionId });
  return found[0] ?? null;
}

const byId = builtOnce<{ sessionId: string }, Session[]>((db, place) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.sessionId, place("sessionId"))),
);

/** The sessions with these ids, in no order. Unknown ids are left out. */
export async function sessionsById(db: Db, sessionIds: readonly string[]): Promise<Session[]> {
  if (sessionIds.length === 0) return [];
  return await byIds(db, { sessionIds });
}

const byIds = builtOnce<{ sessionIds: readonly string[] }, Session[]>((db, place) =>
  db
    .select()
    .from(sessions)
    .where(sql`${sessions.sessionId} = any(${place("sessionIds")}::text[])`),
);

/** Number of sessions that have not ended. */
export async function countOpenSessions(db: Db): Promise<number> {
  const found = await db.select({ number: sql<number>`count(*)::int` }).from(sessions).where(isOpen);
  return found[0]?.number ?? 0;
}

/** Worded exactly as in the index of open sessions. */
const isOpen = sql`${sessions.status} <> 'ended'`;

/** Locks the row: always before the session's goals (D9). */
export async function lockSession(tx: Db, sessionId: string): Promise<Session | null> {
  const found = await tx.select().from(sessions).where(eq(sessions.sessionId, sessionId)).for("update");
  if (found.length > 0) noteLocked(tx, sessionId);
  return found[0] ?? null;
}

/** The repository's open session, or null. */
export async function findOpenSession(db: Db, repositoryId: string): Promise<Session | null> {
  const found = await openIn(db, { repositoryId });
  return found[0] ?? null;
}

const openIn = builtOnce<{ repositoryId: string }, Session[]>((db, place) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.repositoryId, place("repositoryId")), isOpen)),
);

/** The open sessions of the repository with this name (`findRepository`). */
export async function openSessionsOf(db: Db, wanted: string): Promise<Session[]> {
  return await openInMeant(db, { wanted });
}

const openInMeant = builtOnce<{ wanted: string }, Session[]>((db, place) => {
  const isThere = sql`${sessions.repositoryId} = any(array${idsOfMeant(place("wanted"))})`;
  return db.select().from(sessions).where(and(isThere, isOpen));
});

/** The sessions that have not ended, oldest first. */
export async function listOpenSessions(db: Db): Promise<Session[]> {
  return await db.select().from(sessions).where(isOpen).orderBy(sessions.startedAt);
}

/** The last `limit` sessions, newest first. With `repositoryId`, only those of that repository. */
export async function listSessions(db: Db, limit: number, repositoryId?: string): Promise<Session[]> {
  const ofOne = repositoryId === undefined ? undefined : eq(sessions.repositoryId, repositoryId);
  return await db.select().from(sessions).where(ofOne).orderBy(desc(sessions.startedAt)).limit(limit);
}

type SessionChanges = Partial<
  Pick<
    Session,
    "status" | "stopping" | "pausedBy" | "endReason" | "endedAt" | "endedBy" | "budgetMicroUsd" | "failedInRow" | "kind"
  >
>;

/** Writes at the end of the transaction (`connection/told.ts`); outside of a transaction at once. */
export async function updateSession(db: Db, sessionId: string, changes: SessionChanges): Promise<void> {
  await keepOrWrite(db, { table: sessions, id: sessionId, values: changes }, updating);
}

const updating = (at: Db, changes: Partial<typeof sessions.$inferInsert>, sessionId: string) =>
  at.update(sessions).set(changes).where(eq(sessions.sessionId, sessionId));
