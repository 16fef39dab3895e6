import { marks, type timeline } from "../schema/index.ts";
import { type AsksFor, askedForBy } from "./asked-for.ts";
import type { Db } from "./handle.ts";
import { endRemembering, lasting } from "./lasting.ts";
import { markedBy } from "./marks.ts";
import { asJson, inserting } from "./rows.ts";
import { asOne, type Build, type BuiltStatement, written } from "./writes.ts";

/*
 * What a transaction writes and nobody asks for before its end is kept while it lasts: its events, what is only added, and changes of
 * rows that it holds. With its marks that is one statement before the COMMIT. Whoever asks for one of these tables in between, or
 * begins a part that may fail by itself, has what was kept written first.
 */

export type NewRow = typeof timeline.$inferInsert;

/** How rows are added to the timeline: said by the one who writes it. */
type BuildEvents = Build<{ readonly json: string }>;

/** A write that can wait. */
export interface Later {
  readonly table: string;
  /** The row: its changes come together, and with itself where it is new. Null: a new row that nobody changes. */
  readonly id: string | null;
  readonly isNew: boolean;
  /** Whether a statement must find it written. */
  readonly isAskedForBy: AsksFor;
  readonly values: object;
  readonly build: Build<object>;
}

interface Kept {
  send: Send;
  /** What is done when all of it is written, as the very last thing before the COMMIT. */
  readonly lastly: (() => Promise<void>)[];
  readonly told: NewRow[];
  adding: BuildEvents | null;
  later: Later[];
}

type Send = (write: BuiltStatement) => Promise<unknown>;

const unsent: Send = () => Promise.reject(new Error("a transaction that sends nothing"));

const kept = lasting((): Kept => ({ send: unsent, lastly: [], told: [], adding: null, later: [] }));

/** How this transaction sends what it keeps. */
export function sendKeptBy(tx: Db, send: Send): void {
  const keeping = kept(tx);
  if (keeping !== undefined) keeping.send = send;
}

/** Keeps rows of the timeline until the transaction ends, in their order. False outside of one: the caller writes them. */
export function keepTold(tx: Db, rows: readonly NewRow[], buildEvents: BuildEvents): boolean {
  const keeping = kept(tx);
  if (keeping === undefined) return false;
  keeping.told.push(...rows);
  keeping.adding = buildEvents;
  return true;
}

/**
 * Keeps a write until the transaction ends; of two changes of a row, what the later one says counts, and a new row is written as it is
 * after its changes. False outside of one.
 */
export function keepLater(tx: Db, later: Later): boolean {
  const keeping = kept(tx);
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
  return kept(tx)?.later ?? [];
}

/** Does this when everything of the transaction is written, however long that takes. Throws outside of a transaction. */
export function lastly(tx: Db, work: () => Promise<void>): void {
  const keeping = kept(tx);
  if (keeping === undefined) throw new Error("what comes last was asked for outside of a transaction");
  keeping.lastly.push(work);
}

/**
 * What was kept, with the marks, as one statement that the caller sends with the COMMIT; null when there is nothing, or when something
 * comes after it, and then it was sent. What the transaction remembers ends with it.
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

/** So many are written without waiting for the end: one statement takes 65,535 values. */
const mostKept = 500;

/** Whether so much is kept that it is written now (`writeKept`). */
export function isFull(tx: Db): boolean {
  return (kept(tx)?.later.length ?? 0) >= mostKept;
}

/** Writes what is kept so far. */
export async function writeKept(tx: Db): Promise<void> {
  const writes = take(tx);
  if (writes.length > 0) await kept(tx)?.send(asOne(writes));
}

/** What a statement of the transaction needs of what was kept: called before it is sent. */
export async function beforeStatement(tx: Db, text: string): Promise<void> {
  const keeping = kept(tx);
  if (keeping === undefined || (keeping.told.length === 0 && keeping.later.length === 0)) return;
  // What a part has written is taken back with it.
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
