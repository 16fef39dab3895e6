import type { FormTold, ChatPerson } from "../chat/inbox.ts";
import { answerWords, editCommandWords } from "../commands/answer-words.ts";
import { modify } from "../commands/decide.ts";
import { goalNotFound } from "../commands/goal-change.ts";
import { notComplete } from "../commands/goal-prove.ts";
import { refusalFor } from "../commands/execute.ts";
import { type Call, formOf, questionOf } from "../core/calls.ts";
import { formFor, longestInForm } from "../core/cards/forms.ts";
import { optionWithEffect, takesBudget } from "../core/checkpoints/find-option.ts";
import { editLabel } from "../core/checkpoints/options.ts";
import { answerCheckpoint } from "../core/checkpoints/answering.ts";
import { goalCeiling } from "../core/goals/budget.ts";
import { toUsd } from "../core/money.ts";
import { firstLine } from "../core/text.ts";
import { getCampaign } from "../db/campaigns.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import { getGoal } from "../db/goals.ts";
import { type ChatDoor, callerOf } from "./door.ts";
import { refusedWith } from "./calls.ts";

/** The form for this call, or a refusal when this person may not fill it or the checkpoint has another version. */
export async function form(door: ChatDoor, person: ChatPerson, call: Call): Promise<FormTold> {
  const { deps } = door;
  const refusal = refusalFor(deps, callerOf(door, person), modify);
  if (refusal !== null) return refusedWith(door, refusal);

  if (call.command === "goal prove") return await criteriaForm(door, call.id);
  const { db } = deps.database;
  const { checkpointId, version } = questionOf(call);
  const checkpoint = await getCheckpoint(db, checkpointId);
  const goal = checkpoint?.goalId == null ? null : await getGoal(db, checkpoint.goalId);
  const campaign = checkpoint?.campaignId == null ? null : await getCampaign(db, checkpoint.campaignId);
  if (checkpoint === null || (goal === null && campaign === null)) {
    return refusedWith(door, {
      type: "refused",
      reason: `Checkpoint not found: ${checkpointId}`,
      next: "cos checkpoints",
    });
  }
  const kind = formOf(call) ?? "modify";
  const changing = optionWithEffect(checkpoint.options, "modify")?.label ?? "Modify";
  const filled = kind === "edit" ? { choice: editLabel, command: "…" } : { choice: changing };
  const trial = { ...filled, version, notes: null, instructions: null, criteria: "…", budgetMicroUsd: null };
  const words = answerWords(deps, { decision: answerCheckpoint(checkpoint, trial, deps.now()), checkpoint });
  if (words.type === "refused") return refusedWith(door, words);
  const command = goal?.runCommand ?? null;
  if (kind === "edit" && goal !== null && command !== null && command.length > longestInForm)
    return refusedWith(door, {
      type: "refused",
      reason: `its command has ${command.length} characters, and a form here holds ${longestInForm}`,
      next: editCommandWords(goal.goalId),
    });
  const ceilingMicroUsd = goal === null ? (campaign?.totalBudgetMicroUsd ?? 0) : goalCeiling(goal, deps.policy);
  const facts = {
    command,
    about: firstLine(goal?.content ?? campaign?.name ?? "", 200),
    until: checkpoint.expiresAt.toISOString(),
    ceilingUsd: takesBudget(changing) ? toUsd(ceilingMicroUsd) : null,
  };
  return { type: "form", form: formFor(kind, facts) };
}

/** The form for criteria of a complete goal. It belongs to no checkpoint, so it has no end time. */
async function criteriaForm(door: ChatDoor, goalId: string): Promise<FormTold> {
  const goal = await getGoal(door.deps.database.db, goalId);
  if (goal === null) return refusedWith(door, goalNotFound(goalId));
  if (goal.status !== "complete") return refusedWith(door, notComplete(goal));
  const facts = { about: firstLine(goal.content, 200), until: null, ceilingUsd: null, command: null };
  return { type: "form", form: formFor("criteria", facts) };
}
