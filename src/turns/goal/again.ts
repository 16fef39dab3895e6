import type { Goal, Phase } from "../../core/goals/goal.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Db } from "../../db/connection/client.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import type { Session } from "../../db/sessions.ts";
import { applyTransition } from "../../db/transitions.ts";
import { reopenBuilders } from "../shared/builders.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { beginRun } from "../shared/begin-run.ts";
import { joinSession, openSession } from "./sessions.ts";

/** How a finished goal is worked again. */
export interface Again {
  /** Complete; its row is locked. */
  readonly goal: Goal;
  /** Its last run. The new run starts from its commit. */
  readonly run: Run;
  /** The open session of its repository, locked. Null when none is open; a new one is opened then. */
  readonly open: Session | null;
  readonly phase: Extract<Phase, "implement" | "verify">;
  /** Feedback for the agent. Null for none. */
  readonly feedback: string | null;
  /** One line for people. */
  readonly outcome: string;
  readonly by: { readonly actor: string; readonly via: string };
}

/**
 * Starts another run of a complete goal from its recorded commit. Settled questions stay settled, because nothing that a person approved
 * has changed (D14). Goals that build on it wait again. Returns the run's id.
 */
export async function workAgain(tx: Db, deps: AskDeps, again: Again): Promise<string> {
  const { goal, run, open, phase, feedback, outcome, by } = again;
  const { goalId, repositoryId } = goal;
  const { baseCommit, headCommit, settled, approvedBy, standsOn } = run;
  const runId = await beginRun(tx, deps, goal, { baseCommit, headCommit, settled, approvedBy, standsOn });
  if (feedback !== null) await updateRun(tx, runId, { feedback });
  await applyTransition(tx, goal, { type: "isReopened", phase, runId, outcome }, { updatedAt: deps.now() });
  const goalIds = [goalId];
  let sessionId = open?.sessionId ?? null;
  if (open === null) {
    const opened = await openSession(tx, deps, {
      repositoryId,
      kind: "plain",
      goalIds,
      budgetMicroUsd: deps.policy.ceilings.sessionMicroUsd,
      onLimit: deps.policy.recovery.onLimit,
      inOrder: false,
      baseCommit: baseCommit ?? "",
      startedBy: by.actor,
      via: by.via,
    });
    sessionId = opened.sessionId;
  } else if (open.sessionId !== goal.sessionId)
    await joinSession(tx, deps, open, { goalIds, baseCommit: baseCommit ?? "", by });
  await reopenBuilders(tx, deps, goalId, sessionId);
  lookAt(tx, sessionId);
  mark(tx, "goal", goalId);
  return runId;
}
