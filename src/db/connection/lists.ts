import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/** A list of strings as one parameter, so that the statement's text is the same for every length. */
export function textArray(texts: readonly string[]): SQL {
  return sql`${sql.param([...texts])}::text[]`;
}

/** Matches when a column equals one of these strings. */
export function isAnyOf(column: AnyColumn, texts: readonly string[]): SQL {
  return sql`${column} = any(${textArray(texts)})`;
}
