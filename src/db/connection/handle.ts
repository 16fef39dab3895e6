import type { NodePgDatabase } from "drizzle-orm/node-postgres";

/** The database, or a transaction on it. A caller that needs atomicity passes a transaction. */
export type Db = Pick<
  NodePgDatabase,
  "select" | "selectDistinct" | "selectDistinctOn" | "insert" | "update" | "delete" | "execute" | "$with" | "with"
>;
