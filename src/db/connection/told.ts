import { type SQL, sql } from "drizzle-orm";
import { type AsksFor, askedForBy } from "./asked-for.ts";
import { marks, type timeline } from "../schema/index.ts";
import type { Db } from "./handle.ts";
import { type NewMark, writeMarks } from "./marks.ts";

/*
 * What a transaction writes and nobody asks for before its end is kept while it lasts: its events, what is only added, and changes of
 * rows that it holds. With its marks that is one statement before the COMMIT. Whoever asks for one of these tables in between, or
 * begins a part that may fail by itself, has what was kept written first.
 */

export type NewRow = typeof timeline.$inferInsert;

/** How rows are added to the timeline: said by the one who writes it. */
type Adding = (tx: Db, rows: readonly NewRow[]) => SQL;

/** A write that can wait. */
export interface Later {
  readonly table: string;
  /** The row: its changes come together, and with itself where it is new. Null: a new row that nobody changes. */
  readonly id: string | null;
  readonly isNew: boolean;
  /** Whether a statement must find it written. */
  readonly isAskedForBy: AsksFor;
  readonly values: object;
  readonly write: (tx: Db, values: object) => SQL;
}

interface Kept {
  /** What is done when all of it is written, as the very last thing before the COMMIT. */
  readonly lastly: (() => Promise<void>)[];
  readonly told: NewRow[];
  adding: Adding | null;
  later: Later[];
}

const kept = new WeakMap<Db, Kept>();

/** Keeps rows of the timeline until the transaction ends, in their order. False outside of one: the caller writes them. */
export function keepTold(tx: Db, rows: readonly NewRow[], adding: Adding): boolean {
  const keeping = kept.get(tx);
  if (keeping === undefined) return false;
  keeping.told.push(...rows);
  keeping.adding = adding;
  return true;
}

/**
 * Keeps a write until the transaction ends; of two changes of a row, what the later one says counts, and a new row is written as it is
 * after its changes. False outside of one.
 */
export function keepLater(tx: Db, later: Later): boolean {
  const keeping = kept.get(tx);
  if (keeping === undefined) return false;
  const { table, id } = later;
  const before = id === null ? undefined : keeping.later.find((each) => each.id === id && each.table === table);
  const values = { ...before?.values, ...later.values };
  const merged = before?.isNew === true ? { ...before, values } : { ...later, values };
  // Where it was, since others may refer to it.
  keeping.later =
    before === undefined ? [...keeping.later, merged] : keeping.later.map((each) => (each === before ? merged : each));
  return true;
}

/** What is kept of rows: their changes, and new ones. */
export function keptOf(tx: Db): readonly Pick<Later, "table" | "id" | "isNew" | "values">[] {
  return kept.get(tx)?.later ?? [];
}

/** Does this when everything of the transaction is written, however long that takes. Throws outside of a transaction. */
export function lastly(tx: Db, work: () => Promise<void>): void {
  const keeping = kept.get(tx);
  if (keeping === undefined) throw new Error("what comes last was asked for outside of a transaction");
  keeping.lastly.push(work);
}

/** Does the work of a transaction; what it keeps is written by `writeTold`. */
export async function telling<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  kept.set(tx, { lastly: [], told: [], adding: null, later: [] });
  try {
    return await work();
  } catch (error) {
    kept.delete(tx);
    throw error;
  }
}

/** Writes what was kept, and the marks, by one statement, none when there is nothing; then what comes last. Ends the keeping. */
export async function writeTold(tx: Db, marked: readonly NewMark[]): Promise<void> {
  const writes = take(tx);
  const last = kept.get(tx)?.lastly ?? [];
  kept.delete(tx);
  if (writes.length === 0) await writeMarks(tx, marked);
  else if (marked.length === 0) await write(tx, writes);
  else await write(tx, [...writes, marksInsertion(tx, marked)]);
  for (const work of last) await work();
}

function marksInsertion(tx: Db, marked: readonly NewMark[]): SQL {
  return tx
    .insert(marks)
    .values([...marked])
    .getSQL();
}

/** So many are written without waiting for the end: one statement takes 65,535 values. */
const mostKept = 500;

/** Whether so much is kept that it is written now (`writeKept`). */
export function isFull(tx: Db): boolean {
  return (kept.get(tx)?.later.length ?? 0) >= mostKept;
}

/** Writes what is kept so far. */
export async function writeKept(tx: Db): Promise<void> {
  const writes = take(tx);
  if (writes.length > 0) await write(tx, writes);
}

/** What a statement of the transaction needs of what was kept: called before it is sent. */
export async function beforeStatement(tx: Db, text: string): Promise<void> {
  const keeping = kept.get(tx);
  if (keeping === undefined || (keeping.told.length === 0 && keeping.later.length === 0)) return;
  // What a part has written is taken back with it.
  if (/^\s*rollback to /i.test(text)) take(tx);
  else if (/^\s*savepoint /i.test(text) || isAskedFor(keeping, text)) await write(tx, take(tx));
}

function isAskedFor({ told, later }: Kept, text: string): boolean {
  return (
    (told.length > 0 && askedForBy("timeline", true)(text)) || later.some(({ isAskedForBy }) => isAskedForBy(text))
  );
}

function take(tx: Db): SQL[] {
  const keeping = kept.get(tx);
  if (keeping === undefined) return [];
  const told = keeping.told.splice(0);
  const writes = keeping.later.map(({ values, write: build }) => build(tx, values));
  keeping.later = [];
  return told.length === 0 || keeping.adding === null ? writes : [...writes, keeping.adding(tx, told)];
}

/**
 * All as one statement: each of rows that none of the others touches. Any of them may begin with a WITH of its own. PostgreSQL works
 * off parts that nobody reads from the last to the first: so the last one here is the first that was kept, and numbers are given, and
 * unique rows are ended before others take their place, in the order in which they were asked for (`tests/db/held.test.ts`).
 */
async function write(tx: Db, writes: readonly SQL[]): Promise<void> {
  const [only] = writes;
  const parts = writes.map((each, index) => sql`${sql.identifier(`kept_${index}`)} as (${each})`).toReversed();
  await tx.execute(writes.length === 1 ? sql`${only}` : sql`with ${sql.join(parts, sql`, `)} select`);
}
