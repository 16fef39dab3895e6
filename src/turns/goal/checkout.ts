import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Mirror } from "../../agent/git/mirror.ts";
import type { Place } from "../../agent/place/place.ts";
import { endWords } from "../../agent/process/end-words.ts";
import { runShell } from "../../agent/process/shell.ts";
import { coverageLeftIn } from "../../agent/verify/coverage.ts";
import { verifySpec } from "../../agent/verify/verify.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { folders } from "../../core/housekeeping/folders.ts";
import { reachesNothing } from "../../core/isolation/network.ts";
import { lastWords } from "../../core/text/last-words.ts";
import type { Variant } from "../../db/evidence.ts";
import type { Lease } from "../../db/leases.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { criterionHash } from "../../facts/criteria-status.ts";
import { verifyDirOf } from "../../paths.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { assertSpace } from "../shared/space-claims.ts";
import { ExaminationHeld, openExamination } from "./examination.ts";
import { keepProven } from "./keep-result.ts";

/** The work that is verified, with its lease. */
export interface WorkToVerify {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly mirror: Mirror;
  readonly repository: Repository;
  /** The current commit of the base branch, for runs that recorded none. */
  readonly tip: string;
}

export interface Checkout {
  readonly commit: string;
  /** The commit whose proof files replace those of `commit`. */
  readonly from: string;
  readonly overlay: readonly string[];
  /** Added settings files that are left out. */
  readonly absent: readonly string[];
  readonly criteria: readonly Criterion[];
  /** Distinguishes runs of the same criterion under different circumstances in the evidence. */
  readonly variant: Variant;
  /** True for a run without the tests that the work adds. Its output is kept beside that of the run with them. */
  readonly isOfBase?: boolean;
}

export type CheckoutRan =
  /** `inside`: the folder as the criteria saw it. `coverage`: of lines, from 0 to 1, if a report was left there. */
  | {
      readonly type: "ran";
      readonly results: readonly CriterionResult[];
      readonly inside: string;
      readonly coverage: number | null;
    }
  /** `setup`: the output of a setup that ran and failed. */
  | { readonly type: "failed"; readonly reason: string; readonly setup?: string };

/** Runs criteria in a new place with its own setup, and keeps each result when it arrives. Throws NoSpace and ExaminationHeld. */
export async function inCheckout(deps: Deps, work: WorkToVerify, checkout: Checkout): Promise<CheckoutRan> {
  if (checkout.criteria.length === 0) return { type: "ran", results: [], inside: "", coverage: null };
  return await inPlace(deps, work, checkout, async (place) => {
    const { mirror } = work;
    const { commit, variant } = checkout;
    // If downloads cannot be kept, they are downloaded again later.
    if (variant.startsWith("@base"))
      await place.keepDownloads().catch((error: unknown) => deps.log.warn("downloads.not-kept", { error }));
    const results = await runIn(deps, work, checkout, place);
    const isTracked = async (path: string): Promise<boolean> => (await deps.git.textAt(mirror, commit, path)) !== null;
    const coverage = variant === "" ? await coverageLeftIn(place.directory, isTracked) : null;
    return { type: "ran", results, inside: place.inside, coverage };
  });
}

/** True when setup succeeds in a new place. Throws NoSpace. */
export async function setsUp(deps: Deps, work: WorkToVerify, checkout: Checkout): Promise<boolean> {
  return (await inPlace(deps, work, checkout, () => Promise.resolve("ready" as const))) === "ready";
}

/** Opens a new place, runs setup in it, calls `use`, and removes it. */
async function inPlace<T>(
  deps: Deps,
  work: WorkToVerify,
  checkout: Checkout,
  use: (place: Place) => Promise<T>,
): Promise<T | Extract<CheckoutRan, { type: "failed" }>> {
  // Nothing is started when the lease may already belong to somebody else.
  if ((await work.keeper.confirm()) !== null) return { type: "failed", reason: "the round was cut short" };
  const { goal, run, mirror, repository } = work;
  const { commit, from, overlay, absent } = checkout;
  await deps.executor.endOwn(run.runId);
  const place = await deps.places.open({
    owner: goal.goalId,
    repository: repository.repositoryId,
    mirror,
    commit,
    overlay: { from, files: overlay, absent },
    refs: { [`refs/remotes/origin/${repository.baseBranch}`]: run.baseCommit ?? work.tip },
  });
  try {
    const unready = await setUp(deps, work, checkout, place);
    return unready ?? (await use(place));
  } finally {
    await deps.executor.endOwn(run.runId);
    await place.remove();
  }
}

/** The folder for a round's output, relative to the data directory. */
function folderOf({ run, lease }: WorkToVerify, { variant, isOfBase = false }: Checkout): string {
  return join(
    folders.output,
    run.runId,
    `${lease.turn}-verify${run.verifyRound}${variant}${isOfBase ? "-of-base" : ""}`,
  );
}

/** Runs setup in a place. Null when it succeeded or there is none, otherwise its failure. */
async function setUp(
  deps: Deps,
  work: WorkToVerify,
  checkout: Checkout,
  place: Place,
): Promise<Extract<CheckoutRan, { type: "failed" }> | null> {
  const { run, keeper, repository } = work;
  const { dataDir, secrets } = deps.config;
  if (repository.setup === null) return null;
  const outputFile = join(dataDir, `${folderOf(work, checkout)}-setup.txt`);
  await mkdir(dirname(outputFile), { recursive: true });
  const shell = await runShell({
    ...place.setup,
    command: repository.setup,
    runId: run.runId,
    secrets,
    timers: deps.timers,
    timeoutMs: deps.policy.goals.setupTimeoutMs,
    outputFile,
    signal: keeper.signal,
  });
  if (shell.end.type === "exited" && shell.end.exitCode === 0) return null;
  await assertSpace(deps, run, `setup of the clean checkout: ${repository.setup}`, shell);
  const printed = shell.output?.tail ?? "";
  const last = lastWords(printed);
  const how = endWords(shell.end);
  const reason = `setup of the clean checkout failed: ${repository.setup}: ${last === "" ? how : `${how}: ${last}`}`;
  const isOver = shell.end.type !== "cut" && shell.end.type !== "not-started";
  return { type: "failed", reason, ...(isOver ? { setup: printed } : {}) };
}

async function runIn(
  deps: Deps,
  work: WorkToVerify,
  checkout: Checkout,
  place: Place,
): Promise<readonly CriterionResult[]> {
  const { goal, run, lease, keeper, mirror, repository } = work;
  const { commit, from, overlay, absent, criteria, variant, isOfBase = false } = checkout;
  const { dataDir, secrets } = deps.config;
  const folder = folderOf(work, checkout);
  const { isolation } = place;
  const examination = await openExamination(deps, { goal, run, lease, keeper, repository }, criteria);
  await keeper.confirm();
  let copies = 0;
  const kept: Promise<void>[] = [];
  const troubles: unknown[] = [];
  const results = await verifySpec(
    { criteria, agents: {} },
    {
      inside: place.criteria,
      copy: async () => {
        copies += 1;
        const worktreeDir = `${verifyDirOf(dataDir, goal.goalId)}-examine-${copies}`;
        await deps.git.prepareCheckout({ mirror, worktreeDir, commit, overlay: { from, files: overlay, absent } });
        const outputFile = join(dataDir, folder, "examination.txt");
        const room = await deps.places.room({ worktree: worktreeDir, mirror, runId: run.runId, outputFile });
        return {
          directory: worktreeDir,
          enclosure: room.enclosure,
          async remove() {
            await room.close();
            await deps.git.removeWorktree({ mirror, worktreeDir });
          },
        };
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
        if (keeper.signal.aborted || examination.held.has(result.id)) return;
        const criterion = criteria.find((each) => each.id === result.id);
        deps.tracing.over(
          "criterion",
          {
            goal: goal.goalId,
            run: run.runId,
            turn: lease.turn,
            criterion: result.id,
            variant: variant === "" ? null : variant,
            method: result.method,
            outcome: result.status,
            exit_code: result.exitCode ?? null,
          },
          result.durationMs,
        );
        const hash = criterion === undefined ? null : criterionHash(criterion);
        const reach =
          (criterion?.verification.method === "bash" ? criterion.verification.network : null) ?? reachesNothing;
        const place = { goal, run, lease, keeper, commit, folder, variant, isOfBase, hash, isolation, reach };
        const keeping = keepProven(deps, place, result);
        kept.push(keeping.catch((error: unknown) => void troubles.push(error)));
      },
    },
  );
  await Promise.all(kept);
  await examination.settle();
  if (troubles.length > 0) throw troubles[0];
  const [end] = examination.held.values();
  if (end !== undefined && !keeper.signal.aborted) throw new ExaminationHeld(end);
  return results;
}
