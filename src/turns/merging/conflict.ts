import type { Goal } from "../../core/goals/goal.ts";
import { shownPath } from "../../core/text.ts";
import type { Db } from "../../db/connection/client.ts";
import { updateRun } from "../../db/runs.ts";
import { type AskDeps, askAbout } from "../shared/ask-about.ts";
import { beginRun } from "../shared/begin-run.ts";
import type { Conflict } from "./ended.ts";
import { branchOf } from "../../core/goals/branch.ts";
import { applyTransition } from "../../db/transitions.ts";

/** Returns the feedback for an agent whose work conflicts with the branch that it should be merged into. */
export function conflictFeedback(into: string, files: readonly string[]): string {
  const changed = files.slice(0, 20).join(", ");
  return `The work conflicts with ${into}, which has moved. Merge origin/${into} into this branch and resolve it; changed on this side: ${changed}`;
}

/** Asks a person whether the goal is worked again on top of the branch's current commit. The goal's own branch stays unchanged. */
export async function askAboutConflict(
  tx: Db,
  deps: AskDeps,
  goal: Goal,
  { into, ...conflict }: Conflict & { readonly into: string },
): Promise<void> {
  const runId = await beginRun(tx, deps, goal, { baseCommit: conflict.tip });
  await updateRun(tx, runId, { feedback: conflictFeedback(into, conflict.files) });
  const outcome = `Not merged: it conflicts with ${into}.`;
  await applyTransition(tx, goal, { type: "asks", phase: "start", runId, outcome }, { updatedAt: deps.now() });
  const context = `Merging into ${into} conflicts. Proceed works the goal again on top of it, Skip leaves ${branchOf(goal.goalId)} to you`;
  await askAbout(tx, deps, {
    goal: { ...goal, status: "blocked", phase: "start", runId, outcome },
    runId,
    kind: "hiccup",
    reasons: [{ trigger: "hiccup", context }],
    details: conflict.files.slice(0, 50).map(shownPath),
    fingerprint: null,
    changed: null,
    help: { type: "again", onto: into },
  });
}
