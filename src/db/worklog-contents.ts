import { asc, eq, sql } from "drizzle-orm";
import { WorklogEntry } from "../core/worklog/entry.ts";
import type { PhaseSummary } from "../core/worklog/phase.ts";
import type { Todo } from "../core/worklog/todos.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { asJson, inserting } from "./connection/rows.ts";
import { worklogCheckpoints, worklogEntries, worklogTodos } from "./schema/index.ts";

/* The contents of a worklog: its entries, the todos of its plan, the summaries of its phases. */

/** An entry to be written, with its key. */
export interface KeyedEntry {
  readonly key: string;
  readonly entry: WorklogEntry;
}

/** Stores entries in order, at the end of the transaction. An entry whose key exists already is not written again. */
export async function insertEntries(tx: Db, sessionId: string, entries: readonly KeyedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ key, entry }) => ({ sessionId, key, entry }));
  await keepOrWrite(tx, { table: worklogEntries, values: { json: asJson(rows) } }, insertingEntries);
}

const insertingEntries = inserting(worklogEntries, ["sessionId", "key", "entry"], sql` on conflict do nothing`);

export type StoredEntries =
  | { readonly type: "read"; readonly entries: readonly WorklogEntry[] }
  /** At least one entry cannot be parsed. */
  | { readonly type: "corrupt" };

/** The entries of a worklog, in order. Their size is limited, because a worklog's is. */
export async function entriesOf(db: Db, sessionId: string): Promise<StoredEntries> {
  const rows = await entriesIn(db, { sessionId });
  const entries: WorklogEntry[] = [];
  for (const row of rows) {
    const read = WorklogEntry.safeParse(row.entry);
    if (!read.success) return { type: "corrupt" };
    entries.push(read.data);
  }
  return { type: "read", entries };
}

const entriesIn = builtOnce<{ sessionId: string }, { entry: unknown }[]>((db, place) =>
  db
    .select({ entry: worklogEntries.entry })
    .from(worklogEntries)
    .where(eq(worklogEntries.sessionId, place("sessionId")))
    .orderBy(asc(worklogEntries.entryId)),
);

/** Deletes a worklog's entries. */
export async function deleteEntries(tx: Db, sessionId: string): Promise<void> {
  await tx.delete(worklogEntries).where(eq(worklogEntries.sessionId, sessionId));
}

/** The current todos of a session, and the hash of the task that they are for. Null when it has reported none, or has ended. */
export async function storedProgress(
  db: Db,
  sessionId: string,
): Promise<{ readonly todos: readonly Todo[]; readonly taskHash: string } | null> {
  return (await progressIn(db, { sessionId }))[0] ?? null;
}

const progressIn = builtOnce<{ sessionId: string }, { todos: Todo[]; taskHash: string }[]>((db, place) =>
  db
    .select({ todos: worklogTodos.todos, taskHash: worklogTodos.taskHash })
    .from(worklogTodos)
    .where(eq(worklogTodos.sessionId, place("sessionId"))),
);

/** The current todos of a session. Null when there are none. */
export async function todosOf(db: Db, sessionId: string): Promise<readonly Todo[] | null> {
  return (await storedProgress(db, sessionId))?.todos ?? null;
}

/** Stores a worklog's todos in place of the earlier ones. */
export async function putTodos(tx: Db, row: typeof worklogTodos.$inferInsert): Promise<void> {
  const { todos, updatedAt } = row;
  await tx
    .insert(worklogTodos)
    .values(row)
    .onConflictDoUpdate({ target: worklogTodos.sessionId, set: { todos, updatedAt } });
}

/** Deletes a worklog's todos. */
export async function deleteTodos(tx: Db, sessionId: string): Promise<void> {
  await tx.delete(worklogTodos).where(eq(worklogTodos.sessionId, sessionId));
}

/** Stores the summary of a phase at the end of a transaction that holds the worklog. The phase must have none yet. `n`: its number. */
export async function insertSummary(tx: Db, sessionId: string, n: number, summary: PhaseSummary): Promise<void> {
  const row = { sessionId, phase: summary.phase, n, summary };
  await keepOrWrite(tx, { table: worklogCheckpoints, values: row }, insertingSummary);
}

const insertingSummary = (at: Db, row: typeof worklogCheckpoints.$inferInsert) =>
  at.insert(worklogCheckpoints).values(row);

export interface Numbered {
  readonly n: number;
  readonly summary: PhaseSummary;
}

/** A worklog's summaries, in order. */
export async function summariesOf(db: Db, sessionId: string): Promise<Numbered[]> {
  return await summariesIn(db, { sessionId });
}

const summariesIn = builtOnce<{ sessionId: string }, Numbered[]>((db, place) =>
  db
    .select({ n: worklogCheckpoints.n, summary: worklogCheckpoints.summary })
    .from(worklogCheckpoints)
    .where(eq(worklogCheckpoints.sessionId, place("sessionId")))
    .orderBy(asc(worklogCheckpoints.n)),
);

/** Deletes a worklog's summaries. */
export async function deleteSummaries(tx: Db, sessionId: string): Promise<void> {
  await tx.delete(worklogCheckpoints).where(eq(worklogCheckpoints.sessionId, sessionId));
}
