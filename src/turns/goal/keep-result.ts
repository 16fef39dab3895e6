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

/** Where a result came about. */
interface ProvenAt {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly commit: string;
  /** Of its output, relative to the data directory. */
  readonly folder: string;
  readonly variant: Variant;
  /** Without the tests that the work adds. */
  readonly isOfBase: boolean;
  readonly hash: string | null;
  readonly isolation: Isolation;
  readonly reach: Reach;
}

/** Keeps a result, unless it came about for want of space: then it proves nothing, and NoSpace is thrown. */
export async function keepProven(
  deps: Deps,
  { keeper, ...place }: ProvenAt & { readonly keeper: LeaseKeeper },
  result: CriterionResult,
): Promise<void> {
  // Whoever has the goal by now has ended what this one started: how that ended is nothing that was seen of the work.
  if ((await keeper.confirm()) === "lost") return;
  await assertSpace(deps, place.run, `${result.id}: ${result.by}`, result);
  await keepResult(deps, place, result);
}

/** One result as evidence: a fact that the system saw itself. */
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
    // Progress: seen at once in the console, and in a chat at most every 15 s.
    mark(tx, "goal", goalId, "progress");
  });
}
