import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type * as schema from "../schema/index.ts";

/** The database, or a transaction on it: whoever needs atomicity passes a transaction. */
export type Db = Pick<
  NodePgDatabase<typeof schema>,
  "select" | "selectDistinct" | "insert" | "update" | "delete" | "execute" | "query" | "$with" | "with"
>;
