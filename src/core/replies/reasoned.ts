import type { CheckpointOption, Effect } from "../checkpoints/checkpoint.ts";
import { findOption, optionWithEffect } from "../checkpoints/find-option.ts";
import { namesAmount, namesBudget } from "./amounts.ts";
import { withoutTime } from "./another-time.ts";
import type { CompiledReply } from "./compiled-reply.ts";
import { isBareNo, isHedged, isHold, isNegated, meaningsIn } from "./grammar.ts";
import { isInstruction } from "./instruction.ts";
import { isForeign } from "./otherwise.ts";
import { bareWords } from "./spoken.ts";
import { isWhy, saysWhy } from "./why.ts";

/** Replies that name a choice and give a reason: `send back: the test is wrong`, `skip - not needed now`. */

/** The meaning of each effect in words. Sending back is a retry. */
const meaningOf = {
  continue: "proceed",
  retry: "retry",
  skip: "skip",
  manual: "manual",
  pause: "pause",
} as const satisfies Partial<Record<Effect, CompiledReply["type"]>>;

/** A thing, a place or a part: the object to skip or pause, not a reason. */
const object =
  /^(?:the|an?|all|any|both|each|every|those|these|its|our|my)\b|^\S*[/`]|^\S+ (?:on|in|of|for|at|ci|install|test|tests)\b/i;

/** True when the choice is about a part of the work: "skip: the flaky test" means "skip the flaky test" and skips no goal. */
export function isOfPart(choice: string, said: string): boolean {
  return ["skip", "manual", "pause"].includes(choice) && object.test(said) && !isWhy(said);
}

/** A choice and the reason given after it. */
interface Reasoned {
  readonly option: CheckpointOption;
  readonly reason: string;
}

/** Returns the choice and its reason. Null when it names no choice, gives no reason, or the reason may withdraw the choice. */
export function withReason(said: string, options: readonly CheckpointOption[]): Reasoned | null {
  for (const option of options) {
    const { effect, label } = option;
    // The text after these choices is an instruction.
    if (effect === "modify" || effect === "edit" || label === "Retry") continue;
    if (said.slice(0, label.length).toLowerCase() !== label.toLowerCase()) continue;
    const found = /^(?:\s{0,3}:|\s{1,3}-{1,2}(?=\s)|\s{0,3}[–—](?=\s))\s{0,9}(\S[^]*)$/.exec(said.slice(label.length));
    const reason = found?.[1]?.trim() ?? "";
    const isDoubted = effect === "continue" ? mayHold(reason, options) : mayBeOther(reason, options);
    return /\p{L}/u.test(reason) && !takesBack(meaningOf[effect], reason) && !isDoubted ? { option, reason } : null;
  }
  return null;
}

/** Parses "allow it: it is needed": a word that is no choice's name, with a plain reason, means the continue choice. */
export function allowedFor(said: string, options: readonly CheckpointOption[]): Reasoned | null {
  const goOn = optionWithEffect(options, "continue");
  const reason = /^allow(?:ed)?(?: (?:it|this|that))?\s{0,3}:\s{0,9}(\S[^]*)$/i.exec(said)?.[1];
  if (goOn === null || goOn.label === "Retry" || reason === undefined) return null;
  const reasoned = withReason(`${goOn.label}: ${reason}`, options);
  return reasoned !== null && saysWhy(goOn, reasoned.reason) ? reasoned : null;
}

/** Adds the text after "proceed" as a note when it is not plainly a reason: it may be a condition or an instruction. */
export function noting(compiled: CompiledReply, { option, reason }: Reasoned): CompiledReply {
  return compiled.type === "proceed" && !saysWhy(option, reason) ? { ...compiled, noted: reason } : compiled;
}

/** True when the text after a choice contradicts it instead of only giving a reason. */
export function takesBack(meaning: CompiledReply["type"], reason: string): boolean {
  const meanings = meaningsIn(reason);
  return (
    /^(?:no(?=[,.!]|$)|(?:never|maybe|perhaps|or|if|unless|only|except)\b)/i.test(reason) ||
    meanings.some((each) => each.type !== meaning) ||
    (meanings.length > 0 && isNegated(reason))
  );
}

/** For choices that do not continue: true when the text is another choice, a question or a no. Such choices can be changed later. */
function mayBeOther(reason: string, options: readonly CheckpointOption[]): boolean {
  return (
    reason.endsWith("?") || isBareNo(reason) || isForeign(reason) || findOption(options, bareWords(reason)) !== null
  );
}

/** For choices that continue, which is final: true when the text denies, doubts, waits or names something to do first. */
function mayHold(reason: string, options: readonly CheckpointOption[]): boolean {
  const words = reason.toLowerCase();
  return (
    isNegated(reason) ||
    isHedged(reason) ||
    isHold(reason) ||
    isForeign(reason) ||
    namesAmount(reason) ||
    namesBudget(reason) ||
    // "The old one is wrong" is a reason; "the new one must be faster" is an instruction.
    (isInstruction(reason) && !/^(?:it|that|this|the [\w .-]{1,40}) is\b/i.test(reason)) ||
    /\b(?:but|however|though|although|except|wait)\b|^(?:and|then|with|without|just|using)\b/i.test(reason) ||
    withoutTime(reason) !== null ||
    options.some(({ effect, label }) => effect !== "continue" && words.includes(label.toLowerCase()))
  );
}
