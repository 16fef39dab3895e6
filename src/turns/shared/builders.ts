import { lostness, parkedWords } from "../../core/cards/ground-words.ts";
import { endedStatuses, type Goal } from "../../core/goals/goal.ts";
import { type Ground, groundState } from "../../core/goals/ground.ts";
import { type Told, ofGoal } from "../../core/events/write.ts";
import type { Db } from "../../db/connection/client.ts";
import { getGoal, lockGoal } from "../../db/goals.ts";
import { buildersOf, groundsOf } from "../../db/grounds.ts";
import { lastMerge, moveMerge } from "../../db/merges.ts";
import { getRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { AskDeps } from "./ask-about.ts";
import { beginRun } from "./begin-run.ts";
import { keepPeoplesWords } from "./peoples-words.ts";
import { withdrawQuestion } from "./end-session.ts";
import { applyTransition } from "../../db/transitions.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";

/**
 * What happens to goals that build on another goal when that goal ends, is resumed or changes (D37). Each is locked after the goal that
 * it builds on. The caller holds the lock of the open session, if there is one (D9).
 */

/**
 * Parks the goals that build on a goal, and those that build on them, with the reason: it was skipped, failed, left to a person, discarded,
 * or parked because of such a goal. Complete goals were reopened before. Returns the ids of all parked goals.
 */
export async function parkBuilders(tx: Db, deps: Doors, goalId: string): Promise<string[]> {
  const ground = (await groundsOf(tx, [goalId])).get(goalId);
  if (ground === undefined) return [];
  const parked: string[] = [];
  for (const seen of await buildersOf(tx, goalId)) {
    const builder = await lockGoal(tx, seen.goalId);
    if (builder === null || builder.parkedFor !== null || endedStatuses.includes(builder.status)) continue;
    const wasAsked = await withdrawQuestion(tx, deps, builder.goalId);
    // A person parked it. It stays parked until they resume it, and is told the reason then.
    if (builder.status === "blocked" && !wasAsked && builder.leasedBy === null) continue;
    const how = lostness(ground);
    const outcome = parkedWords(ground, how, builder.goalId);
    const lost = { ground: goalId, outcome };
    const isAtWork = builder.leasedBy !== null;
    const transition = isAtWork
      ? ({ type: "isStopped", stop: "stop", ...lost } as const)
      : ({ type: "losesGround", ...lost } as const);
    await applyTransition(tx, builder, transition, { updatedAt: deps.now() });
    await tell(tx, deps, builder, { event: "goal.ground-lost", detail: { ground: goalId, how } });
    mark(tx, "goal", builder.goalId);
    parked.push(builder.goalId, ...(await parkBuilders(tx, deps, builder.goalId)));
  }
  return parked;
}

/** Another goal that this one builds on and that is lost too, or is itself parked because of a lost goal. Null when there is none. */
async function otherLost(tx: Db, builder: Goal, goalId: string): Promise<Ground | null> {
  const others = builder.after.filter((each) => each !== goalId);
  for (const ground of (await groundsOf(tx, others)).values()) {
    if (groundState(ground) === "lost") return ground;
    if (ground.status === "blocked" && (await getGoal(tx, ground.goalId))?.parkedFor !== null) return ground;
  }
  return null;
}

/**
 * After a lost goal is worked again: goals that were parked because of it wait for it again, in the session in which it is worked. Goals that
 * also build on another lost goal stay parked. Returns the ids of all goals that wait again.
 */
export async function releaseBuilders(
  tx: Db,
  deps: Doors,
  goalId: string,
  sessionId: string | null,
): Promise<string[]> {
  const released: string[] = [];
  for (const seen of await buildersOf(tx, goalId)) {
    const builder = await lockGoal(tx, seen.goalId);
    if (builder === null || builder.parkedFor !== goalId) continue;
    const other = await otherLost(tx, builder, goalId);
    if (other !== null) {
      const outcome = parkedWords(other, lostness(other), builder.goalId);
      await applyTransition(
        tx,
        builder,
        { type: "changesGround", ground: other.goalId, outcome },
        { updatedAt: deps.now() },
      );
      mark(tx, "goal", builder.goalId);
      continue;
    }
    const place = builder.leasedBy === null ? inSession(builder, sessionId, deps.now()) : {};
    await applyTransition(tx, builder, { type: "getsGroundBack" }, { ...place, updatedAt: deps.now() });
    await tell(tx, deps, builder, { event: "goal.ground-back", detail: { ground: goalId } });
    mark(tx, "goal", builder.goalId);
    released.push(builder.goalId, ...(await releaseBuilders(tx, deps, builder.goalId, sessionId)));
  }
  return released;
}

/**
 * After a complete goal is worked again or discarded, the goals that build on it are not finished any more. Complete and unmerged ones get
 * another run, which is put on the new ground and verified again. Goals at work wait before their next phase.
 * Returns the ids of all of them.
 */
export async function reopenBuilders(
  tx: Db,
  deps: AskDeps,
  goalId: string,
  sessionId: string | null,
): Promise<string[]> {
  const reopened: string[] = [];
  for (const seen of await buildersOf(tx, goalId)) {
    const builder = await lockGoal(tx, seen.goalId);
    if (builder === null) continue;
    if (builder.status === "complete") {
      if (!(await reopen(tx, deps, builder, { ground: goalId, sessionId }))) continue;
    } else if (endedStatuses.includes(builder.status)) {
      continue;
    } else if (builder.leasedBy === null) {
      await applyTransition(tx, builder, { type: "waitsForGround" }, { updatedAt: deps.now() });
    }
    mark(tx, "goal", builder.goalId);
    reopened.push(builder.goalId, ...(await reopenBuilders(tx, deps, builder.goalId, sessionId)));
  }
  return reopened;
}

/**
 * Opens another run of a complete goal at its recorded commit. Settled triggers and the approval stay, because the approved content has not
 * changed, and a base that moved is no reason to ask again (D14). False when the goal has no run, or its work was merged, is being merged
 * or was discarded.
 */
async function reopen(
  tx: Db,
  deps: AskDeps,
  builder: Goal,
  { ground, sessionId }: { readonly ground: string; readonly sessionId: string | null },
): Promise<boolean> {
  const now = deps.now();
  const merge = await lastMerge(tx, builder.goalId);
  const run = builder.runId === null ? null : await getRun(tx, builder.runId);
  if (run === null) return false;
  if (merge !== null && merge.headCommit === run.headCommit) {
    if (merge.status === "merged" || merge.status === "merging" || merge.status === "discarded") return false;
    const outcome = `${ground} is worked again`;
    if (merge.status === "due")
      await moveMerge(tx, merge.mergeId, "due", { status: "undone", settledAt: now, outcome });
  }
  const { baseCommit, headCommit, standsOn, settled, approvedBy } = run;
  const runId = await beginRun(tx, deps, builder, { baseCommit, headCommit, standsOn, settled, approvedBy });
  await keepPeoplesWords(tx, builder, { runId, commit: headCommit });
  const outcome = `${ground}, which this is on top of, has changed: this is verified again when that is complete.`;
  const reopened = { type: "isReopened", phase: "verify", runId, outcome } as const;
  await applyTransition(tx, builder, reopened, { ...inSession(builder, sessionId, now), updatedAt: now });
  await tell(tx, deps, { ...builder, runId }, { event: "goal.ground-changed", detail: { ground } });
  return true;
}

/** Moves the goal to the session in which its ground is worked. Null: to the next session. No change when it is there already. */
function inSession(builder: Goal, sessionId: string | null, now: Date) {
  if (builder.sessionId === sessionId) return {};
  return { sessionId, joinedAt: sessionId === null ? null : now };
}

/** Redraws the cards of the goals that build on this one. */
export async function markBuilders(tx: Db, goalId: string): Promise<void> {
  for (const builder of await buildersOf(tx, goalId)) mark(tx, "goal", builder.goalId);
}

async function tell(
  tx: Db,
  deps: Doors,
  goal: Pick<Goal, "goalId" | "sessionId" | "runId">,
  told: Told<"goal.ground-lost" | "goal.ground-back" | "goal.ground-changed">,
): Promise<void> {
  await appendTimeline(tx, { ...ofGoal(goal, deps.now()), ...told });
}
