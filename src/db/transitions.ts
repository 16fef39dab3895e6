import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Goal } from "../core/goals/goal.ts";
import type { Transition } from "../core/goals/transition-arguments.ts";
import { changesOf, transitions } from "../core/goals/transitions.ts";
import { type MachineState, machineState } from "../core/goals/machine.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { heldRow, noteHeld } from "./connection/held.ts";
import { signal } from "./connection/signalled.ts";
import type { GoalChanges } from "./goals.ts";
import { type Lease, writeHeld } from "./leases.ts";
import { updatingGoal } from "./goals.ts";
import { goals } from "./schema/index.ts";

/** The only place that writes the state machine's columns of a goal (`core/goals/transitions.ts`). */

/** Applies a transition to the goal that the caller holds: by a row lock, or by the lease of its turn. */
export type Write = (transition: Transition) => Promise<unknown>;

/**
 * Applies a transition to a goal whose row the caller has locked, together with plain columns (`also`). The write is kept until the end
 * of the transaction when it knows the locked row. Throws, with nothing written, when the transition does not start from the goal's
 * state.
 */
export async function applyTransition(
  tx: Db,
  goal: Goal,
  transition: Transition,
  also: GoalChanges & { readonly updatedAt: Date },
): Promise<void> {
  const { goalId } = goal;
  const changes = changesOf(transition, goal);
  const values = { ...also, ...changes };
  const { stopRequested = null } = changes;
  if (stopRequested !== null && stopRequested !== goal.stopRequested) signal(tx, { type: "stop", goalId });
  const held = heldRow<StateOf>(tx, goalId);
  if (held === undefined) {
    const changed = await tx
      .update(goals)
      .set(values)
      .where(and(eq(goals.goalId, goalId), startsFrom(transition)))
      .returning({ goalId: goals.goalId });
    if (changed.length === 0) throw await refusal(tx, goalId, transition);
    return;
  }
  if (!statesBefore(transition).includes(machineState(held))) throw refused(goalId, machineState(held), transition);
  noteHeld(tx, goalId, { ...held, ...changes });
  await keepOrWrite(tx, { table: goals, id: goalId, values }, updatingGoal);
}

/** The columns of a held goal from which its state is computed. */
type StateOf = Parameters<typeof machineState>[0];

/** A goal as it is, with the lease of the turn that works it. */
export interface LeasedGoal {
  readonly lease: Lease;
  readonly goal: Goal;
}

/**
 * Like `applyTransition` for a turn, conditional on a live lease. Returns false, and changes nothing, when the lease was lost or has
 * expired. A transition that does not end the lease extends it, and the same worker continues with the next phase.
 */
export async function recordTurn(
  tx: Db,
  { lease, goal }: LeasedGoal,
  transition: Transition,
  at: Date,
): Promise<boolean> {
  // A goal with a lease is always in the state "worked".
  if (!statesBefore(transition).includes("worked")) throw await refusal(tx, lease.goalId, transition);
  const changes = changesOf(transition, goal);
  const isWritten = await writeHeld(tx, lease, { ...changes, updatedAt: at });
  const held = heldRow<StateOf>(tx, lease.goalId);
  if (isWritten && held !== undefined) noteHeld(tx, lease.goalId, { ...held, ...changes });
  return isWritten;
}

/** `recordTurn` for code that changes a goal whether a turn works it or not, for example its end. `now` is called for each transition. */
export function turnWrite(tx: Db, leased: LeasedGoal, now: () => Date): Write {
  return (transition) => recordTurn(tx, leased, transition, now());
}

/** The state of a goal's row, as `machineState` computes it. */
const stateOfRow = sql`case when ${goals.leasedBy} is not null then 'worked'
  when ${goals.status} = 'in_progress' then 'begun'
  when ${goals.status} = 'blocked' then case when ${goals.blockedOn} = 'question' then 'asked' else 'parked' end
  else ${goals.status} end`;

function startsFrom(transition: Transition): SQL {
  return inArray(stateOfRow, [...statesBefore(transition)]);
}

function statesBefore({ type }: Transition): readonly MachineState[] {
  return transitions[type].from;
}

async function refusal(tx: Db, goalId: string, transition: Transition): Promise<Error> {
  const [goal] = await tx.select().from(goals).where(eq(goals.goalId, goalId));
  return refused(goalId, goal === undefined ? "not there" : machineState(goal), transition);
}

function refused(goalId: string, state: string, transition: Transition): Error {
  return new Error(`${goalId} is ${state}: "${transition.type}" starts from ${statesBefore(transition).join(", ")}`);
}
