import { createHash, createHmac } from "node:crypto";
import { and, desc, eq, gt, isNotNull, isNull, lte } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { consoleSessions } from "./schema/index.ts";

type Row = typeof consoleSessions.$inferSelect;

export type ConsoleSession = Omit<Row, "keyHash">;

/** The columns that leave this file: all but the key's hash. */
const shown = {
  consoleSessionId: consoleSessions.consoleSessionId,
  name: consoleSessions.name,
  madeBy: consoleSessions.madeBy,
  madeAt: consoleSessions.madeAt,
  expiresAt: consoleSessions.expiresAt,
  openedAt: consoleSessions.openedAt,
  openedFrom: consoleSessions.openedFrom,
  seenAt: consoleSessions.seenAt,
};

/** The key that a browser presents. Only a hash of it is stored. Keys are random, so their hashes cannot be reversed by guessing. */
export interface ConsoleKey {
  readonly key: string;
  /** The port that the browser used. Browsers send cookies to every port of a host, so a key is valid on its own port only. */
  readonly port: string;
  /** The console's token. A new token ends every session. */
  readonly token: string;
}

/** A new session, opened with the console's token or with a link. */
export interface NewConsoleSession {
  readonly key: ConsoleKey;
  readonly from: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Returns false when the id is taken. */
export async function insertLink(
  db: Db,
  key: string,
  link: Pick<Row, "consoleSessionId" | "name" | "madeBy" | "madeAt" | "expiresAt">,
): Promise<boolean> {
  const inserted = await db
    .insert(consoleSessions)
    .values({ ...link, keyHash: hashOfLink(key) })
    .onConflictDoNothing()
    .returning({ id: consoleSessions.consoleSessionId });
  return inserted.length > 0;
}

/** Returns the link if it can be opened now, else null. */
export async function findLink(db: Db, key: string, now: Date): Promise<ConsoleSession | null> {
  return one(await db.select(shown).from(consoleSessions).where(opensWith(key, now)));
}

/** Turns a link into a session, once: after that the link's key opens nothing. Null when the link cannot be opened (any more). */
export async function openLink(db: Db, key: string, { key: made, from, at, expiresAt }: NewConsoleSession) {
  const opened = { keyHash: hashOfSession(made), openedAt: at, openedFrom: from, seenAt: at, expiresAt };
  return one(await db.update(consoleSessions).set(opened).where(opensWith(key, at)).returning(shown));
}

/** A session for a person who has the console's token. Returns false when the id is taken. */
export async function insertConsoleSession(
  db: Db,
  { key, from, at, expiresAt }: NewConsoleSession,
  session: Pick<Row, "consoleSessionId" | "madeBy">,
): Promise<boolean> {
  const times = { madeAt: at, openedAt: at, seenAt: at, expiresAt };
  const inserted = await db
    .insert(consoleSessions)
    .values({ ...session, ...times, keyHash: hashOfSession(key), openedFrom: from, name: null })
    .onConflictDoNothing()
    .returning({ id: consoleSessions.consoleSessionId });
  return inserted.length > 0;
}

/** The session of a browser's key. Null when the key is not valid. */
export async function sessionWith(db: Db, key: ConsoleKey, now: Date): Promise<ConsoleSession | null> {
  const isIt = eq(consoleSessions.keyHash, hashOfSession(key));
  return one(
    await db
      .select(shown)
      .from(consoleSessions)
      .where(and(isIt, isNotNull(consoleSessions.openedAt), gt(consoleSessions.expiresAt, now))),
  );
}

/** True when the session or link is valid now. */
export async function isLive(db: Db, consoleSessionId: string, now: Date): Promise<boolean> {
  const isIt = eq(consoleSessions.consoleSessionId, consoleSessionId);
  const found = await db
    .select({ id: consoleSessions.consoleSessionId })
    .from(consoleSessions)
    .where(and(isIt, gt(consoleSessions.expiresAt, now)));
  return found.length > 0;
}

/** Stores when the session was last used. */
export async function markSeen(db: Db, consoleSessionId: string, at: Date): Promise<void> {
  await db.update(consoleSessions).set({ seenAt: at }).where(eq(consoleSessions.consoleSessionId, consoleSessionId));
}

/** All valid sessions and unopened links, newest first. */
export async function liveSessions(db: Db, now: Date): Promise<ConsoleSession[]> {
  return await db
    .select(shown)
    .from(consoleSessions)
    .where(gt(consoleSessions.expiresAt, now))
    .orderBy(desc(consoleSessions.madeAt));
}

/** Ends a session or link: its key is not valid any more. Null when there is none. */
export async function endConsoleSession(db: Db, consoleSessionId: string): Promise<ConsoleSession | null> {
  const isIt = eq(consoleSessions.consoleSessionId, consoleSessionId);
  return one(await db.delete(consoleSessions).where(isIt).returning(shown));
}

/** Deletes sessions and links that have expired. */
export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.delete(consoleSessions).where(lte(consoleSessions.expiresAt, now));
}

function opensWith(key: string, now: Date) {
  const isIt = eq(consoleSessions.keyHash, hashOfLink(key));
  return and(isIt, isNull(consoleSessions.openedAt), gt(consoleSessions.expiresAt, now));
}

function hashOfLink(key: string): string {
  return createHash("sha256").update(`link ${key}`).digest("hex");
}

function hashOfSession({ key, port, token }: ConsoleKey): string {
  return createHmac("sha256", token).update(`session ${port} ${key}`).digest("hex");
}

function one([session]: readonly ConsoleSession[]): ConsoleSession | null {
  return session ?? null;
}
