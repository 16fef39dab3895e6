import { type Checkpoint, type CheckpointOption, checkpointAddress } from "../checkpoints/checkpoint.ts";
import { type Call, formOf } from "../calls.ts";
import { formatDuration } from "../text.ts";
import { placeWords } from "../chat-platforms.ts";
import { type CardAction, type CardBlock, note, type Span, text } from "./card.ts";

/** What every card of a question shares. */

/** The button of a choice; the recommended one is coloured (F-407). `what`: what it is about, for screen readers. */
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

function callOf(checkpoint: Checkpoint, { effect, label }: CheckpointOption): Call {
  const { checkpointId, version } = checkpoint;
  if (effect === "edit") return { command: "goal edit", id: checkpointAddress(checkpoint) };
  if (effect === "modify") return { command: "modify", id: { checkpointId, version } };
  return { command: "answer", id: { checkpointId, version }, choice: label };
}

/**
 * How a question that is closed ended. `expired`: what follows "No answer by TIME: "; `withdrawn`: why the answer is not needed.
 */
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
      return text({ strong: "No answer" }, " by ", at, ": ", ...expired);
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
  return text(chosen, `, by ${checkpoint.resolvedBy}${whereOf(checkpoint)}, `, at, `, after ${waited}`);
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
  return `${checkpoint.chosenOption ?? checkpoint.status}, by ${checkpoint.resolvedBy ?? "somebody"}${whereOf(checkpoint)}, after ${waited}.`;
}
