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
  const session = new NodePgSession({ query } as unknown as pg.Pool, dialect, undefined);
  return new NodePgDatabase(dialect, session, undefined);
}
