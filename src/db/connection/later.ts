import { getTableName, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { askedForBy } from "./asked-for.ts";
import type { Db } from "./handle.ts";
import { keepLater } from "./told.ts";

/** A statement of Drizzle: it is sent when it is awaited, or becomes a part of another one. */
type Statement = PromiseLike<unknown> & { getSQL(): SQL };

/** A write of one table that nobody asks for before its transaction ends. */
interface Write<Values extends object> {
  readonly table: PgTable;
  /** Of changes, the row's id: those of one row come together. Absent: rows of their own. */
  readonly id?: string;
  readonly values: Values;
}

/**
 * Writes with the end of the transaction, or before a statement that must find it written; outside of a transaction at once. Of changes
 * the caller holds the row. What the statement throws, it throws when it is sent.
 */
export async function keepOrWrite<Values extends object>(
  tx: Db,
  { table, id, values }: Write<Values>,
  build: (at: Db, values: Values) => Statement,
): Promise<void> {
  const name = getTableName(table);
  const isKept = keepLater(tx, {
    key: id === undefined ? null : `${name} ${id}`,
    isAskedForBy: askedForBy(name, id === undefined),
    values,
    // They are these values, with those of later changes of the same row.
    write: (at, merged) => build(at, merged as Values).getSQL(),
  });
  if (!isKept) await build(tx, values);
}
