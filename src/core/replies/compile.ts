import type { Effect } from "../checkpoints/checkpoint.ts";
import { findOption } from "../checkpoints/find-option.ts";
import {
  amountIn,
  amountWords,
  besideAmountWords,
  changedBudgetWords,
  changesBudget,
  namesAmount,
  namesBudget,
} from "./amounts.ts";
import { isUntil, saysWhatFirst, withoutTime } from "./another-time.ts";
import { toBegin } from "./beginning.ts";
import { ceilingIn, isPlainYes } from "./ceiling.ts";
import type { CompiledReply } from "./compiled-reply.ts";
import { elsewhereWords } from "./elsewhere.ts";
import { furtherWords } from "./further.ts";
import {
  addedTo,
  howIn,
  isBareNo,
  isControl,
  isHedged,
  isHold,
  isNegated,
  isQuestion,
  isRejection,
  isReport,
  isSentence,
  mayBeOfPart,
  meaningsIn,
  saysMore,
  saysWorkFirst,
} from "./grammar.ts";
import { isInstruction } from "./instruction.ts";
import { namesNoWork } from "./not-work.ts";
import { isLabelled, readEdit, readLabelled } from "./labelled.ts";
import {
  askedAmount,
  budgetAnd,
  instructed,
  isAgainst,
  isOver,
  meant,
  notSentBack,
  numberWords,
  offered,
  offersChange,
  type RepliedTo,
  takenAsItIs,
  takesAmount,
  unclear,
} from "./offered.ts";
import { hasDecided, isAsRecommended, isFineAsItIs, isForeign, isNumber } from "./otherwise.ts";
import { allowedFor, isOfPart, noting, withReason } from "./reasoned.ts";
import { isSlipOf } from "./slip.ts";
import {
  asKeyed,
  asPutPlainly,
  asTold,
  bareWords,
  isOfSomebody,
  plainly,
  withNames,
  withoutQuotes,
  withoutStruck,
} from "./spoken.ts";
import { wordless } from "./wordless.ts";

/**
 * Parses a reply with a small grammar: commands with a colon (`retry: use src/bus.ts`), the usual phrases, amounts, and
 * plain instructions. A negation, a condition, a question, or two decisions at once is unclear: the bot asks again
 * instead of guessing. The result is always something that the card offers. D35.
 */
export function compileReply(typed: string, question: RepliedTo): CompiledReply {
  if (typed.length > longestReply) return unclear(question, "That is too long to be read.");
  if (typed === wordless) return unclear(question, "Files are not read: an answer takes words.");
  const keyed = asKeyed(typed);
  const text = question.asksClarification ? keyed : asPutPlainly(keyed);
  const edit = readEdit(keyed, question);
  if (edit !== null) return edit;
  const written = withoutQuotes(text);
  const whole = asTold(text, isSentence);
  const said = withoutStruck(written);
  if (!/[\p{L}\p{N}]/u.test(said)) return withoutWords(said, whole, question);
  if (isForAnotherTime(said, question))
    return saysWhatFirst(said)
      ? instructed(whole, question)
      : meant(question, "An answer counts at once and cannot be kept for later: answer again then.");
  const ceiling = readCeiling(said, whole, question);
  if (ceiling !== null) return ceiling;
  const labelled = readLabelled(whole, question);
  if (labelled !== null) return labelled;
  // Under an agent's question the text after a choice may be the answer: "go on: blue".
  if (question.asksClarification && !isControl(said)) return { type: "answer", text: whole };
  const reasoned = withReason(said, question.options) ?? allowedFor(said, question.options);
  if (reasoned !== null && isOfPart(reasoned.option.effect, reasoned.reason))
    return compileReply(`${reasoned.option.label} ${reasoned.reason}`, question);
  if (reasoned !== null) return noting(compileReply(reasoned.option.label, question), reasoned);
  const byName = namedChoice(said, question);
  if (byName !== null) return byName;
  const begun = toBegin(said, question);
  if (begun !== null) return begun;
  if (isQuestion(said)) return unclear(question, "That is a question.");
  const further = furtherWords(said, takesAmount(question));
  if (further !== null) return meant(question, further);
  if (isAsRecommended(said)) return recommended(question);
  if (isFineAsItIs(said)) return takenAsItIs(question);
  if (isNumber(said)) return meant(question, numberWords(question));
  if (isBareNo(said)) return refusal(said, question);
  if (changesBudget(said) && amountIn(said) === null) return askedAmount(question, changedBudgetWords);
  const elsewhere = elsewhereWords(said);
  if (elsewhere !== null) return meant(question, elsewhere);
  const meanings = meaningsIn(said);
  const added = addedTo(said) ?? insteadOf(said);
  if (added !== null && isHold(added)) return meant(question, "That is a yes and a no.");
  // Text that may be struck out, or only looks struck out, is passed on as written.
  const told = said === written && added !== null ? (addedTo(whole) ?? insteadOf(whole) ?? whole) : whole;
  const more = saysMore(said);
  if (isNegated(said) || isHedged(said)) {
    const isTold = isInstruction(told) || /^(?:without|except)\b/i.test(added ?? "");
    if ((meanings.length === 0 || more) && isTold) return instructed(told, question);
    const isPlain = meanings.length > 0 || added !== null || hasDecided(said) || namesAmount(said);
    const asks = isPlain ? meant : unclear;
    return asks(question, "That could mean one thing or its opposite.");
  }
  if (meanings.length > 1) return meant(question, `That names ${meanings.map((each) => each.type).join(" and ")}.`);
  const [meaning] = meanings;
  if (meaning !== undefined && isOfSomebody(withNames(text)))
    return meant(question, "That says what somebody else should do.");
  if (meaning !== undefined && isOver(meaning) && saysWorkFirst(said))
    return meant(question, `That names something to do, and ${meaning.type}.`);
  if (meaning !== undefined && isOver(meaning) && mayBeOfPart(said))
    return meant(question, "That may be about a part of it only.");
  if (meaning !== undefined && isAgainst(meaning, said)) return meant(question, "That is a yes and a no.");
  if (meaning?.type === "retry" && meaning.instruction !== null)
    return retried(howIn(whole) ?? meaning.instruction, question);
  if (meaning !== undefined && namesAmount(said)) return askedAmount(question, besideAmountWords);
  if (meaning !== undefined && !more) return offered(meaning, question);
  if (isForeign(said)) return meant(question, "Without a model only English is read here.");
  if (added !== null || isInstruction(said)) return instructed(told, question);
  if (namesAmount(said)) return askedAmount(question, amountWords);
  return mistyped(said, question) ?? (hasDecided(said) ? meant : unclear)(question, "That decides nothing yet.");
}

/** Parses a ceiling together with the other instructions. Null when the reply names no ceiling. */
function readCeiling(said: string, whole: string, question: RepliedTo): CompiledReply | null {
  const isAnswer = question.asksClarification && !isLabelled(said);
  if (/^answer\s*:/i.test(said) || (isAnswer && !namesBudget(said))) return null;
  if (changesBudget(said) && amountIn(said) === null) return null;
  const ceiling = ceilingIn(said);
  if (ceiling === null || (isAnswer && ceiling === "unclear")) return null;
  if (ceiling === "unclear") return askedAmount(question, amountIn(said) === null ? amountWords : besideAmountWords);
  const { budgetMicroUsd, rest } = ceiling;
  if (rest === "") return budgetAnd(budgetMicroUsd, null, question);
  const told = ceilingIn(whole);
  const other = compileReply(told === null || told === "unclear" ? rest : told.rest, question);
  if (other.type === "retry" || other.type === "modify") return budgetAnd(budgetMicroUsd, other.instruction, question);
  if (isPlainYes(rest) && !isLabelled(rest)) return budgetAnd(budgetMicroUsd, null, question);
  if (other.type === "answer") return budgetAnd(budgetMicroUsd, other.text, question);
  return other.type === "unclear" && other.isRefused === true ? other : askedAmount(question, besideAmountWords);
}

/** Reads a retry with these words. A report of what was done counts as a plain retry when nobody would read it. */
function retried(how: string, question: RepliedTo): CompiledReply {
  if (namesNoWork(how) || isBareNo(how) || elsewhereWords(how) !== null)
    return meant(question, 'Beside "retry", that names nothing to do.');
  const isHeard = question.runsCommand !== true && !offersChange(question);
  return isPlainYes(how) || (isReport(how) && !isHeard)
    ? offered({ type: "retry", instruction: null }, question)
    : instructed(how, question);
}

/** Returns the instruction after a no: "No, use postgres". Null when there is none. */
function insteadOf(said: string): string | null {
  const rest = /^(?:no|nope|nah)[,.;:!–-]{1,3}\s{0,3}(\S[^]*)$/i.exec(said)?.[1] ?? "";
  const isOther = isHold(rest) || elsewhereWords(rest) !== null || meaningsIn(rest).length > 0 || isNegated(rest);
  return !isOther && isInstruction(rest) ? rest : null;
}

/** True when the reply without its time would decide something now, or when it only names a time. */
function isForAnotherTime(said: string, question: RepliedTo): boolean {
  const now = question.asksClarification ? null : withoutTime(said);
  if (now === null) return false;
  if (!/[\p{L}\p{N}]/u.test(now) || /^(?:please )?(?:remind|ask)(?: (?:me|us))?(?: again)?$/i.test(now)) return true;
  const read = compileReply(now, question);
  if ("instruction" in read) return read.instruction === null || namesNoWork(read.instruction);
  return read.type === "skip" ? isUntil(said) : ["proceed", "budget"].includes(read.type);
}

/** Parses a choice by its name, ignoring marks around it. Null when it names none, or one that a reply alone cannot choose. */
function namedChoice(said: string, question: RepliedTo): CompiledReply | null {
  const option = findOption(question.options, bareWords(said));
  if (option?.effect === "retry") return notSentBack(option.label, question);
  const type = option === null || option.label === "Retry" ? null : typeOf[option.effect];
  return type === null ? null : offered({ type }, question);
}

const typeOf = {
  continue: "proceed",
  skip: "skip",
  manual: "manual",
  pause: "pause",
  modify: null,
  edit: null,
  retry: null,
} as const satisfies Record<Effect, CompiledReply["type"] | null>;

/** Reads the choice that the card recommends. */
function recommended(question: RepliedTo): CompiledReply {
  const option = question.options.find(({ isRecommended }) => isRecommended);
  if (option?.label === "Retry") return offered({ type: "retry", instruction: null }, question);
  const type = option === undefined ? null : typeOf[option.effect];
  return type === null
    ? meant(question, "No choice is recommended that needs no more words.")
    : offered({ type }, question);
}

/** Reads a no. Before the work, *reject* means Skip. When work can be sent back or retried, it may mean either. */
function refusal(said: string, question: RepliedTo): CompiledReply {
  const isBefore = offersChange(question);
  return isBefore && isRejection(said)
    ? offered({ type: "skip" }, question)
    : meant(question, "That does not say what should become of it.");
}

/** Parses one word that is a typing slip of a deciding word. Null when it is none. The reading is read back to the writer. */
function mistyped(said: string, question: RepliedTo): CompiledReply | null {
  const word = plainly(said).toLowerCase();
  const labels = question.options.map(({ label }) => label.toLowerCase());
  const known = [...labels, "proceed", "approve", "continue"].filter((each) => /^\p{L}{4,}$/u.test(each));
  const near = known.find((each) => isSlipOf(word, each));
  return near === undefined ? null : compileReply(near, question);
}

/** In UTF-16 units; no chat platform allows a longer message. */
const longestReply = 40_000;

/** Reads a reply without letters and digits. `whole` keeps texts that look like mentions but may be part of an answer. */
function withoutWords(said: string, whole: string, question: RepliedTo): CompiledReply {
  if (question.asksClarification)
    return /[\p{L}\p{N}]/u.test(withoutStruck(whole)) ? { type: "answer", text: whole } : unclear(question, "");
  if (/^(?:[👍👌🚢][\u{1F3FB}-\u{1F3FF}]?|🆗|✅|🚀)+$/u.test(said.trim()))
    return offered({ type: "proceed" }, question);
  return /[👎❌🚫🛑⛔✋]/u.test(said)
    ? meant(question, "That does not say what should become of it.")
    : unclear(question, "");
}
