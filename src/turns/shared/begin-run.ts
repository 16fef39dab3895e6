import { approvedContent, type Goal, type SettledTrigger } from "../../core/goals/goal.ts";
import type { StandsOn } from "../../core/goals/ground.ts";
import { type Db, readTogether, withFreshId } from "../../db/connection/client.ts";
import { insertRun, lastWorkOf, type Run } from "../../db/runs.ts";
import { type Deps, type Doors, sha256 } from "../../deps.ts";
import { settledByContract } from "../../facts/night-contract.ts";

/** Where a run begins. What is left away is as an earlier run of the goal left it (D23). */
export interface RunStart {
  /** Null: the base branch, wherever it stands when the work begins. */
  readonly baseCommit: string | null;
  readonly headCommit?: string | null;
  /** What the two hold, of the goals that this one is on top of (D37). */
  readonly standsOn?: readonly StandsOn[];
  /** What a person settled before, where nothing that it was about has changed (D14). */
  readonly settled?: readonly SettledTrigger[];
  readonly approvedBy?: string | null;
  /** What its night's contract settles; read where it is left away. */
  readonly byContract?: readonly SettledTrigger[];
  /** The goal's last run that recorded a commit, for what is left away; read where it is not known. */
  readonly recorded?: Pick<Run, "headCommit" | "standsOn"> | null;
}

/**
 * Opens a run of a goal: approvals belong to it (D3). It starts at this commit of the base (D14), or goes on from what
 * an earlier run of the goal recorded (D23). Returns its id.
 */
export async function beginRun(
  tx: Db,
  deps: Doors & Pick<Deps, "newId">,
  goal: Goal,
  start: RunStart,
): Promise<string> {
  const contentHash = contentHashOf(goal);
  const { recorded } = start;
  const [work, byContract] = await readTogether(tx, (reads) =>
    Promise.all([
      start.headCommit !== undefined ? null : recorded === undefined ? lastWorkOf(reads, goal.goalId) : recorded,
      start.byContract ?? settledByContract(reads, deps, goal, contentHash),
    ]),
  );
  const headCommit = start.headCommit === undefined ? (work?.headCommit ?? null) : start.headCommit;
  const settled = [...(start.settled ?? []), ...byContract];
  return await withFreshId(
    () => deps.newId("run"),
    (runId) =>
      insertRun(tx, {
        runId,
        goalId: goal.goalId,
        status: "open",
        contentHash,
        settled,
        approvedBy: start.approvedBy ?? null,
        baseCommit: start.baseCommit,
        headCommit,
        standsOn: [...(start.standsOn ?? work?.standsOn ?? [])],
        startedAt: deps.now(),
      }),
  );
}

/** What an approval is bound to, hashed (D14). */
export function contentHashOf(goal: Parameters<typeof approvedContent>[0]): string {
  return sha256(approvedContent(goal));
}
