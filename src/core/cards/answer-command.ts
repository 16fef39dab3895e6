import type { Checkpoint, CheckpointOption } from "../checkpoints/checkpoint.ts";
import { shellWord } from "../text/shell-word.ts";

interface Question extends Pick<Checkpoint, "checkpointId" | "kind"> {
  readonly recommended: Pick<CheckpointOption, "label" | "effect"> | null;
}

/** The command that gives the recommended answer, without "cos". */
export function answerCommand({ checkpointId, kind, recommended }: Question): string {
  if (kind === "escalation") return `escalation ${checkpointId}`;
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
      return `reply ${checkpointId} "edit: COMMAND"`;
    case "pause":
    case undefined:
      return "checkpoints";
  }
}
