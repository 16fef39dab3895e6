import { sql } from "drizzle-orm";
import type { Database, Db } from "./client.ts";
import { forgetLocked } from "./looks.ts";
import { wholeMs } from "./transaction.ts";

/**
 * A database that is one open transaction: each of its statements is one of that, and what it calls a transaction is a part that can
 * fail by itself. Parts must not overlap; what they mark is marked, also when they fail.
 */
export function partOf(database: Database, tx: Db): Database {
  return {
    ...database,
    db: tx,
    async transaction(work, { statementMs } = {}) {
      await tx.execute(sql`savepoint part`);
      try {
        if (statementMs !== undefined) await limitStatements(tx, statementMs);
        const result = await work(tx);
        await tx.execute(sql`release savepoint part`);
        return result;
      } catch (error) {
        // Of a connection that is gone there is nothing to take back.
        await tx.execute(sql`rollback to savepoint part`).catch(() => undefined);
        forgetLocked(tx);
        throw error;
      }
    },
  };
}

/** From here on, to the end of the transaction, unless the part fails. */
async function limitStatements(tx: Db, ms: number): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(wholeMs(ms))}, true)`);
}
