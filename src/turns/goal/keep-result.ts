import { basename, join } from "node:path";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Isolation } from "../../core/isolation/isolation.ts";
import type { Reach } from "../../core/isolation/network.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Variant } from "../../db/evidence.ts";
import type { Lease } from "../../db/leases.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { criterionRow } from "../shared/criterion-row.ts";
import { recordEvidence } from "../shared/evidence.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { assertSpace } from "../shared/space-claims.ts";

/** The circumstances of a result. */
interface ProvenAt {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly commit: string;
  /** The folder of its output, relative to the data directory. */
  readonly folder: string;
  readonly variant: Variant;
  /** True for a run without the tests that the work adds. */
  readonly isOfBase: boolean;
  readonly hash: string | null;
  readonly isolation: Isolation;
  readonly reach: Reach;
}

/** Keeps a result as evidence. Throws NoSpace when a lack of space caused it, because it proves nothing then. */
export async function keepProven(
  deps: Deps,
  { keeper, ...place }: ProvenAt & { readonly keeper: LeaseKeeper },
  result: CriterionResult,
): Promise<void> {
  // Another worker that has the goal now has ended our processes. Their end says nothing about the work.
  if ((await keeper.confirm()) === "lost") return;
  await assertSpace(deps, place.run, `${result.id}: ${result.by}`, result);
  await keepResult(deps, place, result);
}

/** Stores one result as evidence that the system observed itself. */
async function keepResult(deps: Deps, place: ProvenAt, result: CriterionResult): Promise<void> {
  const { goal, run, lease, commit, folder, variant, isOfBase, hash, isolation, reach } = place;
  const { goalId } = goal;
  const name = `${result.id}${variant}${isOfBase ? "@of-base" : ""}.${run.verifyRound}`;
  const { output } = result;
  const at = deps.now();
  const seen = criterionRow({ goalId, runId: run.runId, turn: lease.turn, commit, result, name, variant, hash, at });
  const row = {
    ...seen,
    exitCode: result.exitCode ?? null,
    outputFile: output === null ? null : join(folder, basename(output.file)),
    outputBytes: output?.bytes ?? null,
    sha256: output?.sha256 ?? null,
    detail: {
      ...seen.detail,
      round: run.verifyRound,
      ...(result.method === "bash" ? { isolation } : {}),
      ...(reach.type === "none" ? {} : { reach }),
    },
  };
  await deps.database.transaction(async (tx) => {
    await recordEvidence(tx, deps, row);
    // Progress: shown at once in the console, and in a chat at most every 15 s.
    mark(tx, "goal", goalId, "progress");
  });
}
