import { confirmationCard } from "../core/cards/lists.ts";
import { escalationMarkdown } from "../core/cards/escalation-card.ts";
import type { Deps } from "../deps.ts";
import { gatherBundle } from "../turns/recovery/escalate.ts";
import { gatherCheckpointCard } from "../projection/say.ts";
import { type Caller, type Command, type CommandResult, done, type Given, refused, word } from "./command.ts";

export const escalation: Command = {
  name: "escalation",
  summary: "One escalation with everything that was tried; --markdown for a document.",
  access: "read",
  positionals: [{ name: "id", required: true }],
  options: { markdown: { description: "print it as a Markdown document" } },
  run: showEscalation,
};

async function showEscalation(deps: Deps, _caller: Caller, given: Given): Promise<CommandResult> {
  const { db } = deps.database;
  const found = await gatherBundle(db, word(given, "id"));
  if (found === null) return refused(`Escalation not found: ${word(given, "id")}`, "cos checkpoints");
  const { checkpoint, bundle } = found;
  const markdown = escalationMarkdown(bundle);
  const value = { ...bundle, status: checkpoint.status, resolvedBy: checkpoint.resolvedBy, markdown };
  if (given.switches.has("markdown")) return done(value, { ...confirmationCard(markdown.trimEnd()) });
  const card = await gatherCheckpointCard(db, deps, checkpoint);
  return card === null ? refused(`the goal of ${checkpoint.checkpointId} is gone`, "cos goals") : done(value, card);
}
