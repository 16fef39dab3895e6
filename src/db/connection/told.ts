import { marks, type timeline } from "../schema/index.ts";
import { type AsksFor, askedForBy } from "./asked-for.ts";
import type { Db } from "./handle.ts";
import { endRemembering, lasting } from "./lasting.ts";
import { markedBy } from "./marks.ts";
import { asJson, inserting } from "./rows.ts";
import { asOne, type Build, type BuiltStatement, written } from "./writes.ts";

/*
 * Writes that no statement needs before the end of a transaction are kept while it runs: its events, new rows, and changes of rows that
 * it holds. With its marks they become one statement before the COMMIT. A statement in between that uses one of these tables, or a
 * savepoint, causes the kept writes to be sent first.
 */

export type NewRow = typeof timeline.$inferInsert;

/** Builds the insert of events. Passed in by the file that writes the timeline. */
type BuildEvents = Build<{ readonly json: string }>;

/** A write that can wait. */
export interface Later {
  readonly table: string;
  /** The row's id: its changes are merged, also into the new row. Null: a new row that is not changed later. */
  readonly id: string | null;
  readonly isNew: boolean;
  /** True for a statement that must find this write in the database. */
  readonly isAskedForBy: AsksFor;
  readonly values: object;
  readonly build: Build<object>;
}

interface Kept {
  send: Send;
  /** Work after the last write, directly before the COMMIT. */
  readonly lastly: (() => Promise<void>)[];
  readonly told: NewRow[];
  adding: BuildEvents | null;
  later: Later[];
}

type Send = (write: BuiltStatement) => Promise<unknown>;

const unsent: Send = () => Promise.reject(new Error("a transaction that sends nothing"));

const kept = lasting((): Kept => ({ send: unsent, lastly: [], told: [], adding: null, later: [] }));

/** Sets how this transaction sends its kept writes. */
export function sendKeptBy(tx: Db, send: Send): void {
  const keeping = kept(tx);
  if (keeping !== undefined) keeping.send = send;
}

/** Keeps rows of the timeline, in order, until the transaction ends. Returns false outside of one: the caller writes them. */
export function keepTold(tx: Db, rows: readonly NewRow[], buildEvents: BuildEvents): boolean {
  const keeping = kept(tx);
  if (keeping === undefined) return false;
  keeping.told.push(...rows);
  keeping.adding = buildEvents;
  return true;
}

/**
 * Keeps a write until the transaction ends. Changes of one row are merged, the later one wins, also into a new row. Returns false
 * outside of a transaction.
 */
export function keepLater(tx: Db, later: Later): boolean {
  const keeping = kept(tx);
  if (keeping === undefined) return false;
  const { table, id } = later;
  const before = id === null ? undefined : keeping.later.find((each) => each.id === id && each.table === table);
  const values = { ...before?.values, ...later.values };
  const merged = before?.isNew === true ? { ...before, values } : { ...later, values };
  // At its old place, since other writes may refer to it.
  keeping.later =
    before === undefined ? [...keeping.later, merged] : keeping.later.map((each) => (each === before ? merged : each));
  return true;
}

/** The kept writes of rows: changes and new rows. */
export function keptOf(tx: Db): readonly Pick<Later, "table" | "id" | "isNew" | "values">[] {
  return kept(tx)?.later ?? [];
}

/** Runs `work` when everything of the transaction is written, however long that takes. Throws outside of a transaction. */
export function lastly(tx: Db, work: () => Promise<void>): void {
  const keeping = kept(tx);
  if (keeping === undefined) throw new Error("what comes last was asked for outside of a transaction");
  keeping.lastly.push(work);
}

/**
 * The kept writes and the marks as one statement, which the caller sends with the COMMIT. Null when there are none, or when other work
 * comes after them: then they were sent here. After this the transaction remembers nothing.
 */
export async function lastWrite(tx: Db): Promise<BuiltStatement | null> {
  const marked = markedBy(tx);
  const writes = take(tx);
  const { send, lastly: last } = kept(tx) ?? { send: unsent, lastly: [] };
  endRemembering(tx);
  if (marked.length > 0) writes.push(written(addingMarks, { json: asJson(marked) }));
  const write = writes.length === 0 ? null : asOne(writes);
  if (last.length === 0) return write;
  if (write !== null) await send(write);
  for (const work of last) await work();
  return null;
}

const addingMarks = inserting(marks, ["subject", "id", "urgency", "notice"]);

/** Maximum number of kept writes; more are sent before the end. A statement can have at most 65,535 values. */
const mostKept = 500;

/** True when so many writes are kept that they must be sent now (`writeKept`). */
export function isFull(tx: Db): boolean {
  return (kept(tx)?.later.length ?? 0) >= mostKept;
}

/** Sends what is kept so far. */
export async function writeKept(tx: Db): Promise<void> {
  const writes = take(tx);
  if (writes.length > 0) await kept(tx)?.send(asOne(writes));
}

/** Sends the kept writes first when this statement needs them. Called before each statement. */
export async function beforeStatement(tx: Db, text: string): Promise<void> {
  const keeping = kept(tx);
  if (keeping === undefined || (keeping.told.length === 0 && keeping.later.length === 0)) return;
  // Writes kept within a part are discarded when the part is rolled back.
  if (/^\s*rollback to /i.test(text)) take(tx);
  else if (/^\s*savepoint /i.test(text) || isAskedFor(keeping, text)) await writeKept(tx);
}

function isAskedFor({ told, later }: Kept, text: string): boolean {
  return (
    (told.length > 0 && askedForBy("timeline", true)(text)) || later.some(({ isAskedForBy }) => isAskedForBy(text))
  );
}

function take(tx: Db): BuiltStatement[] {
  const keeping = kept(tx);
  if (keeping === undefined) return [];
  const told = keeping.told.splice(0);
  const writes = keeping.later.map(({ values, id, build }) => written(build, values, id ?? ""));
  keeping.later = [];
  if (told.length > 0 && keeping.adding !== null) writes.push(written(keeping.adding, { json: asJson(told) }));
  return writes;
}
