import { checkEnvironment } from "../../agent/verify/check-environment.ts";
import { type BaseResult, baseResultOf, judgeBase } from "../../core/acceptance/base-results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { baseResultsAt, insertBaseResult } from "../../db/base-results.ts";
import type { Deps } from "../../deps.ts";
import { inCheckout, type WorkToVerify } from "./checkout.ts";
import { criterionHash } from "../../facts/criteria-status.ts";

/**
 * Ids of the checks that fail at the base without the work. They are reported, but the work is not blamed for them (D25, AC-29). Results at
 * a base are kept by commit, command and environment, and reused. Unknown results are found by a run at the base, at most twice, each in a
 * new place. A failed setup or an interrupted run says nothing and is not kept (D38).
 */
export async function failingAtBase(
  deps: Deps,
  work: WorkToVerify,
  { baseCommit, checks }: { readonly baseCommit: string; readonly checks: readonly Criterion[] },
): Promise<ReadonlySet<string>> {
  if (checks.length === 0) return new Set();
  const { repository, mirror, keeper, run } = work;
  const { db } = deps.database;
  const { repositoryId, setup } = repository;
  const environment = await checkEnvironment({
    mirror,
    commit: baseCommit,
    setup,
    checks: repository.checks,
    isolation: (await deps.places.isolating()).isolation,
  });
  const key = { repositoryId, commit: baseCommit, environment };

  for (const variant of ["@base", "@base-again"] as const) {
    const open = await ofVerdict("unknown", checks, () => baseResultsAt(db, key));
    if (open.length === 0) break;
    const ran = await inCheckout(deps, work, {
      commit: baseCommit,
      from: baseCommit,
      overlay: [],
      absent: [],
      criteria: open,
      variant,
    });
    if (ran.type === "failed" || keeper.cutReason() !== null) break;
    for (const result of ran.results) {
      const check = open.find((each) => each.id === result.id);
      const kept = baseResultOf(result, ran.inside);
      if (check === undefined || kept === null) continue;
      const facts = { hash: criterionHash(check), command: check.title, runId: run.runId, at: deps.now() };
      await insertBaseResult(db, { ...key, ...kept, ...facts });
    }
  }
  const failing = await ofVerdict("fails", checks, () => baseResultsAt(db, key));
  return new Set(failing.map((check) => check.id));
}

async function ofVerdict(
  verdict: ReturnType<typeof judgeBase>,
  checks: readonly Criterion[],
  read: () => Promise<readonly (BaseResult & { readonly hash: string })[]>,
): Promise<readonly Criterion[]> {
  const kept = await read();
  return checks.filter((check) => judgeBase(kept.filter((each) => each.hash === criterionHash(check))) === verdict);
}
