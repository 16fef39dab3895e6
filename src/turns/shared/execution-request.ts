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
  /** The money that it shares with parallel executions. Absent: it may spend `capMicroUsd`. */
  readonly purse?: Purse;
  /** A piece of the goal's work instead of all of it, with its own prompt, call, output and agent session. */
  readonly piece?: ExecutionPiece;
}

/** The money of parallel executions. One may spend more than its share as long as the others spend that much less. */
export interface Purse {
  /** Reports the cost of a call so far. True when all calls together have spent more than was reserved for them. */
  spent(callId: string, amountMicroUsd: number): boolean;
}

export interface ExecutionPiece {
  /** `T1` or `check-T1`. Safe in paths, unique in its turn. */
  readonly name: string;
  readonly prompt: string;
}

export type ExecutionDeps = Pick<
  Deps,
  "database" | "config" | "policy" | "now" | "timers" | "signals" | "newId" | "log" | "executor" | "places" | "tracing"
>;
