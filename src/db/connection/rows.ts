import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { storable } from "../../core/text.ts";
import type { Db } from "./handle.ts";

/*
 * Rows are sent to the server as one parameter, a list in JSON. So the statement is the same for any number of rows, and is prepared
 * once.
 */

/** Rows as one JSON value. NUL and unpaired UTF-16 surrogates, which PostgreSQL does not accept in JSON, become U+FFFD. */
export function asJson(rows: readonly object[]): string {
  const json = JSON.stringify(rows);
  // JSON.stringify escapes both in this form. Other strings that contain it are rare, and are not harmed.
  if (!json.includes(String.raw`\ud`) && !json.includes(String.raw`\u0000`)) return json;
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? storable(value) : value));
}

/**
 * Returns a function that builds the insert of such rows. Columns that a row does not have are null; `columns` lists all columns that
 * any row may have. `onConflict`: what happens to a row that exists already. Without it the insert fails.
 */
export function inserting<Table extends PgTable>(
  table: Table,
  columns: readonly (keyof Table["_"]["columns"] & string)[],
  onConflict: SQL = sql``,
): (at: Db, values: { readonly json: string }) => PromiseLike<unknown> & { getSQL(): SQL } {
  const named = columns.map((name) => columnOf(table, name));
  const names = sql.join(
    named.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  const values = sql.join(
    columns.map((name) => sql`r.${sql.identifier(name)}`),
    sql`, `,
  );
  const types = Object.fromEntries(columns.map((name, index) => [name, named[index]?.getSQLType() ?? "text"]));
  return (at, { json }) =>
    at.execute(sql`insert into ${table} (${names}) select ${values} from ${rowsIn(json, types)}${onConflict}`);
}

/** The rows of such a list under the name `r`, with the types of their columns. */
export function rowsIn(json: string, types: Readonly<Record<string, string>>): SQL {
  const columns = Object.entries(types).map(([name, type]) => sql`${sql.identifier(name)} ${sql.raw(type)}`);
  return sql`json_to_recordset(${json}::json) as r (${sql.join(columns, sql`, `)})`;
}

function columnOf(table: PgTable, name: string): Column {
  const column = getTableColumns(table)[name];
  if (column === undefined) throw new Error(`there is no column ${name}`);
  return column;
}
