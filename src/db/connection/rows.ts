import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { storable } from "../../core/text.ts";
import type { Db } from "./handle.ts";

/*
 * Rows go to the server as one parameter, a list in JSON: so the statement is the same however many they are, and is prepared once.
 */

/** Rows as one value. NUL and halves of pairs of UTF-16, which PostgreSQL does not take in JSON, become U+FFFD. */
export function asJson(rows: readonly object[]): string {
  const json = JSON.stringify(rows);
  // So they are written; few other texts hold that, and those come to no harm.
  if (!json.includes(String.raw`\ud`) && !json.includes(String.raw`\u0000`)) return json;
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? storable(value) : value));
}

/**
 * What builds the insert of such rows. What a row does not say is null; `columns` are those that any of them says. `onConflict`: what
 * becomes of a row that is there already; absent: that fails.
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
