import type { CheckpointOption, Effect } from "../checkpoints/checkpoint.ts";
import { optionWithEffect, takesBudget } from "../checkpoints/find-option.ts";
import { editLabel } from "../checkpoints/options.ts";
import type { CompiledReply } from "./compiled-reply.ts";

/** Limits every reading of a reply to what the card offers (D35). */

/** The question that a reply answers. */
export interface RepliedTo {
  readonly options: readonly CheckpointOption[];
  /** True when the question is an agent's own: prose answers it. */
  readonly asksClarification: boolean;
  /** True when the goal runs a fixed command, which takes no instructions. */
  readonly runsCommand?: boolean;
}

const effectOf = {
  retry: "continue",
  proceed: "continue",
  skip: "skip",
  manual: "manual",
  pause: "pause",
} as const satisfies Record<string, Effect>;

/** Returns the reading when the card offers it, else a question that lists what it offers. */
export function offered(compiled: CompiledReply, question: RepliedTo): CompiledReply {
  // Before the work, "retry" means proceed. For a finished result it may mean send back.
  if (compiled.type === "retry" && !offersRetry(question))
    return offersChange(question)
      ? offered({ type: "proceed" }, question)
      : meant(question, "That is not offered here.");
  switch (compiled.type) {
    case "proceed":
      return proceeding(question);
    case "skip":
      return skipping(question);
    case "retry":
    case "manual":
    case "pause":
      return optionWithEffect(question.options, effectOf[compiled.type]) === null
        ? meant(question, "That is not offered here.")
        : compiled;
    case "budget":
      return budgeted(compiled.budgetMicroUsd, question);
    case "modify":
    case "answer":
    case "edit":
    case "unclear":
      return compiled;
  }
}

/** Accepts existing work as it is. Not offered where "continue" means another attempt: after a failure there is nothing to accept. */
export function takenAsItIs(question: RepliedTo): CompiledReply {
  const label = optionWithEffect(question.options, "continue")?.label ?? "";
  return ["Proceed", "Accept", "Approve"].includes(label)
    ? offered({ type: "proceed" }, question)
    : meant(question, "That does not say what should become of it.");
}

/** Reads "proceed", with the label it has here: accepting changed proof does not continue work. */
function proceeding(question: RepliedTo): CompiledReply {
  const option = optionWithEffect(question.options, "continue");
  if (option === null) return meant(question, "That is not offered here.");
  return option.label === "Proceed" ? { type: "proceed" } : { type: "proceed", choice: option.label };
}

/** Reads "skip", with the label it has here: discarding a campaign's plan or ending a session skips no goal. */
function skipping(question: RepliedTo): CompiledReply {
  const option = optionWithEffect(question.options, "skip");
  if (option === null) return meant(question, "That is not offered here.");
  return option.label === "Skip" ? { type: "skip" } : { type: "skip", choice: option.label };
}

/** Reads a budget. A goal continues with it; a campaign's question may be asked again. */
function budgeted(budgetMicroUsd: number, question: RepliedTo): CompiledReply {
  const option = optionWithEffect(question.options, "modify");
  if (!takesAmount(question)) return meant(question, noBudgetWords);
  const isOfGoal = question.options.some(({ label }) => label === "Skip");
  return { type: "budget", budgetMicroUsd, ...(isOfGoal || option === null ? {} : { choice: option.label }) };
}

/** True when the question takes a budget. */
export function takesAmount(question: RepliedTo): boolean {
  const option = optionWithEffect(question.options, "modify");
  return option === null ? offersRetry(question) : takesBudget(option.label);
}

const noBudgetWords = "A budget changes nothing here.";

/** Returns the question about an amount (`why` says how to write one), or that a budget has no effect here. */
export function askedAmount(question: RepliedTo, why: string): CompiledReply {
  return meant(question, takesAmount(question) ? why : noBudgetWords);
}

/** Returns the question for a reply that is a number: choices have names, and an amount needs its sign. */
export function numberWords(question: RepliedTo): string {
  return takesAmount(question)
    ? 'The choices have names, and no numbers; an amount is written with its sign, such as "budget: $10".'
    : "The choices have names, and no numbers.";
}

/** Reads an instruction: a retry with it, or a modification of the goal. */
export function instructed(instruction: string, question: RepliedTo): CompiledReply {
  if (question.runsCommand === true)
    return { ...unclear(question, "This goal runs a fixed command, which takes no instructions."), isRefused: true };
  if (offersRetry(question)) return { type: "retry", instruction };
  if (optionWithEffect(question.options, "modify") !== null) return { type: "modify", instruction };
  return unclear(question, "An instruction changes nothing here.");
}

/** Reads a ceiling, with an instruction when there is one. */
export function budgetAnd(budgetMicroUsd: number, instruction: string | null, question: RepliedTo): CompiledReply {
  const budget = offered({ type: "budget", budgetMicroUsd }, question);
  if (instruction === null || budget.type !== "budget") return budget;
  const other = instructed(instruction, question);
  return other.type === "unclear" ? other : { ...budget, instruction };
}

function offersRetry({ options }: RepliedTo): boolean {
  return options.some((option) => option.label === "Retry");
}

/** True when the question comes before the work: it offers Proceed and Modify. */
export function offersChange({ options }: RepliedTo): boolean {
  return ["Proceed", "Modify"].every((label) => options.some((option) => option.label === label));
}

/** Returns an unclear reading that says why nothing was decided (`why`, a sentence or "") and what the question takes. */
export function unclear({ options, runsCommand }: RepliedTo, why: string): Extract<CompiledReply, { type: "unclear" }> {
  const labels = options.map((option) => option.label);
  const such = example(labels);
  const takesWords = such !== null && (runsCommand !== true || labels.includes(editLabel));
  const more = takesWords ? `, or write what to do, such as "${such}"` : "";
  const choices = labels.length === 0 ? "" : ` Say ${labels.join(", ")}${more}.`;
  const undecided = why.includes("decides nothing") ? "" : " Nothing was decided.";
  return { type: "unclear", question: `${why}${undecided}${choices}`.trim() };
}

/** Like `unclear`, for a reply whose writer plainly meant to decide. */
export function meant(question: RepliedTo, why: string): CompiledReply {
  return { ...unclear(question, why), isMeant: true };
}

/** Returns the question for a reply that may ask to send finished work back: only its own question accepts that, in explicit words. */
export function notSentBack(label: string, question: RepliedTo): CompiledReply {
  return meant(
    question,
    `Nothing is sent back by that: press ${label}, or say under the question what is wrong with it.`,
  );
}

/** Returns an example reply. Null when the question takes only its choices. */
function example(labels: readonly string[]): string | null {
  if (labels.includes(editLabel)) return "edit: npm run fix";
  if (labels.includes("Retry")) return "retry: use the other file";
  if (labels.includes("Answer")) return "answer: use the other file";
  return labels.includes("Modify") ? "modify: use the other file" : null;
}

/** True when no work follows the reading. */
export function isOver({ type }: CompiledReply): boolean {
  return ["skip", "manual", "pause"].includes(type);
}

/** True when the reply says yes but means no: "Proceed", and on the next line "Skip". "ok, skip it" is not such a reply. */
export function isAgainst(meaning: CompiledReply, said: string): boolean {
  return isOver(meaning) && /^(?:please )?(?:proceed|approved?|continue|accept(?:ed)?)\b/i.test(said);
}
