import { type CheckpointOption, editLabel, type Effect, optionWithEffect } from "../checkpoints/checkpoint.ts";
import { straightened } from "../text/words.ts";
import { dollars, formatUsd } from "../money.ts";
import { shorten } from "../text.ts";

/** A reply in prose, read as a decision; nothing follows from it before somebody has confirmed the reading. */
export type CompiledReply =
  | { readonly type: "retry"; readonly instruction: string | null }
  | { readonly type: "proceed" }
  | { readonly type: "skip" }
  | { readonly type: "manual" }
  | { readonly type: "pause" }
  | { readonly type: "modify"; readonly instruction: string }
  /** To a question that the agent asked. */
  | { readonly type: "answer"; readonly text: string }
  | { readonly type: "budget"; readonly budgetMicroUsd: number }
  /** Another command for a goal that runs a fixed one. */
  | { readonly type: "edit"; readonly command: string }
  /**
   * Nothing can be made of it: what to ask back. `isRefused`: it is clear, but a fixed command takes no instructions
   * (D50).
   */
  | { readonly type: "unclear"; readonly question: string; readonly isRefused?: true };

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

  const meanings = meaningsIn(said);
  const budget = budgetIn(said);
  if (budget !== null && meanings.length === 0) return offered({ type: "budget", budgetMicroUsd: budget }, question);
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

const labels = /^(retry|try again|try|modify|change|answer|skip|manual|pause|budget)\s*[:–-]/i;

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
      return amount === null
        ? unclear(question, "Which amount?")
        : offered({ type: "budget", budgetMicroUsd: amount }, question);
    }
    case "skip":
    case "manual":
    case "pause":
      return offered({ type: label }, question);
    default:
      return null;
  }
}

type Plain = Extract<CompiledReply, { type: "retry" | "proceed" | "skip" | "manual" | "pause" }>;

const phrases: readonly { readonly meaning: Plain; readonly words: RegExp }[] = [
  {
    meaning: { type: "skip" },
    words: /\bskip\b|\b(?:drop|forget|leave out) (?:it|this|that)\b|\bmove on\b|\bnot worth it\b/i,
  },
  {
    meaning: { type: "manual" },
    words:
      /\bmanual(?:ly)?\b|\bI(?:'|’)?(?:ll| will| am going to|'m going to) (?:do|handle|fix|take|look|finish)\b|\b(?:do|handle|fix) (?:it|this|that) myself\b|\bI(?:'|’)?(?:ve| have)? (?:got|have) this\b/i,
  },
  {
    meaning: { type: "pause" },
    words:
      /\bpause\b|\bhold (?:on|off|it)\b|\bwait (?:for me|until)\b|\bstop (?:for now|here|everything|the session)\b/i,
  },
  {
    meaning: { type: "retry", instruction: null },
    words:
      /\bretry\b|\b(?:try|run|do) (?:it |this |that )?(?:once )?(?:again|once more|one more time)\b|\banother (?:try|attempt|go)\b|\bgive it another\b/i,
  },
  {
    meaning: { type: "proceed" },
    words:
      /^(?:yes|yep|yeah|y|ok|okay|k|sure|fine|lgtm|approved?|go|go ahead|do it|ship it|proceed|continue|please do|sounds good|looks good)(?:[,.! ]+(?:please|thanks|thank you|go ahead|do it|proceed|sounds good))*[.!]*$/i,
  },
];

/** The decisions that the words name. A retry that says how is an instruction too. */
function meaningsIn(said: string): Plain[] {
  const found = phrases.filter(({ words }) => words.test(said)).map(({ meaning }) => meaning);
  return found.map((meaning) => {
    const how = meaning.type === "retry" ? howIn(said) : null;
    return meaning.type === "retry" && how !== null ? { type: "retry", instruction: how } : meaning;
  });
}

/** "try again but use port 8080", "retry with the mirror": what comes after. */
function howIn(said: string): string | null {
  const how =
    /\b(?:retry|again|once more|one more time|attempt|go)\b[,;:. ]*(?:but |and |with |using |by |this time |, )/i.exec(
      said,
    );
  if (how === null || said.slice(how.index + how[0].length).trim() === "") return null;
  const rest = said.slice(how.index);
  return (
    rest.replace(/^(?:retry|again|once more|one more time|attempt|go)\b[,;:. ]*(?:but |and )?/i, "").trim() || null
  );
}

function budgetIn(said: string): number | null {
  return /\b(?:budget|ceiling|limit|up to|spend|dollars?|usd)\b|\$/i.test(said) ? amountIn(said) : null;
}

function amountIn(said: string): number | null {
  if (!isShort(said)) return null;
  const numbers = [...said.matchAll(/(?<![\w.,-])\$?\s?(\d{1,6}(?:\.\d{1,2})?)(?![\d,]*[\w.]*\d)/g)];
  const amount = Number(numbers.length === 1 ? numbers[0]?.[1] : Number.NaN);
  return isAmount(amount) ? dollars(amount) : null;
}

function isAmount(usd: number): boolean {
  return Number.isFinite(usd) && usd >= 0.01 && usd <= 1_000_000;
}

function isShort(said: string): boolean {
  return said.length <= 100 && !said.includes("\n");
}

function isNegated(said: string): boolean {
  return /\b(?:do not|don(?:'|’)?t|not|never|no|neither|nor|without|isn(?:'|’)?t|shouldn(?:'|’)?t|wouldn(?:'|’)?t|can(?:'|’)?t|cannot)\b/i.test(
    said,
  );
}

function isHedged(said: string): boolean {
  return /\b(?:maybe|perhaps|might|should we|could we|would|or|unless|if|not sure|wonder|think about|let me (?:think|check|look))\b|\?/i.test(
    said,
  );
}

/** A reply to an agent's question that is meant for us. */
function isControl(said: string): boolean {
  return (
    isShort(said) &&
    !isNegated(said) &&
    /^(?:please )?(?:skip|pause|hold on|stop)\b(?: (?:it|this|that|this one|the goal|the session|for now))?[.!]*$/i.test(
      said,
    )
  );
}

const verbs =
  "use|try|add|remove|delete|rename|move|keep|leave|set|change|replace|fix|revert|undo|install|run|write|read|look|check|make|put|create|start|import|export|call|return|handle|ignore|avoid|switch|update|upgrade|downgrade|pin|rebase|merge|split|extract|inline|mock|stub|skip the|disable|enable|increase|decrease|lower|raise|wrap|convert|parse|copy|follow|take|go with|go for|stick to|limit|point|configure";

/** A sentence that begins with what to do, or says what should or must be. Never one that speaks to the machine about itself. */
function isInstruction(said: string): boolean {
  if (/\b(?:ignore|forget|disregard)\b.{0,40}\b(?:instruction|rule|prompt|policy|policies)s?\b/i.test(said))
    return false;
  if (/\bapprove (?:everything|all)\b/i.test(said)) return false;
  return instructions.test(said);
}

const instructions = new RegExp(
  String.raw`^(?:please |just |then |instead,? |first,? |next,? |you (?:should|must|can|need to) |it (?:should|must|needs to) |the \S+ (?:is|lives|should|must) )?(?:(?:do not|don'?t|never) )?(?:${verbs})\b|\binstead\b|^(?:it|that|this|the [\w .-]{1,40}) (?:is|lives|should|must|needs)\b|^it(?:'|’)s (?:in|at|under|called)\b`,
  "i",
);
