import { goOnCommand } from "../core/cards/paused-words.ts";
import { contractWords, startCommand } from "../core/cards/session-words.ts";
import type { Goal } from "../core/goals/goal.ts";
import { flagsFrom, flagWords, noWorklogFlags } from "../core/worklog/flags.ts";
import { formatUsd } from "../core/money.ts";
import { type Db, lockAndRead } from "../db/connection/client.ts";
import { getGoal, sessionGoals } from "../db/goals.ts";
import { idsToOpen, lockToOpen, waitingGoals } from "../db/waiting-goals.ts";
import { findOpenSession, lockSession, type Session } from "../db/sessions.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/shared/base.ts";
import { foresee, type Foreseen, joinSession, openSession } from "../turns/goal/sessions.ts";
import { unpaidOf } from "../turns/goal/unpaid.ts";
import { hasSameFacts } from "../turns/goal/start-facts.ts";
import { startedAnswer, type Started } from "./autopilot-started.ts";
import { waitingForWorker } from "./find-workers.ts";
import { goalFields } from "./goal-fields.ts";
import { repoOption } from "./open-sessions.ts";
import { nothingToTake, planSessions, takeableNow, type SessionPlan } from "./plan-sessions.ts";
import { type Caller, command, type CommandResult, refused } from "./command.ts";
import { anyId, choice, flag, usd, type Values } from "./fields.ts";

const starting = {
  budget: usd("the session's ceiling (default 15)").optional(),
  goal: anyId("ID", "these goals, in this order (default: all pending)").array(),
  inOrder: flag("an open question holds what comes after its goal"),
  onLimit: choice("X", ["wait", "pause"], "at a provider's limit: wait for its reset (default), or pause").optional(),
  repo: repoOption,
  noWorklog: goalFields.noWorklog,
  skipVerify: goalFields.skipVerify,
  noCheckpoints: goalFields.noCheckpoints,
  verboseLog: goalFields.verboseLog,
  retryMemory: goalFields.retryMemory,
};

export const autopilotStart = command({
  name: "autopilot start",
  summary: "Work the pending goals: one session a repository; questions that can be foreseen first.",
  access: "change",
  options: starting,
  run: start,
});

type Wanted = Values<typeof starting>;

async function start(deps: Deps, caller: Caller, wanted: Wanted): Promise<CommandResult> {
  const planned = await planSessions(deps, wanted);
  if (planned.type === "refused") return planned;
  if (planned.type === "nothing") return nothingToTake(planned);

  const results: Started[] = [];
  for (const [index, plan] of planned.plans.entries()) {
    caller.isAt?.(`${plan.repository.name} (${index + 1} of ${planned.plans.length})`);
    const base = await pinBase(deps, plan.repository.repositoryId, plan.repository);
    const result: Started =
      base.type === "failed"
        ? refused(base.reason, "cos doctor")
        : await openOrJoin(deps, caller, { plan, wanted, baseCommit: base.commit });
    results.push(result);
  }
  return startedAnswer(results, planned.parked, planned.hasWorker ? null : await waitingForWorker(deps));
}

interface SessionToOpen {
  readonly plan: SessionPlan;
  readonly wanted: Wanted;
  readonly baseCommit: string;
}

async function openOrJoin(deps: Deps, caller: Caller, toOpen: SessionToOpen): Promise<Started> {
  return await deps.database.transaction(async (tx): Promise<Started> => {
    const { open, goals, foreseen } = await lockNow(tx, deps, toOpen);
    return open === null
      ? await openNew(tx, deps, caller, { goals, foreseen, opening: toOpen })
      : await join(tx, deps, caller, { open, goals, opening: toOpen });
  });
}

/** The state of a repository under its lock. */
interface LockedRepository {
  /** The session that is open there, with its row locked. */
  readonly open: Session | null;
  /** The goals to work; their rows are locked as well when no session is open. */
  readonly goals: readonly Goal[];
  readonly foreseen: Foreseen;
}

/** Locks the repository and reads it. Repeats this when something changed while it waited for a lock. */
async function lockNow(tx: Db, deps: Deps, toOpen: SessionToOpen): Promise<LockedRepository> {
  const { plan, wanted } = toOpen;
  const { repositoryId } = plan.repository;
  const named = isNamed(wanted) ? plan.goals.map(({ goalId }) => goalId) : null;
  const around = { repositoryId, budgetMicroUsd: budgetOf(deps, wanted) };
  const [locked, [seen, wantedIds, planned]] = await lockAndRead(
    tx,
    (db) => lockToOpen(db, repositoryId, named),
    (reads) =>
      Promise.all([
        findOpenSession(reads, repositoryId),
        idsToOpen(reads, repositoryId, named),
        foresee(reads, deps, plan.goals, around),
      ]),
  );
  if (seen === null) {
    // Goals that are no longer to be worked are left out. A goal that is to be worked but not locked was added in the meantime.
    const there = new Set(wantedIds);
    const found = locked.filter(({ goalId }) => there.has(goalId));
    if (found.length < there.size) return await lockNow(tx, deps, toOpen);
    const goals = named === null ? await takeableNow(tx, repositoryId, found) : inOrderOf(named, found);
    const isPlanned = goals.every((goal) => plan.goals.some((each) => hasSameFacts(each, goal)));
    return { open: null, goals, foreseen: isPlanned ? planned : await foresee(tx, deps, goals, around) };
  }
  const open = await lockSession(tx, seen.sessionId);
  if (open === null || open.status === "ended") return await lockNow(tx, deps, toOpen);
  const goals =
    named === null
      ? await takeableNow(tx, repositoryId, await waitingGoals(tx, repositoryId))
      : await namedNow(tx, plan.goals);
  return { open, goals, foreseen: planned };
}

function inOrderOf(goalIds: readonly string[], goals: readonly Goal[]): Goal[] {
  const known = new Map(goals.map((goal) => [goal.goalId, goal]));
  return goalIds.flatMap((goalId) => known.get(goalId) ?? []);
}

function budgetOf({ policy }: Pick<Deps, "policy">, { budget }: Wanted): number {
  return budget ?? policy.ceilings.sessionMicroUsd;
}

interface OpeningNow extends Pick<LockedRepository, "goals" | "foreseen"> {
  readonly opening: SessionToOpen;
}

async function openNew(
  tx: Db,
  deps: Deps,
  caller: Caller,
  { goals, foreseen, opening }: OpeningNow,
): Promise<Extract<Started, { type: "opened" | "refused" }>> {
  const { plan, wanted, baseCommit } = opening;
  if (goals.length === 0) return refused("no goal is pending any more", "cos goals");
  const session = {
    repositoryId: plan.repository.repositoryId,
    kind: "plain",
    goalIds: goals.map((goal) => goal.goalId),
    budgetMicroUsd: budgetOf(deps, wanted),
    onLimit: wanted.onLimit ?? deps.policy.recovery.onLimit,
    inOrder: wanted.inOrder,
    worklogFlags: flagsFrom(wanted),
    baseCommit,
    startedBy: caller.actor,
    via: caller.via,
  } as const;
  const opened = await openSession(tx, deps, session, { ...foreseen, goals });
  const about = { repository: plan.repository.name, goals: goals.length, inOrder: wanted.inOrder };
  return { type: "opened", ...opened, ...about, unpaid: unpaidOf(goals, foreseen.ahead, deps) };
}

/** True when the goals were named one by one. */
function isNamed({ goal }: Wanted): boolean {
  return goal.length > 0;
}

/** Returns the named goals in their current state, without those that ended or were taken by a person in the meantime. */
async function namedNow(tx: Db, named: readonly Goal[]): Promise<Goal[]> {
  const found: Goal[] = [];
  for (const { goalId } of named) {
    const goal = await getGoal(tx, goalId);
    if (goal !== null && (goal.status === "pending" || goal.status === "in_progress")) found.push(goal);
  }
  return found;
}

interface JoiningNow {
  readonly open: Session;
  readonly goals: readonly Goal[];
  readonly opening: SessionToOpen;
}

/** Adds goals to the open session. Options that differ from the session's own are refused (F-115). */
async function join(
  tx: Db,
  deps: Deps,
  caller: Caller,
  { open, goals, opening }: JoiningNow,
): Promise<Extract<Started, { type: "joined" | "refused" }>> {
  const { plan, wanted, baseCommit } = opening;
  const { sessionId } = open;
  const where = `${sessionId} is open already on ${plan.repository.name}`;
  const joining = goals.filter((goal) => goal.sessionId !== sessionId).map((goal) => goal.goalId);
  const ignored = ignoredOptions(open, wanted);
  if (ignored !== null) {
    const nothing = joining.length === 0 ? ", and no other goal is pending" : "";
    const named = `autopilot start${joining.map((goalId) => ` --goal ${goalId}`).join("")}`;
    const start = isNamed(wanted) ? named : startCommand(plan.repository.name);
    return refused(
      `${where} ${ignored.has}: ${ignored.options} ${ignored.isOne ? "is" : "are"} for a new session${nothing}`,
      joining.length === 0 ? "cos autopilot status" : `cos ${start}`,
    );
  }
  if (goals.length === 0) return refused(`${where}, and no other goal is pending`, "cos autopilot status");
  const already = await placesOf(tx, sessionId, goals);
  if (joining.length === 0)
    return { type: "joined", repository: plan.repository.name, session: open, joined: null, already };
  if (open.stopping)
    return refused(`${where} and stops after its current goal`, `cos ${goOnCommand(plan.repository.name)}`);
  if (open.kind !== "plain" && !isNamed(wanted))
    return refused(
      `${where}: it is ${contractWords(open)}, which works its own plan and takes others by name only`,
      `cos autopilot start --goal ${joining[0] ?? ""}`,
    );
  const { actor, via } = caller;
  const joined = await joinSession(tx, deps, open, { goalIds: joining, baseCommit, by: { actor, via } });
  return { type: "joined", repository: plan.repository.name, session: open, joined, already };
}

/** Returns the given options that the open session does not have; null when it has all of them. */
function ignoredOptions(
  open: Session,
  wanted: Wanted,
): { readonly options: string; readonly has: string; readonly isOne: boolean } | null {
  const { budget, onLimit, inOrder } = wanted;
  const has = flagWords(open.worklogFlags ?? noWorklogFlags);
  const flags = flagWords(flagsFrom(wanted) ?? noWorklogFlags).filter((option) => !has.includes(option));
  const ignored = [
    ...(budget === undefined || budget === open.budgetMicroUsd
      ? []
      : [{ option: "--budget", has: `with ${formatUsd(open.budgetMicroUsd)}` }]),
    ...(onLimit === undefined || onLimit === open.onLimit
      ? []
      : [{ option: "--on-limit", has: `with ${open.onLimit}` }]),
    ...(inOrder && !open.inOrder ? [{ option: "--in-order", has: "not in order" }] : []),
    ...flags.map((option) => ({ option, has: `without ${option}` })),
  ];
  if (ignored.length === 0) return null;
  return {
    options: ignored.map((each) => each.option).join(" and "),
    has: ignored.map((each) => each.has).join(", "),
    isOne: ignored.length === 1,
  };
}

/** Returns the positions of the goals that are already in the session. */
async function placesOf(tx: Db, sessionId: string, goals: readonly Goal[]) {
  const order = (await sessionGoals(tx, sessionId)).map((goal) => goal.goalId);
  return goals
    .filter((goal) => goal.sessionId === sessionId)
    .map(({ goalId }) => ({ goalId, position: order.indexOf(goalId) + 1 }));
}
