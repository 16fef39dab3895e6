import { optionWithEffect } from "../checkpoints/find-option.ts";
import { straightened } from "../text/words.ts";
import { amountIn, amountWords, besideAmountWords, changedBudgetWords, changesBudget } from "./amounts.ts";
import type { CompiledReply } from "./compiled-reply.ts";
import { isBareNo, isControl } from "./grammar.ts";
import { isInstruction } from "./instruction.ts";
import { askedAmount, instructed, meant, offered, type RepliedTo, unclear } from "./offered.ts";
import { isOfPart, takesBack } from "./reasoned.ts";

/** Replies that begin with a label: `edit: npm run fix`, `retry: use src/bus.ts`. */

/**
 * Parses `edit: npm run fix`. The command is taken as written, because a command may contain anything. Only code marks around it
 * are removed, and typographic quotes and dashes are straightened when it has no straight quotes.
 */
export function readEdit(text: string, question: RepliedTo): CompiledReply | null {
  if (optionWithEffect(question.options, "edit") === null) return null;
  const found = /^edit(?: the command)?\s*:([\s\S]*)$/i.exec(text.trim());
  if (found === null) return null;
  const written = (found[1] ?? "").trim();
  const code = (/^```(?:\w+\n)?([\s\S]*?)```$/.exec(written) ?? /^`([^`]*)`$/.exec(written))?.[1];
  const command = code ?? (/["']/.test(written) ? written : straightened(written));
  return command.trim() === ""
    ? unclear(question, "Which command should run instead?")
    : { type: "edit", command: command.trim() };
}

const labels =
  /^(?:(retry|try again|try|modify|change|answer|skip|manual|pause|budget)\s*(?::|[–-](?=\s|$))|(modify)(?=\s|$)(?!.*\?$))/i;

/** True when the reply begins with a label. */
export function isLabelled(said: string): boolean {
  return labels.test(said);
}

const whatWords = "Change it to what?";

/** Parses `retry: use src/bus.ts`: a label makes it a decision. A ceiling must have been parsed before. */
export function readLabelled(said: string, question: RepliedTo): CompiledReply | null {
  const found = labels.exec(said);
  if (found === null) return null;
  const label = (found[1] ?? found[2] ?? "").toLowerCase();
  const rest = said.slice(found[0].length).trim();
  // Without a colon, "modify" is a label only when an instruction or nothing follows.
  if (found[2] !== undefined && /^(?:it|this|that|(?:(?:it|this|that),? )?please)[.!]*$/i.test(rest))
    return meant(question, whatWords);
  if (found[2] !== undefined && rest !== "" && !isInstruction(rest)) return null;
  // Handled like the same words without a colon.
  if (isOfPart(label, rest)) return null;
  switch (label) {
    case "retry":
    case "try":
    case "try again":
      if (rest === "") return offered({ type: "retry", instruction: null }, question);
      return isBareNo(rest) || isControl(rest)
        ? meant(question, "That could mean one thing or its opposite.")
        : instructed(rest, question);
    case "modify":
    case "change":
      if (rest === "") return meant(question, whatWords);
      if (changesBudget(rest)) return askedAmount(question, changedBudgetWords);
      return isBareNo(rest) || isControl(rest)
        ? meant(question, "That could mean one thing or its opposite.")
        : instructed(rest, question);
    case "answer":
      return question.asksClarification && rest !== "" ? { type: "answer", text: rest } : unclear(question, "");
    case "budget":
      if (changesBudget(said)) return askedAmount(question, changedBudgetWords);
      return askedAmount(question, amountIn(rest) === null ? amountWords : besideAmountWords);
    case "skip":
    case "manual":
    case "pause":
      return takesBack(label, rest)
        ? meant(question, "That could mean one thing or its opposite.")
        : offered({ type: label }, question);
    default:
      return null;
  }
}
