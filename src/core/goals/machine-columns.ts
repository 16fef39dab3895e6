import { endedStatuses, type Phase } from "./goal.ts";
import type { MachineChanges, MachineGoal, EndedStatus } from "./machine.ts";

/** Named groups of columns that transitions set together, and state lists that several transitions start from. */

export const open = ["pending", "begun", "worked", "asked", "parked"] as const;

export const unworked = ["pending", "begun", "asked", "parked"] as const;

export const ended = endedStatuses as readonly EndedStatus[];

export const isPending = { status: "pending", blockedOn: null } as const;

export const isBegun = { status: "in_progress", blockedOn: null } as const;

export const isAsked = { status: "blocked", blockedOn: "question", wakeAt: null } as const;

export const isParked = { status: "blocked", blockedOn: "person", wakeAt: null } as const;

export const isUnleased = { leasedBy: null, leasedUntil: null, stopRequested: null } as const;

/** The turn made progress, so the interruption count restarts (D8). */
export const isOver = { ...isUnleased, interruptions: 0 } as const;

export const isFresh = { phase: "start", runId: null, wakeAt: null } as const;

export const forgotten = { errorCount: 0, recoveryLevel: 0, isHiccup: false, interruptions: 0 } as const;

/** Returns the status columns for a phase: pending before the run has begun, in progress after. */
export function byPhase(phase: Phase): typeof isPending | typeof isBegun {
  return phase === "start" ? isPending : isBegun;
}

/** Returns `changes`, unless the goal was parked while its turn still ran: its session or campaign is over, so it stays parked. */
export function unlessParked<Changes extends MachineChanges>(
  goal: MachineGoal,
  changes: Changes,
): Changes | { readonly wakeAt: null } {
  return goal.status === "blocked" ? { wakeAt: null } : changes;
}

/** Returns the given columns without those that are undefined. */
export function given(
  changes: { readonly [Column in keyof MachineChanges]: MachineChanges[Column] | undefined },
): MachineChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
