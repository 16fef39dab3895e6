import { and, asc, eq, sql } from "drizzle-orm";
import type { BaseResult } from "../core/acceptance/base-results.ts";
import type { Db } from "./connection/client.ts";
import { baseResults } from "./schema/index.ts";

/** Stores the result of a criterion on the base. */
export async function insertBaseResult(db: Db, row: typeof baseResults.$inferInsert): Promise<void> {
  await db.insert(baseResults).values(row);
}

/** Known results of a repository's checks at a commit in an environment, oldest first. `hash` identifies the check. */
export async function baseResultsAt(
  db: Db,
  place: { readonly repositoryId: string; readonly commit: string; readonly environment: string },
): Promise<readonly (BaseResult & { readonly hash: string })[]> {
  const { repositoryId, commit, environment } = place;
  return await db
    .select({ hash: baseResults.hash, result: baseResults.result, fingerprint: baseResults.fingerprint })
    .from(baseResults)
    .where(
      and(
        eq(baseResults.repositoryId, repositoryId),
        eq(baseResults.commit, commit),
        eq(baseResults.environment, environment),
      ),
    )
    .orderBy(asc(baseResults.baseResultId));
}

/** Deletes old results of bases and trials. Whoever needs one again runs the check again. */
export async function forgetKeptResults(db: Db, before: Date): Promise<void> {
  const then = before.toISOString();
  await db.execute(sql`
    with trials as (delete from cos.trial_results where at < ${then}::timestamptz)
    delete from cos.base_results where at < ${then}::timestamptz`);
}
