import type { RunResult } from "../../agent/process/runner.ts";
import { classifyFailure, type FailureFacts, type FailureKind } from "../../core/recovery/failure.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { getRun, type Run } from "../../db/runs.ts";
import { turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { asAsked } from "./cut.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { recordFailure } from "../recovery/recover.ts";

/** Ends of agents that say nothing about the work. The goal's ladder decides what follows. */

/** An end that is passed to the ladder. */
export type FailedResult = Extract<RunResult, { type: "failed" | "unavailable" | "needs-login" }>;

/** Failures that say nothing about the work, and that the same agent would meet again at once. */
const ofProvider: readonly FailureKind[] = ["limit", "login", "refusal"];

/** The end of an agent if it is a provider's limit, a missing login or a refusal. Otherwise null. */
export function providersEnd({ now, config }: Pick<Deps, "now" | "config">, result: RunResult): FailedResult | null {
  if (result.type !== "failed" && result.type !== "unavailable" && result.type !== "needs-login") return null;
  return ofProvider.includes(classifyFailure(heldFailure(result), now(), config.timezone).kind) ? result : null;
}

/** The facts of an end for the ladder. */
export function heldFailure(result: FailedResult) {
  return {
    end: result.type,
    reason: result.reason,
    exitCode: result.type === "failed" ? result.exitCode : null,
    own: result.type === "needs-login" ? null : result.own,
  } as const;
}

interface Held {
  readonly keeper: LeaseKeeper;
  readonly run: Run;
}

/**
 * Records such an end of an examiner, a reviewer or a task's agent: a limit is waited for, a missing login pauses the session, and the phase
 * begins again. A person is told about a refusal.
 */
export async function tellFailure(
  deps: Deps,
  { keeper, run }: Held,
  { output }: FailedResult,
  facts: FailureFacts,
): Promise<StepResult> {
  const { lease } = keeper;
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal, run });
    if (asked !== null) return asked;
    const known = (await getRun(tx, run.runId)) ?? run;
    const failed = {
      ...facts,
      goal,
      run: known,
      turn: lease.turn,
      output: output?.tail ?? "",
      said: "",
      criteria: [],
      // Files that such agents left are not read.
      files: [],
      commit: null,
    };
    const write = turnWrite(tx, { lease, goal }, deps.now);
    const ringAfterMs = await recordFailure(tx, deps, failed, write);
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over", ringAfterMs };
  });
  return result ?? lost;
}
