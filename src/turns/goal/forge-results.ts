import { asksForge, type Criterion } from "../../core/acceptance/spec.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import { requiredResult } from "../../core/forges/required.ts";
import { readLocation } from "../../core/remotes/location.ts";
import { insertForgeEvidence } from "../shared/forge-evidence.ts";
import { getPull } from "../../db/pulls.ts";
import type { Deps } from "../../deps.ts";
import type { WorkToVerify } from "./checkout.ts";

/**
 * Results of the criteria that a forge checks (`ci: required checks`), as last read for the pull request's commit. A worker never asks a
 * forge itself. A missing result does not keep a goal from being complete, but it is not verified.
 */
export async function forgeResults(
  deps: Pick<Deps, "database" | "now">,
  { goal, run, lease, repository }: Pick<WorkToVerify, "goal" | "run" | "lease" | "repository">,
  { commit, criteria }: { readonly commit: string; readonly criteria: readonly Criterion[] },
): Promise<readonly CriterionResult[]> {
  const there = criteria.filter((each) => asksForge([each]));
  if (there.length === 0) return [];
  const pull = await getPull(deps.database.db, goal.goalId);
  const never = neverChecked(repository.location, commit === run.baseCommit);
  const found =
    never === null
      ? requiredResult(pull?.checks ?? null, commit)
      : ({ status: "not-checked", details: [never], asks: never } as const);
  const results = there.map(({ id, slug }): CriterionResult => {
    const by = "the required checks of its pull request";
    return { ...found, id, slug, method: "ci", by, durationMs: 0, output: null };
  });
  await deps.database.transaction(async (tx) => {
    for (const [index, criterion] of there.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      const mark = `${run.verifyRound}`;
      await insertForgeEvidence(tx, {
        goal,
        runId: run.runId,
        turn: lease.turn,
        commit,
        criterion,
        result,
        mark,
        at: deps.now(),
      });
    }
  });
  return results;
}

/** Why no forge will ever check it. Null when one may. */
function neverChecked(location: string, isUnchanged: boolean): string | null {
  if (readLocation(location).type !== "url") return "its repository is a folder of this machine: no forge checks it";
  return isUnchanged ? "nothing was changed, so that it has no pull request whose checks could pass" : null;
}
