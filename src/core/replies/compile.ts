import { type CheckpointOption, editLabel, type Effect, optionWithEffect } from "../checkpoints/checkpoint.ts";
import { straightened } from "../text/words.ts";
import { dollars, formatUsd } from "../money.ts";
import { shorten } from "../text.ts";
import { amountIn, isAmount, withBudgetIn } from "./amounts.ts";
import { isControl, isHedged, isInstruction, isNegated, meaningsIn } from "./grammar.ts";
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
  if (said.endsWith("?")) return unclear(question, "That is a question.");

  const meanings = withBudgetIn(said, meaningsIn(said));
  if (isNegated(said) || isHedged(said)) {
    return meanings.length > 0 || !isInstruction(said)
      ? unclear(question, "That could mean one thing or its opposite.")
      : instructed(said, question);
  }
  if (meanings.length > 1) return unclear(question, `That names ${meanings.map((each) => each.type).join(" and ")}.`);
  const [meaning] = meanings;
  if (meaning?.type === "retry" && meaning.instruction !== null) return instructed(meaning.instruction, question);
  if (meaning !== undefined) return offered(meaning, question);
  if (isInstruction(said)) return instructed(said, question);
  return unclear(question, "That decides nothing yet.");
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
      return `I will set the goal's ceiling to ${formatUsd(compiled.budgetMicroUsd)} and go on.`;
    case "proceed":
      return "I will go on.";
    case "skip":
      return "I will skip this goal.";
    case "manual":
      return "I will leave this goal to you.";
    case "pause":
      return "I will pause the session.";
    case "unclear":
      return compiled.question;
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
  switch (compiled.type) {
    case "retry":
    case "proceed":
    case "skip":
    case "manual":
    case "pause":
      return optionWithEffect(question.options, effectOf[compiled.type]) === null
        ? unclear(question, "That is not offered here.")
        : compiled;
    case "budget":
      return optionWithEffect(question.options, "modify") === null && !offersRetry(question)
        ? unclear(question, "A budget changes nothing here.")
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

/** Lines that quote somebody else, and mentions, are not the writer's words. */
function withoutQuotes(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^(?:>|&gt;)/.test(line.trimStart()))
    .join("\n")
    .replace(/<[@!#][^<>\s]*>|(?<=^|\s)@[\w.-]+/g, " ")
    .trim();
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

const labels = /^(retry|try again|try|modify|change|answer|skip|manual|pause|budget)\s*(?::|[–-](?=\s|$))/i;

/** `retry: use src/bus.ts`: who writes so has decided. */
function readLabelled(said: string, question: RepliedTo): CompiledReply | null {
  const found = labels.exec(said);
  if (found === null) return null;
  const label = (found[1] ?? "").toLowerCase();
  const rest = said.slice(found[0].length).trim();
  switch (label) {
    case "retry":
    case "try":
    case "try again":
      return rest === "" ? offered({ type: "retry", instruction: null }, question) : instructed(rest, question);
    case "modify":
    case "change":
      return rest === "" ? unclear(question, "Change it to what?") : instructed(rest, question);
    case "answer":
      return question.asksClarification && rest !== "" ? { type: "answer", text: rest } : unclear(question, "");
    case "budget": {
      const amount = amountIn(rest);
      return amount === null || isNegated(rest) || isHedged(rest)
        ? unclear(question, "Which amount?")
        : offered({ type: "budget", budgetMicroUsd: amount }, question);
    }
    case "skip":
    case "manual":
    case "pause":
      return takesBack(label, rest)
        ? unclear(question, "That could mean one thing or its opposite.")
        : offered({ type: label }, question);
    default:
      return null;
  }
}
