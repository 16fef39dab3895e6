import { join } from "node:path";
import type { Mirror } from "../../agent/git/mirror.ts";
import { isAsSetUp, rememberSetup, runSetup } from "../../agent/verify/setup.ts";
import { verifySpec } from "../../agent/verify/verify.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { insertEvidence, type Variant } from "../../db/evidence.ts";
import type { Lease } from "../../db/leases.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Run } from "../../db/runs.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { verifyDirOf } from "../../paths.ts";
import { openExamination } from "./examination.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { assertSpace } from "../shared/space-claims.ts";
import { criterionHash } from "../../facts/standing.ts";

/** What is verified, and by whom it is held meanwhile. */
export interface Verifying {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly mirror: Mirror;
  readonly repository: Repository;
  /** Where the base branch stands now, for runs that recorded none. */
  readonly tip: string;
}

export interface Checkout {
  readonly commit: string;
  /** Whose proof files are laid over it. */
  readonly from: string;
  readonly overlay: readonly string[];
  /** Added settings that are left out. */
  readonly absent: readonly string[];
  readonly criteria: readonly Criterion[];
  /** Tells the same criterion's different circumstances apart in evidence. */
  readonly variant: Variant;
  /**
   * Where: the goal's place of verification with what setup made there; the same if nothing of that was touched since,
   * else a new one; or a new one, with a setup of its own.
   */
  readonly place: "kept" | "untouched" | "new";
}

/** Runs criteria in a clean checkout with its own setup, and keeps each result as it comes. Throws NoSpace. */
export async function inCheckout(
  deps: Deps,
  { goal, run, lease, keeper, mirror, repository }: Verifying,
  { commit, from, overlay, absent, criteria, variant, place }: Checkout,
): Promise<{ type: "ran"; results: readonly CriterionResult[] } | { type: "failed"; reason: string }> {
  if (criteria.length === 0) return { type: "ran", results: [] };
  // Nothing is begun with a lease that may be somebody else's by now: he works in the same place.
  if ((await keeper.confirm()) !== null) return { type: "failed", reason: "the round was cut short" };
  const { dataDir, secrets } = deps.config;
  const directory = verifyDirOf(dataDir, goal.goalId);
  const folder = join("output", run.runId, `${lease.turn}-verify${run.verifyRound}${variant}`);
  await deps.executor.endRun(run.runId);
  const checkout = { mirror, worktreeDir: directory, commit, overlay: { from, files: overlay, absent } };
  if (place === "new") await deps.git.removeWorktree(checkout);
  await deps.git.prepareCheckout(checkout);
  const { setup: command } = repository;
  if (place === "untouched" && !(await isAsSetUp({ mirror, worktree: directory, command }))) {
    await deps.git.removeWorktree(checkout);
    await deps.git.prepareCheckout(checkout);
  }
  if (repository.setup !== null) {
    const outputFile = join(dataDir, `${folder}-setup.txt`);
    const shell = {
      command: repository.setup,
      runId: run.runId,
      environment: {},
      secrets,
      timers: deps.timers,
      timeoutMs: deps.policy.goals.setupTimeoutMs,
      outputFile,
      signal: keeper.signal,
    };
    const setup = await runSetup({ mirror, worktree: directory, shell });
    if (setup.type === "done") await rememberSetup({ mirror, worktree: directory });
    if (setup.type === "failed") {
      await assertSpace(deps, run, `setup of the clean checkout: ${repository.setup}`, setup.shell);
      const last = setup.shell.output?.tail.trim().split("\n").at(-1) ?? "";
      return { type: "failed", reason: `setup of the clean checkout failed: ${repository.setup}: ${last}` };
    }
  }
  const examination = await openExamination(deps, { goal, run, lease, keeper, repository }, criteria);
  await keeper.confirm();
  let copies = 0;
  const kept: Promise<void>[] = [];
  const troubles: unknown[] = [];
  const results = await verifySpec(
    { criteria, agents: {} },
    {
      directory,
      copy: async () => {
        copies += 1;
        const worktreeDir = `${directory}-examine-${copies}`;
        await deps.git.prepareCheckout({ mirror, worktreeDir, commit, overlay: { from, files: overlay, absent } });
        return { directory: worktreeDir, remove: () => deps.git.removeWorktree({ mirror, worktreeDir }) };
      },
      runId: run.runId,
      outputFolder: join(dataDir, folder),
      secrets,
      signal: keeper.signal,
      timers: deps.timers,
      parallel: deps.policy.verification.parallel,
      examiner: examination.examiner,
      whyUnexamined: examination.why,
      onResult(result) {
        if (keeper.signal.aborted) return;
        const criterion = criteria.find((each) => each.id === result.id);
        const hash = criterion === undefined ? null : criterionHash(criterion);
        const keeping = keepProven(deps, { goal, run, lease, commit, folder, variant, hash }, result);
        kept.push(keeping.catch((error: unknown) => void troubles.push(error)));
      },
    },
  );
  await Promise.all(kept);
  await examination.settle();
  if (troubles.length > 0) throw troubles[0];
  return { type: "ran", results };
}

/** Keeps a result, unless it came about for want of space: then it proves nothing, and NoSpace is thrown. */
async function keepProven(deps: Deps, place: Parameters<typeof keepResult>[1], result: CriterionResult): Promise<void> {
  await assertSpace(deps, place.run, `${result.id}: ${result.by}`, result);
  await keepResult(deps, place, result);
}

/** One result as evidence: a fact that the system saw itself. */
async function keepResult(
  deps: Deps,
  place: { goal: Goal; run: Run; lease: Lease; commit: string; folder: string; variant: string; hash: string | null },
  result: CriterionResult,
): Promise<void> {
  const { goal, run, lease, commit, variant } = place;
  const row = {
    goalId: goal.goalId,
    runId: run.runId,
    turn: lease.turn,
    kind: result.id.startsWith("CHECK-") ? "check" : "criterion",
    criterion: `${result.id}${variant}.${run.verifyRound}`,
    command: result.by,
    exitCode: null,
    commit,
    durationMs: result.durationMs,
    outputFile: result.output === null ? null : join(place.folder, `${result.id}.txt`),
    outputBytes: result.output?.bytes ?? null,
    sha256: result.output?.sha256 ?? null,
    tag: result.status === "pass" || result.status === "fail" ? "verified" : "not checked",
    detail: {
      id: result.id,
      slug: result.slug,
      status: result.status,
      method: result.method,
      details: result.details.slice(0, 20),
      round: run.verifyRound,
      variant,
      hash: place.hash,
    },
    at: deps.now(),
  } as const;
  await deps.database.transaction(async (tx) => {
    await insertEvidence(tx, row);
    // Progress: seen at once in the console, and in a chat at most every 15 s.
    mark(tx, "goal", goal.goalId, "progress");
  });
}
