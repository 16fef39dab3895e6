import { formatUsd } from "../money.ts";
import { shorten } from "../text.ts";
import type { CompiledReply } from "./compiled-reply.ts";

/** Returns what will be done, in plain words: "I will retry with: …". */
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
      return budgetWords(compiled);
    case "proceed":
      return `${compiled.choice === undefined ? "I will go on." : `I will choose ${compiled.choice}.`}${notedWords(compiled)}`;
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

function notedWords({ noted }: Extract<CompiledReply, { readonly type: "proceed" }>): string {
  return noted === undefined ? "" : ` This is only a note, and nothing waits for it: ${shorten(noted, 1500)}`;
}

function budgetWords({
  budgetMicroUsd,
  choice,
  instruction,
}: Extract<CompiledReply, { readonly type: "budget" }>): string {
  const amount = formatUsd(budgetMicroUsd);
  const set =
    choice === undefined
      ? `I will set the goal's ceiling to ${amount} and go on`
      : `I will choose ${choice}, with a budget of ${amount}`;
  if (instruction === undefined) return `${set}.`;
  return `${set}${choice === undefined ? " with" : " and"}: ${shorten(instruction, 1500)}`;
}
