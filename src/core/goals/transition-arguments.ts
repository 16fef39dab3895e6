import type { Phase, PhaseOfRun, StopRequest } from "./goal.ts";
import type { EndedStatus, MachineState, MachineChanges, MachineGoal } from "./machine.ts";

/** What each transition is told. */
export interface TransitionArguments {
  readonly isQueued: { readonly at: Date };
  readonly isClaimed: { readonly leasedBy: string };
  readonly isDropped: object;
  readonly begins: { readonly runId: string };
  /** What is left away stays as it is. */
  readonly entersPhase: {
    readonly phase: PhaseOfRun;
    readonly outcome?: string;
    readonly branch?: string | null;
    readonly recoveryLevel?: number;
  };
  readonly goesOnAt: { readonly at: Date; readonly phase: "implement" | "verify"; readonly outcome?: string };
  /** `rung` is absent where the failure says nothing about the work. */
  readonly retriesAt: {
    readonly at: Date;
    readonly phase: "implement" | "recover" | "verify" | "finish";
    readonly outcome: string;
    readonly failed?: { readonly errorCount: number; readonly recoveryLevel: number };
  };
  /** `at` null: its session says when it goes on. */
  readonly isCut: { readonly at: Date | null; readonly interruptions: number; readonly outcome?: string };
  /** `at` absent: it stays as due as it was. */
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
  /** `isWanted`: a person parks it, whatever it was parked for. */
  readonly parks: { readonly outcome: string; readonly phase?: Phase; readonly isWanted?: true };
  /** `ground`: a goal that it is on top of is lost, or (null) nothing of that kind counts any more. */
  readonly isStopped: { readonly stop: StopRequest; readonly outcome?: string; readonly ground?: string | null };
  /** `isForgotten`: what went wrong so far does not count any more. */
  readonly isAnswered: { readonly phase: Phase; readonly isForgotten?: boolean };
  readonly losesGround: { readonly ground: string; readonly outcome: string };
  readonly changesGround: { readonly ground: string; readonly outcome: string };
  readonly getsGroundBack: object;
  readonly isGivenBack: object;
  readonly waitsForSession: object;
  /** `stop`: a turn of it that still runs is to stop. */
  readonly isLeft: { readonly outcome: string; readonly stop?: "stop" };
  readonly restarts: object;
  /** `staysParked`: not before a person says so. `isReleased`: what it was parked for does not count any more. */
  readonly beginsAgain: {
    readonly staysParked?: boolean;
    readonly isForgotten?: boolean;
    readonly isReleased?: boolean;
  };
  /** `outcome`: what is still said of its work. */
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

/** One transition with what it is told. */
export type Transition<Name extends TransitionName = TransitionName> = {
  [Each in Name]: { readonly type: Each } & TransitionArguments[Each];
}[Name];

interface Rule<Name extends TransitionName> {
  /** When it is taken, in one line. */
  readonly when: string;
  readonly from: readonly MachineState[];
  readonly changes: (given: TransitionArguments[Name], goal: MachineGoal) => MachineChanges;
}

export type Rules = { readonly [Name in TransitionName]: Rule<Name> };
