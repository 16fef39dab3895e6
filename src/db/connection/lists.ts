import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/** Texts as one parameter, however many: the statement stays the same, and short. */
export function textArray(texts: readonly string[]): SQL {
  return sql`${sql.param([...texts])}::text[]`;
}

/** Whether a column holds one of these texts. */
export function isAnyOf(column: AnyColumn, texts: readonly string[]): SQL {
  return sql`${column} = any(${textArray(texts)})`;
}
