import { sql } from "drizzle-orm";
import type { Database, Db } from "./client.ts";
import { forgetLocked } from "./looks.ts";
import { wholeMs } from "./transaction.ts";

/**
 * Returns a Database that works inside one open transaction. Its statements belong to that transaction, and each `transaction` is a
 * part (savepoint) that can fail by itself. Parts must not overlap. Marks made in a part stay, also when it fails.
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
        // When the connection is lost there is nothing to roll back.
        await tx.execute(sql`rollback to savepoint part`).catch(() => undefined);
        forgetLocked(tx);
        throw error;
      }
    },
  };
}

/** Limits statements until the end of the transaction, unless the part fails. */
async function limitStatements(tx: Db, ms: number): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(wholeMs(ms))}, true)`);
}
