import type { Phase, PhaseOfRun, StopRequest } from "./goal.ts";
import type { EndedStatus, MachineState, MachineChanges, MachineGoal } from "./machine.ts";

/** The arguments of each transition. */
export interface TransitionArguments {
  readonly isQueued: { readonly at: Date };
  readonly isClaimed: { readonly leasedBy: string };
  readonly isDropped: object;
  readonly begins: { readonly runId: string };
  /** Absent fields leave their column unchanged. */
  readonly entersPhase: {
    readonly phase: PhaseOfRun;
    readonly outcome?: string;
    readonly branch?: string | null;
    readonly recoveryLevel?: number;
  };
  readonly goesOnAt: { readonly at: Date; readonly phase: "implement" | "verify"; readonly outcome?: string };
  /** `failed` is absent when the failure says nothing about the work. */
  readonly retriesAt: {
    readonly at: Date;
    readonly phase: "implement" | "recover" | "verify" | "finish";
    readonly outcome: string;
    readonly failed?: { readonly errorCount: number; readonly recoveryLevel: number };
  };
  /** `at` is null when the session decides when the goal continues. */
  readonly isCut: { readonly at: Date | null; readonly interruptions: number; readonly outcome?: string };
  /** Without `at` the wake-up time is unchanged. */
  readonly letsGo: { readonly at?: Date; readonly outcome?: string };
  readonly waitsForGround: object;
  readonly asks: {
    readonly phase?: Phase;
    readonly runId?: string;
    readonly outcome?: string;
    readonly branch?: string | null;
    readonly isHiccup?: true;
  };
  readonly isAskedAnew: { readonly phase: Phase };
  readonly escalates: {
    readonly phase: "implement" | "finish";
    readonly errorCount: number;
    readonly outcome: string;
  };
  /** `isWanted`: a person parks it, whatever reason it was parked for before. */
  readonly parks: { readonly outcome: string; readonly phase?: Phase; readonly isWanted?: true };
  /** `ground`: the lost goal that it builds on; null clears the stored one. */
  readonly isStopped: { readonly stop: StopRequest; readonly outcome?: string; readonly ground?: string | null };
  /** `isForgotten`: resets the error counters. */
  readonly isAnswered: { readonly phase: Phase; readonly isForgotten?: boolean };
  readonly losesGround: { readonly ground: string; readonly outcome: string };
  readonly changesGround: { readonly ground: string; readonly outcome: string };
  readonly getsGroundBack: object;
  readonly isGivenBack: object;
  readonly waitsForSession: object;
  /** `stop`: asks a turn that still runs to stop. */
  readonly isLeft: { readonly outcome: string; readonly stop?: "stop" };
  readonly restarts: object;
  /** `staysParked`: a parked goal stays parked until a person resumes it. `isReleased`: clears the goal it was parked for. */
  readonly beginsAgain: {
    readonly staysParked?: boolean;
    readonly isForgotten?: boolean;
    readonly isReleased?: boolean;
  };
  /** `outcome`: the outcome line to keep. */
  readonly goesOnAgain: { readonly isForgotten?: boolean; readonly outcome?: string | null };
  readonly isReopened: { readonly phase: PhaseOfRun; readonly runId: string; readonly outcome: string };
  readonly ends: {
    readonly status: EndedStatus;
    readonly outcome: string;
    readonly errorCount?: number;
    readonly recoveryLevel?: number;
  };
}

export type TransitionName = keyof TransitionArguments;

/** One transition with its arguments. */
export type Transition<Name extends TransitionName = TransitionName> = {
  [Each in Name]: { readonly type: Each } & TransitionArguments[Each];
}[Name];

interface Rule<Name extends TransitionName> {
  /** One line that says when this transition is made. */
  readonly when: string;
  readonly from: readonly MachineState[];
  readonly changes: (given: TransitionArguments[Name], goal: MachineGoal) => MachineChanges;
}

export type Rules = { readonly [Name in TransitionName]: Rule<Name> };
