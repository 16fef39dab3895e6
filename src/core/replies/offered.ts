import type { CheckpointOption, Effect } from "../checkpoints/checkpoint.ts";
import { optionWithEffect, takesBudget } from "../checkpoints/find-option.ts";
import { editLabel } from "../checkpoints/options.ts";
import type { CompiledReply } from "./compiled-reply.ts";

/** Whatever a reply says, only what the card offers comes out of it (D35). */

/** What a reply is about. */
export interface RepliedTo {
  readonly options: readonly CheckpointOption[];
  /** The question is an agent's own: prose is its answer. */
  readonly asksClarification: boolean;
  /** The goal runs a fixed command, which nobody can tell how to go about it. */
  readonly runsCommand?: boolean;
}

const effectOf = {
  retry: "continue",
  proceed: "continue",
  skip: "skip",
  manual: "manual",
  pause: "pause",
} as const satisfies Record<string, Effect>;

/** The meaning when the card offers it; else a question that names what it offers. */
export function offered(compiled: CompiledReply, question: RepliedTo): CompiledReply {
  // Before the work, trying is going on; of what is there already it may be to send it back.
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

/** To take what is there as it is. Not offered where going on means to try again: after a failure nothing is fine yet. */
export function takenAsItIs(question: RepliedTo): CompiledReply {
  const label = optionWithEffect(question.options, "continue")?.label ?? "";
  return ["Proceed", "Accept", "Approve"].includes(label)
    ? offered({ type: "proceed" }, question)
    : meant(question, "That does not say what should become of it.");
}

/** To go on, by the name that it has here: to accept changed proof is not to work on. */
function proceeding(question: RepliedTo): CompiledReply {
  const option = optionWithEffect(question.options, "continue");
  if (option === null) return meant(question, "That is not offered here.");
  return option.label === "Proceed" ? { type: "proceed" } : { type: "proceed", choice: option.label };
}

/** To skip, by the name that it has here: to discard a campaign's plan, or to end a session, skips no goal. */
function skipping(question: RepliedTo): CompiledReply {
  const option = optionWithEffect(question.options, "skip");
  if (option === null) return meant(question, "That is not offered here.");
  return option.label === "Skip" ? { type: "skip" } : { type: "skip", choice: option.label };
}

/** Of a goal, with which it goes on; a campaign's may ask once more. */
function budgeted(budgetMicroUsd: number, question: RepliedTo): CompiledReply {
  const option = optionWithEffect(question.options, "modify");
  if (!takesAmount(question)) return meant(question, noBudgetWords);
  const isOfGoal = question.options.some(({ label }) => label === "Skip");
  return { type: "budget", budgetMicroUsd, ...(isOfGoal || option === null ? {} : { choice: option.label }) };
}

/** Whether the question takes a budget. */
export function takesAmount(question: RepliedTo): boolean {
  const option = optionWithEffect(question.options, "modify");
  return option === null ? offersRetry(question) : takesBudget(option.label);
}

const noBudgetWords = "A budget changes nothing here.";

/** What is asked back about an amount (`why`, which says how one is written), where one would be taken. */
export function askedAmount(question: RepliedTo, why: string): CompiledReply {
  return meant(question, takesAmount(question) ? why : noBudgetWords);
}

/** What is asked back of who says a number: choices have none, and an amount says what it is of. */
export function numberWords(question: RepliedTo): string {
  return takesAmount(question)
    ? 'The choices have names, and no numbers; an amount is written with its sign, such as "budget: $10".'
    : "The choices have names, and no numbers.";
}

/** Words that say what to do: a retry with them, or a change of the goal. */
export function instructed(instruction: string, question: RepliedTo): CompiledReply {
  if (question.runsCommand === true)
    return { ...unclear(question, "This goal runs a fixed command, which takes no instructions."), isRefused: true };
  if (offersRetry(question)) return { type: "retry", instruction };
  if (optionWithEffect(question.options, "modify") !== null) return { type: "modify", instruction };
  return unclear(question, "An instruction changes nothing here.");
}

/** A ceiling, and where there is one what is to be done besides. */
export function budgetAnd(budgetMicroUsd: number, instruction: string | null, question: RepliedTo): CompiledReply {
  const budget = offered({ type: "budget", budgetMicroUsd }, question);
  if (instruction === null || budget.type !== "budget") return budget;
  const other = instructed(instruction, question);
  return other.type === "unclear" ? other : { ...budget, instruction };
}

function offersRetry({ options }: RepliedTo): boolean {
  return options.some((option) => option.label === "Retry");
}

/** It is asked before the work: go on, or go on otherwise. */
export function offersChange({ options }: RepliedTo): boolean {
  return ["Proceed", "Modify"].every((label) => options.some((option) => option.label === label));
}

/** Says why nothing was decided (`why`, a sentence or ""), and what the question takes. */
export function unclear({ options, runsCommand }: RepliedTo, why: string): Extract<CompiledReply, { type: "unclear" }> {
  const labels = options.map((option) => option.label);
  const such = example(labels);
  const takesWords = such !== null && (runsCommand !== true || labels.includes(editLabel));
  const more = takesWords ? `, or write what to do, such as "${such}"` : "";
  const choices = labels.length === 0 ? "" : ` Say ${labels.join(", ")}${more}.`;
  const undecided = why.includes("decides nothing") ? "" : " Nothing was decided.";
  return { type: "unclear", question: `${why}${undecided}${choices}`.trim() };
}

/** The same of words by which somebody plainly meant to decide. */
export function meant(question: RepliedTo, why: string): CompiledReply {
  return { ...unclear(question, why), isMeant: true };
}

/** What is asked back where it may be that finished work should be worked on: only its own question takes that, in so many words. */
export function notSentBack(label: string, question: RepliedTo): CompiledReply {
  return meant(
    question,
    `Nothing is sent back by that: press ${label}, or say under the question what is wrong with it.`,
  );
}

/** Null: no words are taken here but the choices'. */
function example(labels: readonly string[]): string | null {
  if (labels.includes(editLabel)) return "edit: npm run fix";
  if (labels.includes("Retry")) return "retry: use the other file";
  if (labels.includes("Answer")) return "answer: use the other file";
  return labels.includes("Modify") ? "modify: use the other file" : null;
}

/** Whether no work follows of it. */
export function isOver({ type }: CompiledReply): boolean {
  return ["skip", "manual", "pause"].includes(type);
}

/** Whether it says yes and means no: "Proceed", and on the next line "Skip". "ok, skip it" agrees to something that was said. */
export function isAgainst(meaning: CompiledReply, said: string): boolean {
  return isOver(meaning) && /^(?:please )?(?:proceed|approved?|continue|accept(?:ed)?)\b/i.test(said);
}
