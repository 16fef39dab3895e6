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

/** Agents whose end says nothing about what they were to do: the goal's ladder says what follows. */

/** An end that a goal without tasks hands to its ladder. */
export type FailedResult = Extract<RunResult, { type: "failed" | "unavailable" | "needs-login" }>;

/** Failures that say nothing about what was worked or looked at, and that the same agent would meet again at once. */
const ofProvider: readonly FailureKind[] = ["limit", "login", "refusal"];

/** The end, where it is its provider's limit, a missing login or a refusal; else null. */
export function providersEnd({ now, config }: Pick<Deps, "now" | "config">, result: RunResult): FailedResult | null {
  if (result.type !== "failed" && result.type !== "unavailable" && result.type !== "needs-login") return null;
  return ofProvider.includes(classifyFailure(heldFailure(result), now(), config.timezone).kind) ? result : null;
}

/** What the ladder is told of an end. */
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
 * An agent beside the one of a goal without tasks ended so: a limit is waited for, a missing login pauses the session, and what was
 * begun begins again; of a refusal a person is told.
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
      // What such agents left is not looked at.
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
