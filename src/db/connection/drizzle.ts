import { NodePgDatabase, NodePgSession } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { quickDialect } from "./dialect.ts";
import type { Ask } from "./together.ts";

export const dialect = quickDialect();

/**
 * Drizzle on what answers statements: it uses nothing else of a client. Without the schema, which only its relational queries need: it
 * would be read through for each handle.
 */
export function handleOn(query: Ask): NodePgDatabase {
  return new NodePgDatabase(dialect, sessionOn(query), undefined);
}

/** What Drizzle asks by. */
export function sessionOn(query: Ask): NodePgSession<Record<string, unknown>, Record<string, never>> {
  return new NodePgSession({ query } as unknown as pg.Pool, dialect, undefined);
}
