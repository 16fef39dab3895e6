import type { Goal } from "../../core/goals/goal.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import type { FailureKind } from "../../core/recovery/failure.ts";
import { ofGoal } from "../../core/events/write.ts";
import { pendingCheckpoint } from "../../db/checkpoints.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { buildersOf } from "../../db/grounds.ts";
import { updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { parkBuilders } from "./builders.ts";
import { applyTransition, type Write } from "../../db/transitions.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Doors } from "../../deps.ts";
import type { EndedStatus } from "../../core/goals/machine.ts";
import { withdraw } from "./end-session.ts";

/** How a goal ends (D18). */
export type EndOfGoal = {
  readonly outcome: string;
  readonly errorCount?: number;
  readonly recoveryLevel?: number;
} & (
  | { readonly status: Exclude<EndedStatus, "failed"> }
  /** `kind`: the part of its work that failed. Null when it was not begun. */
  | { readonly status: "failed"; readonly kind: FailureKind | null }
);

/** Other rows that the end of a goal concerns. */
export interface Around {
  readonly question: Checkpoint | null;
  /** The goals that build on it. */
  readonly builders: readonly Goal[];
}

/** Reads them with one statement. */
export async function readAround(db: Db, goalId: string): Promise<Around> {
  const [question, builders] = await readTogether(db, (reads) =>
    Promise.all([pendingCheckpoint(reads, goalId), buildersOf(reads, goalId)]),
  );
  return { question, builders };
}

/** A goal that ends. `write`: writes the transition under the goal's lease (`recordTurn`). Absent: the caller has locked its row. */
export interface EndingGoal {
  readonly goal: Goal;
  readonly write?: Write;
}

/**
 * Ends a goal and its run, and withdraws its open question. Afterwards the caller has the session decide its next step (`lookAt`).
 */
export async function endGoal(
  tx: Db,
  deps: Doors,
  { goal, write = (transition) => applyTransition(tx, goal, transition, { updatedAt: deps.now() }) }: EndingGoal,
  end: EndOfGoal,
): Promise<void> {
  await endKnown(tx, deps, { goal, ...(await readAround(tx, goal.goalId)), write }, end);
}

/** The same when the other rows were already read. */
export async function endKnown(
  tx: Db,
  deps: Doors,
  { goal, write, question, builders }: Required<EndingGoal> & Around,
  end: EndOfGoal,
): Promise<void> {
  const now = deps.now();
  const { kind, ...change } = { kind: null, ...end };
  await write({ type: "ends", ...change });
  await withdraw(tx, deps, question ?? undefined);
  if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: now });
  await appendTimeline(tx, {
    event: `goal.${end.status}`,
    ...ofGoal(goal, now),
    detail: { outcome: end.outcome, ...(kind === null ? {} : { kind }) },
  });
  mark(tx, "goal", goal.goalId);
  // The cards of the goals that build on this one show its state.
  if (end.status === "complete") for (const { goalId } of builders) mark(tx, "goal", goalId);
  else if (builders.length > 0) await parkBuilders(tx, deps, goal.goalId);
}
