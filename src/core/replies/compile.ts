import { type CheckpointOption, editLabel, type Effect, optionWithEffect } from "../checkpoints/checkpoint.ts";
import { straightened } from "../text/words.ts";
import { dollars } from "../money.ts";
import { amountIn, isAmount, withBudgetIn } from "./amounts.ts";
import { addedTo, isBareNo, isControl, isHedged, isInstruction, isNegated, meaningsIn } from "./grammar.ts";
import { nearest } from "../text/nearest.ts";
import { plainly, withoutQuotes } from "./spoken.ts";
import type { CompiledReply } from "./compiled-reply.ts";

/** What a reply is about. */
export interface RepliedTo {
  readonly options: readonly CheckpointOption[];
  /** The question is an agent's own: prose is its answer. */
  readonly asksClarification: boolean;
  /** The goal runs a fixed command, which nobody can tell how to go about it. */
  readonly runsCommand?: boolean;
}

/**
 * Reads a reply with a small grammar: commands with a colon (`retry: use src/bus.ts`), the usual phrases, amounts, and
 * plain instructions. Whatever is negated, conditional, a question, or two decisions at once is unclear: it is asked
 * back and never guessed. Only what the card offers can come out of it. D35.
 */
export function compileReply(text: string, question: RepliedTo): CompiledReply {
  if (text.length > longestReply) return unclear(question, "That is too long to be read.");
  const edit = readEdit(text, question);
  if (edit !== null) return edit;
  const said = withoutQuotes(text);
  if (!/[\p{L}\p{N}]/u.test(said)) return withoutWords(said, question);
  const labelled = readLabelled(said, question);
  if (labelled !== null) return labelled;
  if (question.asksClarification && !isControl(said)) return { type: "answer", text: said };
  if (said.endsWith("?") || /^(?:what|why|how|when|who|which)\b/i.test(said))
    return unclear(question, "That is a question.");

  if (isBareNo(said)) return meant(question, "That does not say what should become of it.");
  const meanings = withBudgetIn(said, meaningsIn(said));
  const added = addedTo(said);
  const told = added ?? said;
  if (isNegated(said) || isHedged(said)) {
    if (meanings.length === 0 && isInstruction(told)) return instructed(told, question);
    const asks = meanings.length > 0 || added !== null ? meant : unclear;
    return asks(question, "That could mean one thing or its opposite.");
  }
  if (meanings.length > 1) return meant(question, `That names ${meanings.map((each) => each.type).join(" and ")}.`);
  const [meaning] = meanings;
  if (meaning?.type === "retry" && meaning.instruction !== null) return instructed(meaning.instruction, question);
  if (meaning !== undefined) return offered(meaning, question);
  if (added !== null || isInstruction(said)) return instructed(told, question);
  return mistyped(said, question) ?? unclear(question, "That decides nothing yet.");
}

/** One word that is a letter away from one that decides; null: none is. What is read is read back. */
function mistyped(said: string, question: RepliedTo): CompiledReply | null {
  const word = plainly(said).toLowerCase();
  const labels = question.options.map(({ label }) => label.toLowerCase());
  const known = [...labels, "proceed", "approve", "continue", "reject"].filter((each) => each.length > 3);
  const near = /^\p{L}{5,12}$/u.test(word) ? nearest(word, known, 1) : null;
  return near === null || near === word ? null : compileReply(near, question);
}

/** In UTF-16 units, as long as any chat's message. */
const longestReply = 40_000;

/** What a model made of a reply, held to the same rule: only what the card offers. */
export interface ModelReading {
  readonly decision: "retry" | "skip" | "manual" | "pause" | "answer" | "budget" | "proceed" | "unclear";
  readonly instruction: string | null;
  readonly budget_usd: number | null;
  readonly question_back: string | null;
}

export function fromModel(reading: ModelReading, question: RepliedTo): CompiledReply {
  const instruction = reading.instruction?.trim() || null;
  switch (reading.decision) {
    case "retry":
      return instruction === null
        ? offered({ type: "retry", instruction }, question)
        : instructed(instruction, question);
    case "proceed":
    case "skip":
    case "manual":
    case "pause":
      return offered({ type: reading.decision }, question);
    case "answer":
      return question.asksClarification && instruction !== null
        ? { type: "answer", text: instruction }
        : unclear(question, "");
    case "budget":
      return reading.budget_usd !== null && isAmount(reading.budget_usd)
        ? offered({ type: "budget", budgetMicroUsd: dollars(reading.budget_usd) }, question)
        : unclear(question, "Which amount?");
    case "unclear":
      return unclear(question, reading.question_back ?? "");
  }
}

const effectOf = {
  retry: "continue",
  proceed: "continue",
  skip: "skip",
  manual: "manual",
  pause: "pause",
} as const satisfies Record<string, Effect>;

/** The meaning when the card offers it; else a question that names what it offers. */
function offered(compiled: CompiledReply, question: RepliedTo): CompiledReply {
  // Where nothing has failed yet, trying is going on.
  if (compiled.type === "retry" && !offersRetry(question)) return offered({ type: "proceed" }, question);
  switch (compiled.type) {
    case "retry":
    case "proceed":
    case "skip":
    case "manual":
    case "pause":
      return optionWithEffect(question.options, effectOf[compiled.type]) === null
        ? meant(question, "That is not offered here.")
        : compiled;
    case "budget":
      return optionWithEffect(question.options, "modify") === null && !offersRetry(question)
        ? meant(question, "A budget changes nothing here.")
        : compiled;
    case "modify":
    case "answer":
    case "edit":
    case "unclear":
      return compiled;
  }
}

/** Words that say what to do: a retry with them, or a change of the goal. */
function instructed(instruction: string, question: RepliedTo): CompiledReply {
  if (question.runsCommand === true)
    return { ...unclear(question, "This goal runs a fixed command, which takes no instructions."), isRefused: true };
  if (offersRetry(question)) return { type: "retry", instruction };
  if (optionWithEffect(question.options, "modify") !== null) return { type: "modify", instruction };
  return unclear(question, "An instruction changes nothing here.");
}

function offersRetry({ options }: RepliedTo): boolean {
  return options.some((option) => option.label === "Retry");
}

function unclear({ options }: RepliedTo, why: string): Extract<CompiledReply, { type: "unclear" }> {
  const labels = options.map((option) => option.label);
  const choices =
    labels.length === 0 ? "" : ` Say ${labels.join(", ")}, or write what to do, such as "${example(labels)}".`;
  return { type: "unclear", question: `${why} Nothing was decided.${choices}`.trim() };
}

/** The same of words by which somebody plainly meant to decide. */
function meant(question: RepliedTo, why: string): CompiledReply {
  return { ...unclear(question, why), isMeant: true };
}

function example(labels: readonly string[]): string {
  if (labels.includes(editLabel)) return "edit: npm run fix";
  if (labels.includes("Retry")) return "retry: use the other file";
  return labels.includes("Modify") ? "modify: use the other file" : (labels[0] ?? "").toLowerCase();
}

/**
 * `edit: npm run fix`: taken as it is written, for a command may hold anything; only marks of code around it go, and the
 * quotes and dashes that a keyboard made of a command without any others.
 */
function readEdit(text: string, question: RepliedTo): CompiledReply | null {
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

function withoutWords(said: string, question: RepliedTo): CompiledReply {
  const isYes = /^(?:👍[\u{1F3FB}-\u{1F3FF}]?|✅|🚀)+$/u.test(said.trim());
  return isYes && !question.asksClarification ? offered({ type: "proceed" }, question) : unclear(question, "");
}

/** Whether what stands behind a label says something else than it, not only why. */
function takesBack(label: string, rest: string): boolean {
  const meanings = meaningsIn(rest);
  return (
    /^(?:no(?=[,.!]|$)|(?:never|maybe|perhaps|or|if|unless|only|except)\b)/i.test(rest) ||
    meanings.some((each) => each.type !== label) ||
    (meanings.length > 0 && isNegated(rest))
  );
}

const labels =
  /^(?:(retry|try again|try|modify|change|answer|skip|manual|pause|budget)\s*(?::|[–-](?=\s|$))|(modify)(?=\s|$)(?!.*\?$))/i;

/** `modify: budget 3` is about the ceiling, not for the agent. */
function isBudget(said: string): boolean {
  return /^(?:the |a )?(?:budget|ceiling)\b/i.test(said) && amountIn(said) !== null;
}

/** `retry: use src/bus.ts`: who writes so has decided. */
function readLabelled(said: string, question: RepliedTo): CompiledReply | null {
  const found = labels.exec(said);
  if (found === null) return null;
  const label = (found[1] ?? found[2] ?? "").toLowerCase();
  const rest = said.slice(found[0].length).trim();
  switch (label) {
    case "retry":
    case "try":
    case "try again":
      return rest === "" ? offered({ type: "retry", instruction: null }, question) : instructed(rest, question);
    case "modify":
    case "change":
      if (isBudget(rest)) return readLabelled(`budget: ${rest}`, question);
      return rest === "" ? meant(question, "Change it to what?") : instructed(rest, question);
    case "answer":
      return question.asksClarification && rest !== "" ? { type: "answer", text: rest } : unclear(question, "");
    case "budget": {
      const amount = amountIn(rest);
      return amount === null || isNegated(rest) || isHedged(rest)
        ? meant(question, "Which amount?")
        : offered({ type: "budget", budgetMicroUsd: amount }, question);
    }
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
