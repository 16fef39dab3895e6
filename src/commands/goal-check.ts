import { confirmationCard } from "../core/cards/lists.ts";
import { judgedOutcome } from "../core/acceptance/manual.ts";
import type { Goal } from "../core/goals/goal.ts";
import { cleanText } from "../core/text.ts";
import type { Db } from "../db/connection/client.ts";
import { insertEvidence, listEvidence } from "../db/evidence.ts";
import { getGoal, lockGoal, updateGoal } from "../db/goals.ts";
import { getRun } from "../db/runs.ts";
import { appendTimeline } from "../db/timeline.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { criteriaStatusOf, type CriterionWithStatus } from "../facts/criteria-status.ts";
import { goalNotFound } from "./goal-change.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { flag, idOf, name, freeText, type Values } from "./fields.ts";

const checking = { fails: flag("it does not hold"), notes: freeText("T", "what was seen").optional() };

export const goalCheck = command({
  name: "goal check",
  summary: "Say that a manual criterion of a goal holds, or with --fails that it does not.",
  access: "change",
  positionals: { id: idOf("goal"), criterion: name("", "its id, such as AC-3") },
  options: checking,
  run: check,
});

/**
 * Records a person's judgement of a manual criterion. It is evidence of its own kind: it says who looked, and never counts as run by the
 * system (AC-13).
 */
async function check(
  deps: Deps,
  caller: Caller,
  given: Values<typeof checking> & { readonly id: string; readonly criterion: string },
): Promise<CommandResult> {
  const { id: goalId, fails } = given;
  const criterionId = given.criterion.toUpperCase();
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const { criteria } = criteriaStatusOf(goal, await listEvidence(db, goalId));
  const criterion = criteria.find((each) => each.id === criterionId);
  if (criterion?.method !== "manual")
    return refused(`${criterionId} is no manual criterion of ${goalId}`, `cos goal show ${goalId}`);
  if (run === null) return refused(`${goalId} has not been worked yet`, `cos why ${goalId}`);

  const status = fails ? "fail" : "pass";
  const notes = cleanText(given.notes ?? "").trim();
  const at = deps.now();
  await deps.database.transaction(async (tx) => {
    const now = await lockGoal(tx, goalId);
    // Somebody else may have judged another criterion in the meantime.
    const before = now === null ? criteria : criteriaStatusOf(now, await listEvidence(tx, goalId)).criteria;
    await insertEvidence(tx, {
      goalId,
      runId: run.runId,
      turn: goal.turn,
      kind: "criterion",
      criterion: `${criterionId}.person.${at.getTime()}`,
      command: caller.actor,
      exitCode: null,
      commit: run.headCommit,
      durationMs: 0,
      outputFile: null,
      outputBytes: null,
      sha256: null,
      tag: "claimed",
      detail: {
        id: criterionId,
        slug: "",
        status,
        method: "manual",
        details: [`${caller.actor} looked${notes === "" ? "" : `: ${notes}`}`],
        variant: "",
      },
      at,
    });
    await appendTimeline(tx, {
      event: "goal.checked",
      goalId,
      actor: caller.actor,
      via: caller.via,
      at,
      detail: { criterion: criterionId, status },
    });
    await tellOutcome(tx, now, before, { id: criterionId, status, at });
    mark(tx, "goal", goalId);
  });
  const line = `${criterionId} ${status === "pass" ? "holds" : "does not hold"}, says ${caller.actor}.`;
  return done({ goalId, criterion: criterionId, status }, confirmationCard(line));
}

/** Updates what a verified goal's outcome says about its manual criteria. */
async function tellOutcome(
  tx: Db,
  goal: Goal | null,
  before: readonly CriterionWithStatus[],
  judged: { readonly id: string; readonly status: "pass" | "fail"; readonly at: Date },
): Promise<void> {
  if (goal?.outcome == null || (goal.status !== "complete" && goal.phase !== "finish")) return;
  const after = before.map((each) => (each.id === judged.id ? { ...each, status: judged.status } : each));
  await updateGoal(tx, goal.goalId, { outcome: judgedOutcome(goal.outcome, before, after), updatedAt: judged.at });
}
