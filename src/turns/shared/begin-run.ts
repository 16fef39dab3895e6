import { approvedContent, type Goal, type SettledTrigger } from "../../core/goals/goal.ts";
import type { StandsOn } from "../../core/goals/ground.ts";
import { type Db, readTogether, withFreshId } from "../../db/connection/client.ts";
import { insertRun, lastWorkOf, type Run } from "../../db/runs.ts";
import { type Deps, type Doors, sha256 } from "../../deps.ts";
import { settledByContract } from "../../facts/night-contract.ts";

/** Where a run begins. Absent fields are taken from an earlier run of the goal (D23). */
export interface RunStart {
  /** Null: the commit of the base branch when the work begins. */
  readonly baseCommit: string | null;
  readonly headCommit?: string | null;
  /** The goals that this one builds on and whose work is contained in these commits (D37). */
  readonly standsOn?: readonly StandsOn[];
  /** Triggers that a person settled earlier and whose content has not changed (D14). */
  readonly settled?: readonly SettledTrigger[];
  readonly approvedBy?: string | null;
  /** Triggers that the night's contract settles. Absent: they are read. */
  readonly byContract?: readonly SettledTrigger[];
  /** The goal's last run that recorded a commit, for absent fields. Absent: it is read. */
  readonly recorded?: Pick<Run, "headCommit" | "standsOn"> | null;
}

/**
 * Opens a run of a goal. Approvals belong to it (D3). It starts at `baseCommit` (D14), or continues from the commit that an earlier run
 * of the goal recorded (D23). Returns its id.
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

/** Returns the hash of the content to which an approval is bound (D14). */
export function contentHashOf(goal: Parameters<typeof approvedContent>[0]): string {
  return sha256(approvedContent(goal));
}
