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

/** Replies that choose by a choice's own name and say why: `send back: the test is wrong`, `skip - not needed now`. */

/** The meaning that a choice has in words; to send back is to have it tried again. */
const meaningOf = {
  continue: "proceed",
  retry: "retry",
  skip: "skip",
  manual: "manual",
  pause: "pause",
} as const satisfies Partial<Record<Effect, CompiledReply["type"]>>;

/** A thing, a place or a part: what is to be skipped or paused, and not why. */
const object =
  /^(?:the|an?|all|any|both|each|every|those|these|its|our|my)\b|^\S*[/`]|^\S+ (?:on|in|of|for|at|ci|install|test|tests)\b/i;

/** Whether a choice's word is said of a part of the work: "skip: the flaky test" is "skip the flaky test", and skips no goal. */
export function isOfPart(choice: string, said: string): boolean {
  return ["skip", "manual", "pause"].includes(choice) && object.test(said) && !isWhy(said);
}

/** A choice, and what stands behind it. */
interface Reasoned {
  readonly option: CheckpointOption;
  readonly reason: string;
}

/** The choice, and why. Null: it names none, says no reason, or one that may take the choice back, which decides nothing. */
export function withReason(said: string, options: readonly CheckpointOption[]): Reasoned | null {
  for (const option of options) {
    const { effect, label } = option;
    // What stands behind these is what to do.
    if (effect === "modify" || effect === "edit" || label === "Retry") continue;
    if (said.slice(0, label.length).toLowerCase() !== label.toLowerCase()) continue;
    const found = /^(?:\s{0,3}:|\s{1,3}-{1,2}(?=\s)|\s{0,3}[–—](?=\s))\s{0,9}(\S[^]*)$/.exec(said.slice(label.length));
    const reason = found?.[1]?.trim() ?? "";
    const isDoubted = effect === "continue" ? mayHold(reason, options) : mayBeOther(reason, options);
    return /\p{L}/u.test(reason) && !takesBack(meaningOf[effect], reason) && !isDoubted ? { option, reason } : null;
  }
  return null;
}

/** "allow it: it is needed": to go on, in a word that is no choice's name, and plainly why. */
export function allowedFor(said: string, options: readonly CheckpointOption[]): Reasoned | null {
  const goOn = optionWithEffect(options, "continue");
  const reason = /^allow(?:ed)?(?: (?:it|this|that))?\s{0,3}:\s{0,9}(\S[^]*)$/i.exec(said)?.[1];
  if (goOn === null || goOn.label === "Retry" || reason === undefined) return null;
  const reasoned = withReason(`${goOn.label}: ${reason}`, options);
  return reasoned !== null && saysWhy(goOn, reasoned.reason) ? reasoned : null;
}

/** To go on, with what stands behind it that is not plainly why: it may be a condition, or how to go on. */
export function noting(compiled: CompiledReply, { option, reason }: Reasoned): CompiledReply {
  return compiled.type === "proceed" && !saysWhy(option, reason) ? { ...compiled, noted: reason } : compiled;
}

/** Whether what stands behind a choice says something else than it, not only why. */
export function takesBack(meaning: CompiledReply["type"], reason: string): boolean {
  const meanings = meaningsIn(reason);
  return (
    /^(?:no(?=[,.!]|$)|(?:never|maybe|perhaps|or|if|unless|only|except)\b)/i.test(reason) ||
    meanings.some((each) => each.type !== meaning) ||
    (meanings.length > 0 && isNegated(reason))
  );
}

/** What is not gone on with stays as it is: another choice, a question, a no. */
function mayBeOther(reason: string, options: readonly CheckpointOption[]): boolean {
  return (
    reason.endsWith("?") || isBareNo(reason) || isForeign(reason) || findOption(options, bareWords(reason)) !== null
  );
}

/** What is gone on with is so for good: whatever denies, doubts, waits, or says what to do first. */
function mayHold(reason: string, options: readonly CheckpointOption[]): boolean {
  const words = reason.toLowerCase();
  return (
    isNegated(reason) ||
    isHedged(reason) ||
    isHold(reason) ||
    isForeign(reason) ||
    namesAmount(reason) ||
    namesBudget(reason) ||
    // "The old one is wrong" is why; "the new one must be faster" is to be done.
    (isInstruction(reason) && !/^(?:it|that|this|the [\w .-]{1,40}) is\b/i.test(reason)) ||
    /\b(?:but|however|though|although|except|wait)\b|^(?:and|then|with|without|just|using)\b/i.test(reason) ||
    withoutTime(reason) !== null ||
    options.some(({ effect, label }) => effect !== "continue" && words.includes(label.toLowerCase()))
  );
}
