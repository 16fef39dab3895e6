import type pg from "pg";

interface Index {
  readonly name: string;
  readonly definition: string;
}

/**
 * Takes away the indexes of the schema `cos` that no constraint needs, and returns the statements that make them again as they
 * were: to sort a million entries once is faster than to find the place of each. Outside of a transaction, or a bot that looks
 * meanwhile would wait until it ends.
 */
export async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<Index>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'cos'::regnamespace and relkind = 'r'
       and not exists (select from pg_constraint where conindid = indexrelid)
     order by 1`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}
