import { conflictWords } from "../../core/cards/ground-words.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { updateRun } from "../../db/runs.ts";
import { turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { askAbout } from "../shared/ask-about.ts";
import { beginRun, type RunStart } from "../shared/begin-run.ts";
import { asAsked } from "./cut.ts";

/** Why a goal cannot be put on top of others now (D37). */
export type NoGround =
  /** One of them is not ready. */
  | { readonly type: "waits" }
  /** It cannot be put on them as they are. A person is told why. */
  | { readonly type: "stuck"; readonly outcome: string }
  /** The goal's own work conflicts with them. `start`: where it continues if a person says so. */
  | {
      readonly type: "conflict";
      readonly start: RunStart;
      readonly goals: readonly string[];
      readonly files: readonly string[];
    };

/** Ends the turn of a goal whose ground cannot be laid: it waits, is parked, or asks. It keeps its work. */
export async function endWithoutGround(deps: Deps, keeper: LeaseKeeper, ground: NoGround): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal });
    if (asked !== null) return asked;
    const write = turnWrite(tx, { lease: keeper.lease, goal }, deps.now);
    switch (ground.type) {
      case "waits":
        await write({ type: "waitsForGround" });
        break;
      case "stuck":
        await write({ type: "parks", outcome: ground.outcome });
        break;
      case "conflict":
        await write({ type: "asks", phase: "start", runId: await askAboutConflict(tx, deps, goal, ground) });
        break;
    }
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}

/**
 * Asks a person whether the goal is worked again on the new ground, as for a merge (D24). Its branch stays. Returns the run that the
 * question is about.
 */
async function askAboutConflict(
  tx: Db,
  deps: Deps,
  goal: Goal,
  { start, goals, files }: Extract<NoGround, { type: "conflict" }>,
): Promise<string> {
  const runId = goal.runId ?? (await beginRun(tx, deps, goal, start));
  const { baseCommit, headCommit = null, standsOn = [] } = start;
  const changed = files.slice(0, 20).join(", ");
  const feedback = `What this builds on has changed, and conflicts with this work. Merge ${goals.map(branchOf).join(" and ")} into this branch and resolve it; changed on that side: ${changed}`;
  await updateRun(tx, runId, { baseCommit, headCommit, standsOn: [...standsOn], feedback });
  const context = conflictWords(goals, branchOf(goal.goalId), goal.runCommand !== null);
  await askAbout(tx, deps, {
    goal: { ...goal, runId },
    runId,
    kind: "hiccup",
    reasons: [{ trigger: "hiccup", context }],
    details: files.slice(0, 50),
    fingerprint: baseCommit,
    changed: null,
    help: { type: "again", onto: goals.join(" and ") },
  });
  return runId;
}
