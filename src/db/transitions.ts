import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Goal } from "../core/goals/goal.ts";
import { changesOf, type MachineState, machineState, type Transition, transitions } from "../core/goals/transitions.ts";
import type { Db } from "./connection/client.ts";
import type { GoalChanges } from "./goals.ts";
import { type Lease, writeHeld } from "./leases.ts";
import { goals } from "./schema/index.ts";

/** The one place where the machine's columns of a goal are written (`core/goals/transitions.ts`). */

/** Takes a transition of the goal that the caller holds: by its row's lock, or by the lease of its turn. */
export type Write = (transition: Transition) => Promise<unknown>;

/**
 * Takes a transition of a goal whose row the caller holds locked, with plain columns that change along with it (`also`). Throws, with
 * nothing written, when the goal is in a state that the transition does not start from.
 */
export async function applyTransition(
  tx: Db,
  goal: Goal,
  transition: Transition,
  at: Date,
  also: GoalChanges = {},
): Promise<void> {
  const changed = await tx
    .update(goals)
    .set({ ...also, ...changesOf(transition, goal), updatedAt: at })
    .where(and(eq(goals.goalId, goal.goalId), startsFrom(transition)))
    .returning({ goalId: goals.goalId });
  if (changed.length === 0) throw await refusal(tx, goal.goalId, transition);
}

/**
 * The same for a turn, conditional on a live lease; false when it was lost or has expired, and then nothing changed. A transition
 * that does not end the lease prolongs it, and the same worker goes on with the next phase.
 */
export async function recordTurn(tx: Db, lease: Lease, goal: Goal, transition: Transition, at: Date): Promise<boolean> {
  // Who has the lease of a goal finds it worked, and nothing else.
  if (!statesBefore(transition).includes("worked")) throw await refusal(tx, lease.goalId, transition);
  return await writeHeld(tx, lease, { ...changesOf(transition, goal), updatedAt: at });
}

/** The state of a goal's row, as `machineState` says it. */
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
  const state = goal === undefined ? "not there" : machineState(goal);
  return new Error(`${goalId} is ${state}: "${transition.type}" starts from ${statesBefore(transition).join(", ")}`);
}
