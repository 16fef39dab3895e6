import { getTableName, is, SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { askedForBy } from "./asked-for.ts";
import type { Db } from "./handle.ts";
import { isFull, keepLater, keptOf, writeKept } from "./told.ts";
import type { Build } from "./writes.ts";

/** A write of one table that nobody asks for before its transaction ends. */
interface Write<Values extends object> {
  readonly table: PgTable;
  /** Of changes, the row's id: those of one row come together. Absent: a new row that nobody changes. */
  readonly id?: string;
  /** It adds the row that has this id. */
  readonly isNew?: boolean;
  readonly values: Values;
}

/**
 * Writes with the end of the transaction, or before a statement that must find it written; outside of a transaction at once. Of changes
 * the caller holds the row. What the statement throws, it throws when it is sent. `build` is the same function each time.
 */
export async function keepOrWrite<Values extends object>(
  tx: Db,
  { table, id, isNew = id === undefined, values }: Write<Values>,
  build: Build<Values>,
): Promise<void> {
  const name = getTableName(table);
  if (isFull(tx)) await writeKept(tx);
  const isKept = keepLater(tx, {
    table: name,
    id: id ?? null,
    isNew,
    isAskedForBy: askedForBy(name, isNew),
    values,
    // It gets these values, with those of later changes of the same row.
    build: build as Build<object>,
  });
  if (!isKept) await build(tx, values, id ?? "");
}

/**
 * Adds a row under a fresh id (`withFreshId`) with the end of the transaction, or before a statement that must find it. Where the id is
 * taken after all the transaction is run once more, with another one (`isIdTaken`). False when this transaction has taken it itself.
 */
export async function keepFresh<Values extends object>(
  tx: Db,
  write: Omit<Write<Values>, "id" | "isNew"> & { readonly id: string },
  build: Build<Values>,
): Promise<boolean> {
  const name = getTableName(write.table);
  if (keptOf(tx).some(({ table, id, isNew }) => isNew && table === name && id === write.id)) return false;
  await keepOrWrite(tx, { ...write, isNew: true }, build);
  return true;
}

/** What a transaction keeps of rows for its end, by the names of their tables. */
export interface KeptRows {
  /** The changed columns by the id of their row. */
  changes(table: string): ReadonlyMap<string, object>;
  /** New rows, with the columns that were given. */
  added<Row extends object>(table: string): readonly Row[];
  /** The row as it will be. Columns whose values only the database knows stay as they are. */
  over<Row extends object>(table: string, id: string, row: Row): Row;
}

/** What this transaction writes only at its end, so that reads can lay it over what the database has. */
export function keptRows(tx: Db): KeptRows {
  const all = keptOf(tx);
  const changes = (table: string): Map<string, object> =>
    new Map(
      all.flatMap((each) =>
        each.table === table && each.id !== null && !each.isNew ? [[each.id, each.values] as const] : [],
      ),
    );
  return {
    changes,
    added: <Row extends object>(table: string) =>
      all.flatMap((each) => (each.table === table && each.isNew ? [each.values as Row] : [])),
    over: (table, id, row) => ({ ...row, ...known(changes(table).get(id) ?? {}) }),
  };
}

function known(changes: object): object {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined && !is(value, SQL)));
}
