import type pg from "pg";
import { openDatabaseClient } from "../../src/db/connection/connections.ts";
import { keepTotals } from "../history/totals.ts";

/** A column of the schema `cos`, as the catalogue has it. */
interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** The database makes its value. */
  readonly isNumbered: boolean;
}

/**
 * Copies everything that one finished goal has left so often, as goals of the same repository that were finished before it, two
 * minutes apart, each in a session of its own. Which tables and columns there are is asked of the catalogue. The connection
 * must be a superuser's: triggers are not asked, or delivery would look at each.
 */
export async function copyFinished(url: string, times: number): Promise<void> {
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: null });
  try {
    const ids = await idsOfFinished(client);
    await client.query("set session_replication_role = replica");
    await client.query("set synchronous_commit = off");
    for (const columns of await tables(client)) await copyTable(client, columns, ids, times);
    // What the triggers would have told.
    await client.query("insert into cos.tallies (about, number) values ('goal.complete', $1)", [times]);
    for (const statement of keepTotals) await client.query(statement);
    await client.query("vacuum analyze");
    // Else the first to be measured would pay for writing all of it to disk.
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

/** Of the goal, and of what belongs to it alone. */
async function idsOfFinished(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with goal as (select goal_id, session_id from cos.goals where status = 'complete' limit 1)
     select goal_id as id from goal union all select session_id from goal
     union all select run_id from cos.runs where goal_id in (select goal_id from goal)
     union all select checkpoint_id from cos.checkpoints where goal_id in (select goal_id from goal)`,
  );
  if (rows.length === 0) throw new Error("no goal is finished");
  return rows.map(({ id }) => id);
}

async function tables(client: pg.Client): Promise<Column[][]> {
  const { rows } = await client.query<Column>(
    `select quote_ident(table_name) as table, quote_ident(column_name) as name, data_type as type,
       coalesce(column_default like 'nextval%', false) as "isNumbered"
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'cos' and table_type = 'BASE TABLE' and is_generated = 'NEVER' order by table_name, ordinal_position`,
  );
  const byTable = new Map<string, Column[]>();
  for (const column of rows) byTable.set(column.table, [...(byTable.get(column.table) ?? []), column]);
  return [...byTable.values()].filter((columns) => columns.some(names));
}

/** Whether it holds an id of something that is copied. */
function names({ name, type }: Column): boolean {
  return type === "text" && name !== "repository_id" && (name.endsWith("_id") || name.endsWith("subject"));
}

async function copyTable(client: pg.Client, columns: readonly Column[], ids: string[], times: number): Promise<void> {
  const [first] = columns;
  const kept = columns.filter(({ isNumbered }) => !isNumbered);
  const values = kept.map((column) => valueOf(column));
  const mine = columns.filter(names).map(({ name }) => `${name} = any($1)`);
  await client.query(
    `insert into cos.${first?.table ?? ""} (${kept.map(({ name }) => name).join(", ")})
     select ${values.join(", ")} from cos.${first?.table ?? ""}, generate_series(1, $2::int) as copies (copy) where ${mine.join(" or ")}`,
    [ids, times],
  );
}

function valueOf(column: Column): string {
  const { name, type } = column;
  if (names(column))
    return `regexp_replace(${name}, '^(' || array_to_string($1::text[], '|') || ')', '\\1-' || copies.copy)`;
  if (type.startsWith("timestamp")) return `${name} - copies.copy * interval '2 minutes'`;
  return name;
}
