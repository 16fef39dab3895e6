import type { Goal } from "../../core/goals/goal.ts";
import type { Lease } from "../../db/leases.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import type { Workplace } from "./workplace.ts";

export interface Execution {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly workplace: Workplace;
  readonly capMicroUsd: number;
  /** What it and those beside it may spend together; absent: it has its own cap for itself. */
  readonly purse?: Purse;
  /** One piece of the goal's work instead of the whole: its own prompt, call and output, in a session of its own. */
  readonly piece?: ExecutionPiece;
}

/** The money of executions side by side: one may spend more than its share while the others leave as much. */
export interface Purse {
  /** This call has cost so much by now. True: together they have met what was reserved for them. */
  spent(callId: string, amountMicroUsd: number): boolean;
}

export interface ExecutionPiece {
  /** `T1` or `check-T1`: safe in paths, unique in its turn. */
  readonly name: string;
  readonly prompt: string;
}

export type ExecutionDeps = Pick<
  Deps,
  "database" | "config" | "policy" | "now" | "timers" | "signals" | "newId" | "log" | "executor" | "places" | "tracing"
>;
