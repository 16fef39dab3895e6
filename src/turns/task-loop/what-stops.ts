import type { PermissionAsk, RunResult } from "../../agent/process/runner.ts";
import type { CutReason } from "../../core/goals/after.ts";
import { goesOnWithIt } from "../../core/recovery/half-done.ts";
import type { WorkerEnd } from "../../core/task-loop/wave.ts";
import type { Deps } from "../../deps.ts";
import { type FailedResult, providersEnd } from "../goal/held.ts";

/** How a worker ended, and whether that interrupts its wave. */

/** Why a wave is interrupted. None of its tasks has failed, finished work is kept, and the wave begins again. */
export type Stop =
  | { readonly type: "cut"; readonly why: CutReason }
  /** A worker asked for a permission that nobody gave in time (D29). */
  | { readonly type: "ask"; readonly ask: PermissionAsk }
  | { readonly type: "no-space"; readonly reason: string }
  /** Too little money was left when its agents were to begin, because others have reserved or spent it meanwhile. */
  | { readonly type: "no-money" }
  /** The provider's limit, a missing login or a refusal. The same follows as for a goal without tasks. */
  | { readonly type: "provider"; readonly result: FailedResult }
  /** A worker did not begin in time (F-305). */
  | { readonly type: "not-started"; readonly reason: string };

type Clock = Pick<Deps, "now" | "config">;

/** How a worker ended. `waveEnded`: whether the end of another worker ended all of them. */
export function endOf(deps: Clock, result: RunResult, waveEnded: boolean): WorkerEnd {
  const held = providersEnd(deps, result);
  if (held !== null) return { type: "held", reason: held.reason };
  switch (result.type) {
    case "finished":
      return { type: "finished" };
    case "timeout":
      return { type: "timeout", reason: result.reason };
    // The agent could not begin at all, which says nothing about the task (S3-SF-01).
    case "unavailable":
      return { type: "setup-failure", reason: result.reason };
    case "not-started":
      return { type: "held", reason: result.reason };
    case "failed":
    case "needs-login":
      return { type: "failed", reason: result.reason };
    case "permission":
      return {
        type: "failed",
        reason: `it asked to ${result.ask.kind}: ${result.ask.title}, which nobody allowed in time`,
      };
    case "cut":
      return { type: "failed", reason: waveEnded ? "ended with its wave" : "cut short" };
  }
}

/**
 * Whether the unfinished work of a worker is kept, by the same rules as for a goal without tasks.
 *
 * @param why why the turn had to end; null if it did not
 */
export function keepsHalf(result: RunResult, why: CutReason | null): boolean {
  switch (result.type) {
    case "finished":
      return false;
    case "cut":
      return why !== null && goesOnWithIt({ type: "cut", why }, null);
    case "permission":
      return goesOnWithIt({ type: "permission" }, null);
    case "failed":
    case "unavailable":
      return goesOnWithIt({ type: result.type, reason: result.reason }, result.own);
    case "needs-login":
    case "not-started":
    case "timeout":
      return goesOnWithIt({ type: result.type, reason: result.reason }, null);
  }
}

/**
 * Why a wave is interrupted, from how its workers ended; null if it is not. A timeout, and a place that cannot be prepared, have rules of
 * their own (S3-PT, S3-SF).
 */
export function whatStops(
  deps: Clock,
  results: readonly RunResult[],
  { cut, noSpace }: { readonly cut: CutReason | null; readonly noSpace: string | null },
): Stop | null {
  if (cut !== null) return { type: "cut", why: cut };
  const asks = results.find((each) => each.type === "permission");
  if (asks !== undefined) return { type: "ask", ask: asks.ask };
  if (noSpace !== null) return { type: "no-space", reason: noSpace };
  if (results.some((each) => ["timeout", "setup-failure"].includes(endOf(deps, each, false).type))) return null;
  const [result] = results.flatMap((each) => providersEnd(deps, each) ?? []);
  if (result !== undefined) return { type: "provider", result };
  const late = results.find((each) => each.type === "not-started");
  return late === undefined ? null : { type: "not-started", reason: late.reason };
}
