import {
  type Checkpoint,
  type CheckpointKind,
  type CheckpointOption,
  checkpointAddress,
} from "../checkpoints/checkpoint.ts";
import { type Call, formOf } from "../calls.ts";
import { firstLine, formatDuration, shorten } from "../text.ts";
import { placeWords } from "../chat-platforms.ts";
import { type CardAction, type CardBlock, note, type Span, text } from "./card.ts";
import type { LineWidth } from "./brief-pair.ts";
import { withoutAnswer } from "./checkpoint-consequences.ts";
import type { CheckpointCardFacts } from "./checkpoint-facts.ts";

/** The parts that the cards of all questions share. */

/** The button of a choice. The recommended one is coloured (F-407). `what`: the subject, for screen readers. */
export function actionOf(checkpoint: Checkpoint, option: CheckpointOption, what: string): CardAction {
  const call = callOf(checkpoint, option);
  return {
    choice: option.label.toLowerCase().replaceAll(" ", "-"),
    label: formOf(call) === null ? option.label : `${option.label}…`,
    call,
    style: option.isRecommended ? "primary" : "default",
    about: what,
    until: checkpoint.expiresAt.toISOString(),
  };
}

/**
 * Like `actionOf`, for a goal's question. If the goal runs a fixed command, the edit form starts with that command, and the form for
 * changes has no field for instructions.
 */
export function actionFor(
  {
    checkpoint,
    goal: { runCommand },
  }: { readonly checkpoint: Checkpoint; readonly goal: Pick<CheckpointCardFacts["goal"], "runCommand"> },
  option: CheckpointOption,
  what: string,
): CardAction {
  const action = actionOf(checkpoint, option, what);
  if (runCommand === null) return action;
  if (option.effect === "modify") return { ...action, takesNoWords: true };
  return option.effect === "edit" ? { ...action, initial: runCommand } : action;
}

function callOf(checkpoint: Checkpoint, { effect, label }: CheckpointOption): Call {
  const { checkpointId, version } = checkpoint;
  if (effect === "edit") return { command: "goal edit", id: checkpointAddress(checkpoint) };
  if (effect === "modify") return { command: "modify", id: { checkpointId, version } };
  return { command: "answer", id: { checkpointId, version }, choice: label };
}

/**
 * What a press of the choice does; a channel always shows this line. `option` null: no choice is recommended, so the line says what happens
 * without an answer.
 */
export function consequenceLine(option: CheckpointOption | null, does: string): CardBlock {
  const label = option === null ? "No answer" : option.label;
  return { type: "text", text: [{ strong: `${label}: ` }, shorten(does, 110)], isKept: true };
}

/** What happens without an answer, for the end of a brief. Empty when `option` is null, because `consequenceLine` says it then. */
export function noAnswerHint(option: CheckpointOption | null, kind: CheckpointKind): CardBlock[] {
  if (option === null) return [];
  return [{ type: "text", text: [{ strong: "No answer: " }, `${withoutAnswer(kind)}.`], isWhole: true }];
}

/** Who paused the session or campaign, and that an answer ends the pause (D11). */
export function pausedLine(what: "Session" | "Campaign", pausedBy: string | null, width: LineWidth): CardBlock[] {
  if (pausedBy === null) return [];
  return [text({ strong: `${what} paused by ${firstLine(pausedBy, 20 * width)}; answering resumes it.` })];
}

/** The state for a badge: the label of the pressed button, never the status of the row (F-409). */
export function checkpointState({ status, chosenOption }: Pick<Checkpoint, "status" | "chosenOption">): string {
  switch (status) {
    case "pending":
      return "waiting for an answer";
    case "approved":
    case "rejected":
      return chosenOption ?? "answered";
    case "expired":
      return "no answer";
    case "superseded":
      return "withdrawn";
  }
}

/** How a closed question ended. `expired`: follows "No answer by TIME: "; `withdrawn`: why the answer is not needed. */
export function settledLine(
  checkpoint: Checkpoint,
  { expired, withdrawn }: { readonly expired: readonly Span[]; readonly withdrawn: string },
): CardBlock {
  if (checkpoint.resolvedAt === null) return note("settled");
  const at = { at: checkpoint.resolvedAt.toISOString() };
  switch (checkpoint.status) {
    case "approved":
    case "rejected":
      return answeredLine(checkpoint);
    case "expired":
      return text({ strong: "No answer" }, " by ", { at: checkpoint.expiresAt.toISOString() }, ": ", ...expired);
    case "superseded":
    case "pending":
      return text({ strong: "Withdrawn" }, " ", at, `: ${withdrawn}.`);
  }
}

/** Who chose what, where, when and after how long. */
function answeredLine(checkpoint: Checkpoint): CardBlock {
  if (checkpoint.resolvedAt === null) return note("settled");
  const at = { at: checkpoint.resolvedAt.toISOString() };
  const waited = formatDuration(checkpoint.resolvedAt.getTime() - checkpoint.askedAt.getTime());
  const chosen = { strong: checkpoint.chosenOption ?? "Answered" };
  return text(chosen, `, by ${checkpoint.resolvedBy ?? "somebody"}${whereOf(checkpoint)}, `, at, `, after ${waited}`);
}

function whereOf({ resolvedVia }: Pick<Checkpoint, "resolvedVia">): string {
  return resolvedVia === null ? "" : ` ${placeWords(resolvedVia)}`;
}

/** "Proceed, by ana in Slack, after 3 min": the settled line in plain words. */
export function plainSettled(
  checkpoint: Pick<Checkpoint, "status" | "chosenOption" | "resolvedBy" | "resolvedVia" | "resolvedAt" | "askedAt">,
): string {
  if (checkpoint.status === "expired") return "No answer in time.";
  if (checkpoint.status === "superseded" || checkpoint.resolvedAt === null) return "Withdrawn.";
  const waited = formatDuration(checkpoint.resolvedAt.getTime() - checkpoint.askedAt.getTime());
  return `${checkpoint.chosenOption ?? "Answered"}, by ${checkpoint.resolvedBy ?? "somebody"}${whereOf(checkpoint)}, after ${waited}.`;
}
