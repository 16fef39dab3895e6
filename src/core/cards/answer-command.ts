import type { Checkpoint, CheckpointOption } from "../checkpoints/checkpoint.ts";
import { shellWord } from "../text/shell-word.ts";

/** A question with what is recommended of its choices. */
interface Question extends Pick<Checkpoint, "checkpointId" | "kind"> {
  readonly recommended: Pick<CheckpointOption, "label" | "effect"> | null;
}

/** A question as it stands, with its recommended choice. */
export function asRecommended({
  checkpointId,
  kind,
  options,
}: Pick<Checkpoint, "checkpointId" | "kind" | "options">): Question {
  return { checkpointId, kind, recommended: options.find((option) => option.isRecommended) ?? null };
}

/** The command with which somebody goes on about a question, without "cos": of an escalation it shows what was tried. */
export function answerCommand(question: Question): string {
  if (question.kind === "escalation") return `escalation ${question.checkpointId}`;
  return recommendedCommand(question) ?? "checkpoints";
}

/** The command that gives the recommended answer, without "cos"; null: none is recommended, or only to pause. */
export function recommendedCommand({ checkpointId, kind, recommended }: Question): string | null {
  switch (recommended?.effect) {
    case "continue":
    case "skip":
    case "retry":
    case "manual":
      return `answer ${checkpointId} ${shellWord(recommended.label)}`;
    case "modify":
      if (kind === "proof") return `modify ${checkpointId} --criteria FILE`;
      return `reply ${checkpointId} TEXT`;
    case "edit":
      return `answer ${checkpointId} ${shellWord(recommended.label)} --run CMD`;
    case "pause":
    case undefined:
      return null;
  }
}

/** The command that answers with a choice that is named, without "cos". */
export function choiceCommand(checkpointId: string): string {
  return `answer ${checkpointId} CHOICE`;
}

/** The command of one question among others, without "cos": where it stands alone nobody is sent to the list of them. */
export function questionCommand(question: Question): string {
  const isShown = question.kind === "escalation" || recommendedCommand(question) !== null;
  return isShown ? answerCommand(question) : choiceCommand(question.checkpointId);
}
