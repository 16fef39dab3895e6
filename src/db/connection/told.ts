import { type SQL, sql } from "drizzle-orm";
import { marks, timeline } from "../schema/index.ts";
import type { Db } from "./handle.ts";
import { type NewMark, writeMarks } from "./marks.ts";

/*
 * What a transaction says of itself, its events and its marks, is kept while it lasts and written by one statement before its COMMIT.
 * Whoever asks for the timeline in between, or begins a part that may fail by itself, has what was kept written first.
 */

export type NewRow = typeof timeline.$inferInsert;

const kept = new WeakMap<Db, NewRow[]>();

/** Keeps rows of the timeline until the transaction ends, in their order. False outside of one: the caller writes them. */
export function keepTold(tx: Db, rows: readonly NewRow[]): boolean {
  const told = kept.get(tx);
  told?.push(...rows);
  return told !== undefined;
}

/** Does the work of a transaction; what it keeps is written by `writeTold`. */
export async function telling<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  kept.set(tx, []);
  try {
    return await work();
  } catch (error) {
    kept.delete(tx);
    throw error;
  }
}

/** Writes what was kept, and the marks, by one statement; none when there is nothing. Ends the keeping. */
export async function writeTold(tx: Db, marked: readonly NewMark[]): Promise<void> {
  const rows = take(tx);
  kept.delete(tx);
  if (rows.length === 0) return await writeMarks(tx, marked);
  if (marked.length === 0) return await write(tx, rows);
  await tx.execute(
    sql`with told as (${insertion(tx, rows)}) ${tx
      .insert(marks)
      .values([...marked])
      .getSQL()}`,
  );
}

/** What a statement of the transaction needs of what was kept: called before it is sent. */
export async function beforeStatement(tx: Db, text: string): Promise<void> {
  if ((kept.get(tx)?.length ?? 0) === 0) return;
  // What a part has said is taken back with it.
  if (/^\s*rollback to /i.test(text)) take(tx);
  else if (/^\s*savepoint |\b(timeline|open_branches)\b/i.test(text)) await write(tx, take(tx));
}

function take(tx: Db): readonly NewRow[] {
  return kept.get(tx)?.splice(0) ?? [];
}

async function write(tx: Db, rows: readonly NewRow[]): Promise<void> {
  await tx.insert(timeline).values([...rows]);
}

function insertion(tx: Db, rows: readonly NewRow[]): SQL {
  return tx
    .insert(timeline)
    .values([...rows])
    .getSQL();
}
