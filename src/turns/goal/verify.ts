import { GitError } from "../../agent/git/git.ts";
import { failingCriteria } from "../../core/acceptance/after-verify.ts";
import { holdsBothWays } from "../../core/acceptance/contract.ts";
import { contractOf } from "../../core/acceptance/goal-contract.ts";
import { settledByExamination } from "../../core/acceptance/examined-again.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { resultsAt } from "../../db/evidence.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { readWorked } from "../../facts/worked.ts";
import { pinBase } from "../shared/base.ts";
import { heldFailure, tellFailure } from "./held.ts";
import { failingAtBase } from "./base-results.ts";
import type { WorkToVerify } from "./checkout.ts";
import { ExaminationHeld } from "./examination.ts";
import { frozenFiles } from "./frozen-files.ts";
import { inWork } from "./in-work.ts";
import { goOn } from "./go-on.ts";
import type { StepResult } from "../shared/in-turn.ts";
import { keepPhase, type LeaseKeeper } from "../shared/lease-keeper.ts";
import { withoutWork } from "./recorded-work.ts";
import { recordRound } from "./record-round.ts";
import type { Round, VerifiedRound } from "./round.ts";
import { criterionHash } from "../../facts/criteria-status.ts";
import { forgeResults } from "./forge-results.ts";
import { withoutOwnTests } from "./own-tests.ts";
import { tryProofs } from "./trials.ts";

/**
 * The phase that proves or disproves the claimed work: runs all criteria of the goal and all checks of its repository in a clean checkout of
 * the recorded commit, with the base's proof files (D25, D26). Results are kept when they arrive, so that a crash loses only running ones.
 */
export async function verifyTurn(deps: Deps, turn: LeaseKeeper): Promise<StepResult> {
  const { lease } = turn;
  const { goal, run, repository } = await readWorked(deps.database.db, lease.goalId);
  const keeper = keepPhase(turn);
  // Ends processes and removes files of a killed or suspended worker. The lease is ours.
  await deps.executor.endRun(run.runId);
  await deps.places.clear(goal.goalId);
  try {
    const base = await pinBase(deps, goal.repositoryId, repository);
    if (base.type === "pinned" && asksAgent(deps, goal, base.repository)) {
      const over = await goOn(deps, keeper, { reserves: false });
      if (over !== null) return over;
    }
    const round =
      base.type === "failed"
        ? ({ type: "failed", reason: base.reason } as const)
        : await triedRound(deps, {
            goal,
            run,
            lease,
            keeper,
            mirror: base.mirror,
            repository: base.repository,
            tip: base.commit,
          });
    const without = round.type === "failed" ? await withoutWork(deps, keeper, { goal, run }) : null;
    if (without !== null) return without;
    return await recordRound(deps, { goal, run, keeper, round: cutRound(keeper) ?? round });
  } catch (error) {
    if (error instanceof ExaminationHeld)
      return await tellFailure(deps, { keeper, run }, error.end, heldFailure(error.end));
    if (!(error instanceof GitError)) throw error;
    const without = await withoutWork(deps, keeper, { goal, run });
    if (without !== null) return without;
    const failed = { type: "failed", reason: error.message } as const;
    return await recordRound(deps, { goal, run, keeper, round: cutRound(keeper) ?? failed });
  }
}

/** Null unless the round was interrupted. An interrupted round counts as such, whatever its results or git's errors. */
function cutRound(keeper: LeaseKeeper): Extract<Round, { type: "cut" }> | null {
  const why = keeper.cutReason();
  return why === null ? null : { type: "cut", why };
}

/** True when an agent examines a criterion, which costs money. Commands do not. */
function asksAgent(deps: Pick<Deps, "config">, goal: Goal, repository: Repository): boolean {
  if ((repository.agent ?? deps.config.agent) === null) return false;
  return contractOf(goal.criteria, [], 1).criteria.some(({ verification }) => verification.method === "subagent");
}

/** Runs a round, and the trials of its proof if it would pass (D38). */
async function triedRound(deps: Deps, work: WorkToVerify): Promise<Round> {
  const round = await roundOf(deps, work);
  if (round.type !== "verified" || work.keeper.signal.aborted) return round;
  const isOpen = failingCriteria(round.results).some((id) => !round.passAsCommitted.includes(id));
  if (isOpen) return round;
  const { commit, criteria, results, touched: frozen } = round;
  const baseCommit = work.run.baseCommit ?? work.tip;
  const trials = await tryProofs(deps, work, { commit, baseCommit, frozen, criteria, results });
  return { ...round, trials };
}

async function roundOf(deps: Deps, work: WorkToVerify): Promise<Round> {
  const { goal, run, mirror, repository, keeper } = work;
  const baseCommit = run.baseCommit ?? work.tip;
  const commit = run.headCommit ?? baseCommit;
  const { criteria, checks } = contractOf(
    goal.criteria,
    repository.checks,
    deps.policy.verification.checkTimeoutSeconds,
    repository.checkNetwork,
  );
  const all = [...criteria, ...checks];
  const contract = await frozenFiles(deps, { goal, mirror, baseCommit, commit, criteria: all });
  if (contract.type === "failed") return contract;
  const { changed: files, overlay, absent } = contract;
  const touched = [...overlay, ...absent];

  const kept = await resultsAt(deps.database.db, run.runId, commit);
  const there = await forgeResults(deps, work, { commit, criteria: all });
  const { checksAgain } = deps.policy.tasks;
  const earlier = (criterion: Criterion): CriterionResult[] =>
    kept.flatMap(({ result, hash }) =>
      result.id === criterion.id && hash === criterionHash(criterion) ? [result] : [],
    );
  const known = all.flatMap((criterion) => {
    const atForge = there.find(({ id }) => id === criterion.id);
    return atForge ?? settledByExamination(earlier(criterion), checksAgain) ?? [];
  });
  const left = all.filter((criterion) => !known.some((result) => result.id === criterion.id));
  const found = await inWork(deps, work, {
    commit,
    from: baseCommit,
    overlay,
    absent,
    criteria: left,
    variant: "",
  });
  if (found.type === "failed") return found;
  const cut = cutRound(keeper);
  if (cut !== null) return cut;
  const settled = left.flatMap((criterion) => {
    const result = found.results.find(({ id }) => id === criterion.id);
    return result === undefined ? [] : (settledByExamination([...earlier(criterion), result], checksAgain) ?? []);
  });
  const unjudged = found.results.filter(({ id }) => !settled.some((result) => result.id === id));
  const seen = [...known, ...settled, ...unjudged];
  const frozen = all.flatMap((criterion) => seen.find((result) => result.id === criterion.id) ?? []);

  const mayBeExcused = (result: CriterionResult): boolean => result.status === "fail" && result.brokenSetup !== true;
  const failingChecks = checks.filter(({ id }) => frozen.some((result) => result.id === id && mayBeExcused(result)));
  const blamed = excused(frozen, await failingAtBase(deps, work, { baseCommit, checks: failingChecks }));
  const round = {
    type: "verified",
    commit,
    criteria: all,
    results: blamed,
    passAsCommitted: [],
    touched,
    proofDiff: null,
    files,
    coverage: found.coverage,
    hasSetup: repository.setup !== null,
    trials: [],
  } as const;
  const judged = unlessUnjudged(round, unjudged);
  if (touched.length === 0 || judged.type === "unjudged") return judged;
  const committed = await asCommitted(deps, work, round);
  if (committed.type !== "verified" || cutRound(keeper) !== null) return committed;
  const whole = await withoutOwnTests(deps, work, committed, { baseCommit, overlay, absent });
  const held = unlessUnjudged(whole, unjudged);
  if (held.type !== "verified" || held.passAsCommitted.length === 0) return held;
  return { ...held, proofDiff: await shownDiff(deps, mirror, [baseCommit, commit], touched) };
}

/** Repeats examinations without a verdict, unless another criterion fails: the work changes then anyway. */
function unlessUnjudged(round: Round, unjudged: readonly CriterionResult[]): Round {
  if (round.type !== "verified" || unjudged.length === 0) return round;
  const { results, passAsCommitted } = round;
  const fails = results.some(
    ({ id, status, asks }) => status === "fail" && asks == null && !passAsCommitted.includes(id),
  );
  return fails ? round : { type: "unjudged", results: unjudged };
}

/** After changed proof files: the work must pass with the old proof, and as it would be merged. */
async function asCommitted(deps: Deps, work: WorkToVerify, round: VerifiedRound): Promise<Round> {
  const { commit, criteria } = round;
  const baseCommit = work.run.baseCommit ?? work.tip;
  const committed = await inWork(deps, work, {
    commit,
    from: baseCommit,
    overlay: [],
    absent: [],
    criteria: criteria.filter(({ verification }) => verification.method === "bash"),
    variant: "@committed",
  });
  if (committed.type === "failed") return committed;
  const { results, passAsCommitted } = holdsBothWays(round.results, committed.results);
  return { ...round, results, passAsCommitted };
}

/** Maximum size of the changed proof's diff on a card, in bytes (F-207). */
const longestProofDiff = 6_000;

async function shownDiff(
  { git, config }: Pick<Deps, "git" | "config">,
  mirror: WorkToVerify["mirror"],
  [from, to]: readonly [string, string],
  paths: readonly string[],
): Promise<string> {
  const { text, isWhole } = await git.diffText(mirror, from, to, {
    maxBytes: longestProofDiff,
    secrets: config.secrets,
    paths,
  });
  return isWhole ? text : `${text}\n…`;
}

/** Marks checks that fail at the base too: they are reported, and the work is not blamed (D25, AC-29). */
function excused(frozen: readonly CriterionResult[], failing: ReadonlySet<string>): readonly CriterionResult[] {
  return frozen.map((result) =>
    failing.has(result.id)
      ? {
          ...result,
          status: "not-checked",
          details: [`${result.by} failed before the work began: not blamed on it`, ...result.details],
        }
      : result,
  );
}
