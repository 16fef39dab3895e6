import type { ModeChoice } from "./spec-check-mode.ts";
import type { Wave } from "./wave.ts";
import type { LoopPhase } from "./workflow.ts";

/** The settings of a task list, as they were written: `useLayeredSkills` may be of any type, or missing (S3-MS, S3-EV-09). */
export interface TaskSettings {
  readonly useLayeredSkills?: unknown;
}

/** Where a run's task loop stands; stored with every phase, so that a crash goes on exactly there. */
export interface LoopState {
  readonly phase: LoopPhase;
  /** Counts phases that were recorded; names their reports. */
  readonly iteration: number;
  readonly wave: Wave | null;
  readonly mode: ModeChoice | null;
  /** What each checked task of the wave got; missing: not checked yet. */
  readonly checked: Readonly<Record<string, "passed" | "failed">>;
  /** What the goal asked when its tasks were worked last, hashed; missing: nobody knows. */
  readonly told?: string;
  /** How often in a row a check of this wave ended without a verdict. */
  readonly unjudged?: number;
}

const loopStart: LoopState = { phase: "implement_task", iteration: 1, wave: null, mode: null, checked: {} };

/** Where the loop of a run stands; at its beginning before anything was stored. */
export function loopOf({ loop }: { readonly loop: LoopState | null }): LoopState {
  return loop ?? loopStart;
}

/**
 * The loop of a run whose whole is verified or pushed. A run that began with that (on another tip, on another ground) has
 * not stored a loop of its own.
 */
export function loopAtWhole(run: { readonly loop: LoopState | null }): LoopState {
  return { ...loopOf(run), phase: "completeness_verification" };
}
