import { GitError } from "../../agent/git/git.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { ofGoal } from "../../core/events/write.ts";
import { getRun, updateRun, workOf } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { recordTurn } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import type { Worked } from "../../facts/worked.ts";
import { mirrorDirOf } from "../../paths.ts";
import { pinBase } from "../shared/base.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { fetchWork } from "../shared/shared-work.ts";
import { beginTasksAnew } from "../shared/tasks-anew.ts";
import { asAsked } from "./cut.ts";
import { ensureCommit } from "./ground.ts";
import { handBack } from "./hand-back.ts";

/**
 * Recorded work may be on another machine, or on a lost disk. It is searched here, at the remote and in the store. If it is nowhere, the
 * goal begins again from its base, because the machine failed and not the work.
 */

/** How long a goal waits for an unreachable store, in milliseconds. */
const storeAwayMs = 30_000;

/** Fetches recorded work before the first phase of a turn. Null when the work is here now. */
export async function bringRecordedWork(deps: Deps, keeper: LeaseKeeper, worked: Worked): Promise<StepResult | null> {
  const { goal, run, repository } = worked;
  if (run.headCommit === null || (await isHere(deps, goal.repositoryId, run.headCommit))) return null;
  const base = await pinBase(deps, goal.repositoryId, repository);
  // If no other machine could do better, the phase itself reports the problem.
  if (base.type === "failed") return base.lack === null ? null : await handBack(deps, keeper, base.lack);
  const { mirror } = base;
  const { goalId } = goal;
  if (await ensureCommit({ git: deps.git, mirror }, goalId, run.headCommit)) return null;
  // Work that a merge queue put on another tip for this run was shared by the run before it.
  for (const { runId } of (await workOf(deps.database.db, goalId)).slice(0, 2)) {
    const fetched = await fetchWork(deps, { goalId, runId, mirror });
    if (typeof fetched === "object") return await waitForStore(deps, keeper, fetched.away);
    if (fetched === "brought" && (await deps.git.hasCommit(mirror, run.headCommit))) return null;
  }
  return await beginWithoutWork(deps, keeper, run.headCommit);
}

/**
 * After git refused something in a phase: if the work has disappeared from this machine, the goal begins again. Null when the work is here,
 * and the refusal has another reason.
 */
export async function withoutWork(
  deps: Deps,
  keeper: LeaseKeeper,
  { goal, run }: Pick<Worked, "goal" | "run">,
): Promise<StepResult | null> {
  if (run.headCommit === null || (await isHere(deps, goal.repositoryId, run.headCommit))) return null;
  return await beginWithoutWork(deps, keeper, run.headCommit);
}

async function isHere({ config, git }: Deps, repositoryId: string, commit: string): Promise<boolean> {
  try {
    const mirror = await git.findMirror(mirrorDirOf(config.dataDir, repositoryId));
    return mirror !== null && (await git.hasCommit(mirror, commit));
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** Lets the goal wait for the store. Its card says so, since a store that stays unreachable needs a person. */
export async function waitForStore(deps: Deps, keeper: LeaseKeeper, reason: string): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal });
    if (asked !== null) return asked;
    const now = deps.now();
    const at = new Date(now.getTime() + storeAwayMs);
    const outcome = `Waits for its work, which another machine has put into the store: ${reason}. Goes on by itself.`;
    await recordTurn(tx, { lease: keeper.lease, goal }, { type: "letsGo", at, outcome }, now);
    if (goal.outcome !== outcome) mark(tx, "goal", goal.goalId);
    return { type: "over", ringAfterMs: storeAwayMs };
  });
  return result ?? lost;
}

async function beginWithoutWork(deps: Deps, keeper: LeaseKeeper, commit: string): Promise<StepResult> {
  const { lease } = keeper;
  deps.log.warn("goal.work-lost", { goalId: lease.goalId, commit });
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const run = goal.runId === null ? null : await getRun(tx, goal.runId);
    if (run === null) throw new Error(`goal ${goal.goalId} goes on without a run`);
    const now = deps.now();
    await updateRun(tx, run.runId, { headCommit: null, loop: null, verifyRound: 0 });
    await beginTasksAnew(tx, goal.goalId, now);
    const about = ofGoal({ ...goal, runId: run.runId }, now);
    await appendTimeline(tx, { event: "goal.work-lost", ...about, detail: { commit } });
    const asked = await asAsked(tx, deps, keeper, { goal, run });
    if (asked !== null) return asked;
    await recordTurn(tx, { lease, goal }, { type: "goesOnAt", at: now, phase: "implement" }, now);
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}
