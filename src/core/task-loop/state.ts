import type { ModeChoice } from "./spec-check-mode.ts";
import type { Wave } from "./wave.ts";
import type { LoopPhase } from "./workflow.ts";

/** The settings of a task list, as written: `useLayeredSkills` may be of any type, or missing (S3-MS, S3-EV-09). */
export interface TaskSettings {
  readonly useLayeredSkills?: unknown;
}

/** The state of a run's task loop. It is stored with every phase, so that a crash resumes exactly there. */
export interface LoopState {
  readonly phase: LoopPhase;
  /** Number of the recorded phase; names its report. */
  readonly iteration: number;
  readonly wave: Wave | null;
  readonly mode: ModeChoice | null;
  /** The result of each checked task of the wave; missing when not checked yet. */
  readonly checked: Readonly<Record<string, "passed" | "failed">>;
  /** Hash of the goal's text when its tasks were last worked; missing when not known. */
  readonly told?: string;
  /** How often in a row a check of this wave ended without a verdict. */
  readonly unjudged?: number;
}

const loopStart: LoopState = { phase: "implement_task", iteration: 1, wave: null, mode: null, checked: {} };

/** The state of a run's loop; the initial state before anything was stored. */
export function loopOf({ loop }: { readonly loop: LoopState | null }): LoopState {
  return loop ?? loopStart;
}

/**
 * The loop of a run whose whole work is verified or pushed. A run that began there (on another tip, on another ground) has not stored a
 * loop of its own.
 */
export function loopAtWhole(run: { readonly loop: LoopState | null }): LoopState {
  return { ...loopOf(run), phase: "completeness_verification" };
}
