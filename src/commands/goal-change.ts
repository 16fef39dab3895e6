import { buildersWords, lostness, lostWords } from "../core/cards/ground-words.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { resumeCommand } from "../core/cards/paused-words.ts";
import { statusWords } from "../core/cards/status-words.ts";
import { parseCheckpointAddress } from "../core/checkpoints/checkpoint.ts";
import { ofGoal, type Told } from "../core/events/write.ts";
import { startCommand } from "../core/cards/session-words.ts";
import { endedStatuses, type Goal, stateOf } from "../core/goals/goal.ts";
import { groundState } from "../core/goals/ground.ts";
import { shellWord } from "../core/text/shell-word.ts";
import { getCheckpoint, pendingCheckpoint } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { lookAt } from "../db/connection/looks.ts";
import { mark } from "../db/connection/marks.ts";
import { getGoal, lockGoal } from "../db/goals.ts";
import { buildersOf, groundsOf } from "../db/grounds.ts";
import { findRepository, lockRepository, type Repository } from "../db/repositories.ts";
import { updateRun } from "../db/runs.ts";
import type { Session } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import { applyTransition } from "../db/transitions.ts";
import type { Deps } from "../deps.ts";
import { deferGoal } from "../turns/answers/effects.ts";
import { pausedSession } from "../facts/paused-session.ts";
import { outcomeBeforePush } from "../core/recovery/push-wait.ts";
import { withdrawMerge } from "../turns/merging/wanted-merge.ts";
import { releaseBuilders, reopenBuilders } from "../turns/shared/builders.ts";
import { withdrawQuestion } from "../turns/shared/end-session.ts";
import { lockSessionsOf } from "../turns/shared/sessions.ts";
import { type Caller, type CommandResult, command, done, type RefusedCall, refused, unknownId } from "./command.ts";
import { idOf } from "./fields.ts";
import { refuseWorked } from "./worked.ts";

export const goalSkip = command({
  name: "goal skip",
  summary: "Defer a goal; its session goes on with the next one.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => changeGoal(deps, caller, { id }, skip),
});

export const goalPause = command({
  name: "goal pause",
  summary: "Park a goal; its session goes on with the next one.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => changeGoal(deps, caller, { id }, pause),
});

export const goalResume = command({
  name: "goal resume",
  summary:
    "Work a parked, failed, skipped or finished goal again, with its questions; one that waits to be tried again goes on now.",
  access: "change",
  positionals: { id: idOf("goal") },
  run: (deps, caller, { id }) => changeGoal(deps, caller, { id, ordered: true }, resumeGoal),
});

/** What a change of a goal works with. */
export interface GoalChangeContext {
  readonly tx: Db;
  readonly deps: Deps;
  readonly caller: Caller;
  readonly goal: Goal;
  /** The open session of its repository, locked; null when no session works goals there. */
  readonly open: Session | null;
}

/**
 * Locks session and goal (D9), and changes the goal. `id` names the goal, or a question about it. `ordered`: the change concerns what the
 * goal builds on, or begins it anew; only one such change of a repository runs at a time.
 */
export async function changeGoal(
  deps: Deps,
  caller: Caller,
  { id, ordered = false }: { readonly id: string; readonly ordered?: boolean },
  change: (change: GoalChangeContext) => Promise<CommandResult>,
): Promise<CommandResult> {
  const goalId = (await goalOfQuestion(deps, id)) ?? id;
  const seen = await getGoal(deps.database.db, goalId);
  if (seen === null) return goalNotFound(goalId);
  return await deps.database.transaction(async (tx) => {
    // Two changes of what goals build on, made at once, could create a cycle.
    if (ordered) await lockRepository(tx, seen.repositoryId);
    const open = await lockSessionsOf(tx, seen);
    const goal = await lockGoal(tx, goalId);
    if (goal === null) return goalNotFound(goalId);
    const changed = await change({ tx, deps, caller, goal, open });
    if (changed.type === "refused") return changed;
    mark(tx, "goal", goalId);
    const after = await getGoal(tx, goalId);
    lookAt(tx, after?.sessionId ?? null);
    // Goals that build on it may be in the open session, while its own is over.
    if (open !== null) lookAt(tx, open.sessionId);
    return changed;
  });
}

/** Returns the goal of a question that is named as its buttons name it (`cp-1a2b3c4d.2`); null when it names none. */
async function goalOfQuestion(deps: Deps, named: string): Promise<string | null> {
  const { checkpointId } = parseCheckpointAddress(named);
  return (await getCheckpoint(deps.database.db, checkpointId))?.goalId ?? null;
}

/** Refuses an id that no goal has. */
export function goalNotFound(goalId: string): RefusedCall {
  return unknownId("Goal", goalId);
}

/** What a person can do to a goal, as events. */
export type GoalChangeEvent =
  | "goal.edited"
  | "goal.skipped"
  | "goal.paused"
  | "goal.resumed"
  | "goal.merge-undone"
  | "goal.discarded";

/** Records in the timeline what a person did to a goal, and through which entry. */
export async function tellOfGoal(
  { tx, deps, caller, goal }: Pick<GoalChangeContext, "tx" | "deps" | "caller" | "goal">,
  told: Told<GoalChangeEvent>,
): Promise<void> {
  await appendTimeline(tx, { ...ofGoal(goal, deps.now(), caller), ...told });
}

/** Defers a goal. */
export async function skip(change: GoalChangeContext): Promise<CommandResult> {
  const { tx, deps, caller, goal } = change;
  if (endedStatuses.includes(goal.status))
    return refused(`${goal.goalId} is already ${statusWords(goal.status)}`, `cos goal show ${goal.goalId}`);
  await withdrawQuestion(tx, deps, goal.goalId);
  await tellOfGoal(change, { event: "goal.skipped" });
  await deferGoal(tx, deps, goal, `Skipped by ${caller.actor}.`);
  const parked = (await buildersOf(tx, goal.goalId)).filter((each) => each.parkedFor === goal.goalId);
  const ids = parked.map((each) => each.goalId);
  const also = ids.length === 0 ? [] : [buildersWords(ids, "parked")];
  return done(
    { goalId: goal.goalId, status: "deferred", parked: ids },
    confirmationCard(`${goal.goalId} is skipped`, [...also, wayBack(goal)]),
  );
}

async function pause(change: GoalChangeContext): Promise<CommandResult> {
  const { tx, deps, caller, goal } = change;
  if (endedStatuses.includes(goal.status))
    return refused(`${goal.goalId} is already ${statusWords(goal.status)}`, `cos goal show ${goal.goalId}`);
  await withdrawQuestion(tx, deps, goal.goalId);
  await tellOfGoal(change, { event: "goal.paused" });
  const outcome = `Parked by ${caller.actor}. Go on with: cos goal resume ${goal.goalId}`;
  const transition =
    goal.leasedBy === null
      ? ({ type: "parks", outcome, isWanted: true } as const)
      : ({ type: "isStopped", stop: "stop", outcome, ground: null } as const);
  await applyTransition(tx, goal, transition, { updatedAt: deps.now() });
  return done(
    { goalId: goal.goalId, status: "blocked" },
    confirmationCard(`${goal.goalId} is parked`, [wayBack(goal)]),
  );
}

function wayBack({ goalId }: Pick<Goal, "goalId">): string {
  return `To work it after all: cos goal resume ${goalId}`;
}

/** Refuses work on a goal whose repository was removed: it may not be worked, merged or undone, even if its card is still shown. */
export function refuseRemoved(repository: Repository | null): RefusedCall | null {
  if (repository === null || repository.removedAt === null) return null;
  return refused(`its repository ${repository.name} was removed`, `cos repo add ${shellWord(repository.location)}`);
}

/** Returns the command that resumes a paused session. */
async function resumedWith(tx: Db, session: Session): Promise<string> {
  return `cos ${resumeCommand(await pausedSession(tx, session))}`;
}

/** Ends the wait for a goal's next attempt: the person knows that its provider is back, or that the cause of the failure is repaired. */
async function tryNow(change: GoalChangeContext): Promise<CommandResult> {
  const { tx, deps, goal, open } = change;
  const { goalId, runId, sessionId } = goal;
  if (runId !== null) await updateRun(tx, runId, { limitWaits: 0 });
  const outcome = outcomeBeforePush(goal.outcome);
  await applyTransition(tx, goal, { type: "goesOnAgain", outcome }, { updatedAt: deps.now() });
  await tellOfGoal(change, { event: "goal.resumed" });
  const goOn = open?.status === "paused" ? await resumedWith(tx, open) : null;
  const when = goOn === null ? "now" : `when its session goes on: ${goOn}`;
  return done({ goalId, sessionId, builders: [] }, confirmationCard(`${goalId} is tried again ${when}`));
}

/** Works a goal again. */
export async function resumeGoal(change: GoalChangeContext): Promise<CommandResult> {
  const { tx, deps, caller, goal, open } = change;
  const next = `cos goal show ${goal.goalId}`;
  const worked = await refuseWorked(tx, goal);
  if (worked !== null) return worked;
  if ((await pendingCheckpoint(tx, goal.goalId)) !== null)
    return refused(`${goal.goalId} waits for an answer`, "cos checkpoints");
  const state = stateOf(goal, { isAsked: false, isCut: false }, deps.now());
  if (goal.status === "in_progress" && state === "retrying") return await tryNow(change);
  if (goal.status === "pending" || goal.status === "in_progress")
    return refused(`${goal.goalId} is ${statusWords(goal.status)}`, next);
  const repository = await findRepository(tx, goal.repositoryId);
  const removed = refuseRemoved(repository);
  if (removed !== null) return removed;
  const lost = [...(await groundsOf(tx, goal.after)).values()].find((ground) => groundState(ground) === "lost");
  if (lost !== undefined) {
    const words = lostWords(lost, lostness(lost), goal.goalId);
    return refused(words.reason, words.next);
  }

  // A goal that is worked again must not be merged in its old state.
  const merge = await withdrawMerge(tx, goal.goalId, `worked again by ${caller.actor}`, deps.now());
  if (merge === "late") return refused(`${goal.goalId} is being merged right now`, `cos why ${goal.goalId}`);
  if (merge === "withdrawn") await tellOfGoal(change, { event: "goal.merge-undone" });

  // A parked goal with work of its own continues where it was; every other goal begins a new run and is asked about again (D3).
  const goesOn = goal.status === "blocked" && goal.phase !== "start";
  // Resuming after a provider's limit resets the number of waits.
  const changed = goesOn ? { limitWaits: 0 } : ({ status: "ended", endedAt: deps.now() } as const);
  if (goal.runId !== null) await updateRun(tx, goal.runId, changed);
  const joins = open !== null && open.sessionId !== goal.sessionId;
  const place = { ...(joins ? { joinedAt: deps.now() } : {}), sessionId: open?.sessionId ?? null };
  const again = goesOn ? ({ type: "goesOnAgain" } as const) : ({ type: "beginsAgain", isReleased: true } as const);
  await applyTransition(tx, goal, again, { ...place, updatedAt: deps.now() });
  await tellOfGoal(change, { event: "goal.resumed" });
  const sessionId = open?.sessionId ?? null;
  const reopened = await reopenBuilders(tx, deps, goal.goalId, sessionId);
  const released = await releaseBuilders(tx, deps, goal.goalId, sessionId);
  const builders = [...new Set([...reopened, ...released])];
  const isOfCampaign = goal.campaignId !== null || repository === null;
  const start = `cos ${isOfCampaign ? `autopilot start --goal ${goal.goalId}` : startCommand(repository.name)}`;
  const isPaused = open?.status === "paused" ? `, which is paused: ${await resumedWith(tx, open)}` : "";
  const where = open === null ? `it waits for the next session: ${start}` : `it is in ${open.sessionId}${isPaused}`;
  return done(
    { goalId: goal.goalId, sessionId, builders },
    confirmationCard(`${goal.goalId} will be worked again; ${where}`, [
      ...(merge === "withdrawn" ? ["Its merge was undone."] : []),
      ...(builders.length === 0 ? [] : [buildersWords(builders, "waiting")]),
    ]),
  );
}
