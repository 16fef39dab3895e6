import { endedStatuses, type Phase } from "./goal.ts";
import type { MachineChanges, MachineGoal, EndedStatus } from "./machine.ts";

/** What transitions set together, under names of what it means; and the states that several start from. */

export const open = ["pending", "begun", "worked", "asked", "parked"] as const;

export const unworked = ["pending", "begun", "asked", "parked"] as const;

export const ended = endedStatuses as readonly EndedStatus[];

export const isPending = { status: "pending", blockedOn: null } as const;

export const isBegun = { status: "in_progress", blockedOn: null } as const;

export const isAsked = { status: "blocked", blockedOn: "question", wakeAt: null } as const;

export const isParked = { status: "blocked", blockedOn: "person", wakeAt: null } as const;

export const isUnleased = { leasedBy: null, leasedUntil: null, stopRequested: null } as const;

/** What a turn did is progress: interruptions count anew (D8). */
export const isOver = { ...isUnleased, interruptions: 0 } as const;

export const isFresh = { phase: "start", runId: null, wakeAt: null } as const;

export const forgotten = { errorCount: 0, recoveryLevel: 0, isHiccup: false, interruptions: 0 } as const;

/** Pending before its run has begun, in progress after it. */
export function byPhase(phase: Phase): typeof isPending | typeof isBegun {
  return phase === "start" ? isPending : isBegun;
}

/** Who was parked while its turn still ran stays so: its session or campaign is over. */
export function unlessParked<Changes extends MachineChanges>(
  goal: MachineGoal,
  changes: Changes,
): Changes | { readonly wakeAt: null } {
  return goal.status === "blocked" ? { wakeAt: null } : changes;
}

/** The columns given, without those that were left away. */
export function given(
  changes: { readonly [Column in keyof MachineChanges]: MachineChanges[Column] | undefined },
): MachineChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
