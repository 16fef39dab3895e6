import type { Checkpoint, CheckpointOption } from "../checkpoints/checkpoint.ts";
import { shellWord } from "../text/shell-word.ts";

/** A question with its recommended choice. */
interface Question extends Pick<Checkpoint, "checkpointId" | "kind"> {
  readonly recommended: Pick<CheckpointOption, "label" | "effect"> | null;
}

/** The given question with its recommended choice, or null if it has none. */
export function asRecommended({
  checkpointId,
  kind,
  options,
}: Pick<Checkpoint, "checkpointId" | "kind" | "options">): Question {
  return { checkpointId, kind, recommended: options.find((option) => option.isRecommended) ?? null };
}

/** The next command for a question, without "cos". For an escalation it is the command that shows what was tried. */
export function answerCommand(question: Question): string {
  if (question.kind === "escalation") return `escalation ${question.checkpointId}`;
  return recommendedCommand(question) ?? "checkpoints";
}

/** The command that gives the recommended answer, without "cos". Null when no choice is recommended, or only Pause. */
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

/** The command that answers with a choice by its name, without "cos". */
export function choiceCommand(checkpointId: string): string {
  return `answer ${checkpointId} CHOICE`;
}

/** The command for one question of a list, without "cos". Unlike `answerCommand`, it never points to the list itself. */
export function questionCommand(question: Question): string {
  const isShown = question.kind === "escalation" || recommendedCommand(question) !== null;
  return isShown ? answerCommand(question) : choiceCommand(question.checkpointId);
}
