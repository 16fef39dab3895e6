import type { Answer } from "../checkpoints/answering.ts";
import type { CheckpointOption, Effect } from "../checkpoints/checkpoint.ts";
import { optionWithEffect } from "../checkpoints/find-option.ts";
import type { CompiledReply } from "./compiled-reply.ts";

/**
 * Returns the answer that a parsed reply stands for. Null when the question does not offer it; then nothing is decided.
 * `version` is the version of the question when the reply was written.
 */
export function answerOfReply(
  compiled: CompiledReply,
  options: readonly CheckpointOption[],
  version: number,
): Answer | null {
  const choose = (effect: Effect, more: Partial<Answer> = {}): Answer | null => {
    const option = optionWithEffect(options, effect);
    return option === null ? null : { ...nothing, choice: option.label, version, ...more };
  };
  switch (compiled.type) {
    case "retry":
      return choose("continue", { instructions: compiled.instruction });
    case "proceed":
      return choose("continue");
    case "skip":
      return choose("skip");
    case "manual":
      return choose("manual");
    case "pause":
      return choose("pause");
    case "answer":
      return choose("modify", { instructions: compiled.text });
    case "modify":
      return choose("modify", { instructions: compiled.instruction });
    case "budget": {
      const { budgetMicroUsd, instruction = null } = compiled;
      const said = { budgetMicroUsd, instructions: instruction };
      return choose("modify", said) ?? choose("continue", said);
    }
    case "edit":
      return choose("edit", { command: compiled.command });
    case "unclear":
      return null;
  }
}

const nothing = { notes: null, instructions: null, criteria: null, budgetMicroUsd: null };
