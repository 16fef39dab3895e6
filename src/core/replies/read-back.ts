import { formatUsd } from "../money.ts";
import { shorten } from "../text.ts";
import type { CompiledReply } from "./compiled-reply.ts";

/** What will be done, in plain words: "I will retry with: …". */
export function readBackWords(compiled: CompiledReply): string {
  switch (compiled.type) {
    case "retry":
      return compiled.instruction === null
        ? "I will retry, with a fresh context."
        : `I will retry with: ${shorten(compiled.instruction, 1500)}`;
    case "modify":
      return `I will go on with this added: ${shorten(compiled.instruction, 1500)}`;
    case "answer":
      return `The agent gets this answer: ${shorten(compiled.text, 1500)}`;
    case "edit":
      return `I will run this instead: ${shorten(compiled.command, 1500)}`;
    case "budget":
      return compiled.choice === undefined
        ? `I will set the goal's ceiling to ${formatUsd(compiled.budgetMicroUsd)} and go on.`
        : `I will choose ${compiled.choice}, with a budget of ${formatUsd(compiled.budgetMicroUsd)}.`;
    case "proceed":
      return compiled.choice === undefined ? "I will go on." : `I will choose ${compiled.choice}.`;
    case "skip":
      return compiled.choice === undefined ? "I will skip this goal." : `I will choose ${compiled.choice}.`;
    case "manual":
      return "I will leave this goal to you.";
    case "pause":
      return "I will pause the session.";
    case "unclear":
      return compiled.question;
  }
}
