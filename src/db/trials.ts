import { and, asc, eq } from "drizzle-orm";
import type { TestReport } from "../core/trials/report.ts";
import type { Db } from "./connection/client.ts";
import { trialResults } from "./schema/index.ts";

/** What the result of a trial is valid for: the content of the tree, the command, and where it ran. */
export interface TrialKey {
  readonly repositoryId: string;
  readonly tree: string;
  readonly hash: string;
  readonly environment: string;
}

export interface KeptTrial {
  readonly result: "pass" | "fail";
  readonly report: TestReport | null;
  readonly fingerprint: string;
  readonly durationMs: number;
}

/** Stores the result of a trial with its key. */
export async function insertTrialResult(
  db: Db,
  row: TrialKey & KeptTrial & { readonly runId: string; readonly at: Date },
): Promise<void> {
  await db.insert(trialResults).values(row);
}

/** The stored results for exactly this key, oldest first. */
export async function trialResultsAt(db: Db, key: TrialKey): Promise<KeptTrial[]> {
  const { result, report, fingerprint, durationMs } = trialResults;
  return await db
    .select({ result, report, fingerprint, durationMs })
    .from(trialResults)
    .where(
      and(
        eq(trialResults.repositoryId, key.repositoryId),
        eq(trialResults.tree, key.tree),
        eq(trialResults.hash, key.hash),
        eq(trialResults.environment, key.environment),
      ),
    )
    .orderBy(asc(trialResults.trialResultId));
}
