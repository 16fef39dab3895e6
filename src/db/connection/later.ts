import { getTableName, is, SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { askedForBy } from "./asked-for.ts";
import type { Db } from "./handle.ts";
import { isFull, keepLater, keptOf, writeKept } from "./told.ts";
import type { Build } from "./writes.ts";

/** A write of one table that no other statement needs before its transaction ends. */
interface Write<Values extends object> {
  readonly table: PgTable;
  /** For changes: the row's id. Changes of the same row are merged. Absent for a new row that is not changed later. */
  readonly id?: string;
  /** True when the write adds the row with this id. */
  readonly isNew?: boolean;
  readonly values: Values;
}

/**
 * Writes at the end of the transaction, or before a statement that needs the write. Outside of a transaction it writes at once. For a
 * change, the caller holds the row. An error of the statement is thrown when it is sent. `build` must be the same function each time.
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
    // Called with these values, merged with later changes of the same row.
    build: build as Build<object>,
  });
  if (!isKept) await build(tx, values, id ?? "");
}

/**
 * Adds a row under a fresh id (`withFreshId`) at the end of the transaction, or before a statement that needs it. When the id turns out
 * to be taken, the transaction runs again with another one (`isIdTaken`). False when this transaction itself has already used the id.
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

/** The row writes that a transaction keeps for its end, by table name. */
export interface KeptRows {
  /** The changed columns by row id. */
  changes(table: string): ReadonlyMap<string, object>;
  /** New rows, with the columns that were given. */
  added<Row extends object>(table: string): readonly Row[];
  /** The row with its kept changes. Columns whose values only the database knows stay unchanged. */
  over<Row extends object>(table: string, id: string, row: Row): Row;
}

/** The writes that this transaction keeps for its end, so that they can be applied to rows that were read. */
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
