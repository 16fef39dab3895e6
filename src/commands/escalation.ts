import { confirmationCard } from "../core/cards/lists.ts";
import { escalationMarkdown } from "../core/cards/escalation-card.ts";
import { listForGoal } from "../db/checkpoints.ts";
import { getGoal } from "../db/goals.ts";
import type { Deps } from "../deps.ts";
import { gatherBundle } from "../turns/recovery/escalate.ts";
import { gatherCheckpointCard } from "../projection/question.ts";
import { command, type CommandResult, done, refused, unknownId } from "./command.ts";
import { flag, idOf } from "./fields.ts";

export const escalation = command({
  name: "escalation",
  summary: "One escalation with everything that was tried, by its id or its goal's; --markdown for a document.",
  access: "read",
  positionals: { id: idOf("question") },
  options: { markdown: flag("print it as a Markdown document") },
  run: (deps, _caller, { id, markdown }) => showEscalation(deps, id, markdown),
});

async function showEscalation(deps: Deps, asked: string, isMarkdown: boolean): Promise<CommandResult> {
  const { db } = deps.database;
  const goal = await getGoal(db, asked);
  const ofGoal = goal === null ? [] : await listForGoal(db, goal.goalId);
  const id = goal === null ? asked : ofGoal.findLast(({ kind }) => kind === "escalation")?.checkpointId;
  if (id === undefined) return refused(`${asked} was never escalated`, `cos goal show ${asked}`);
  const found = await gatherBundle(db, id);
  if (found === null) return unknownId("Escalation", id);
  const { checkpoint, bundle } = found;
  const markdown = escalationMarkdown(bundle);
  const value = { ...bundle, status: checkpoint.status, resolvedBy: checkpoint.resolvedBy, markdown };
  if (isMarkdown) return done(value, { ...confirmationCard(markdown.trimEnd()) });
  const card = await gatherCheckpointCard(db, deps, checkpoint);
  return card === null ? refused(`the goal of ${checkpoint.checkpointId} is gone`, "cos goals") : done(value, card);
}
