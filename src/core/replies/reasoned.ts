import { type CheckpointOption, type Effect, findOption } from "../checkpoints/checkpoint.ts";
import { namesAmount, namesBudget } from "./amounts.ts";
import { withoutTime } from "./another-time.ts";
import type { CompiledReply } from "./compiled-reply.ts";
import { isBareNo, isHedged, isHold, isNegated, meaningsIn } from "./grammar.ts";
import { isInstruction } from "./instruction.ts";
import { isForeign } from "./otherwise.ts";
import { bareWords } from "./spoken.ts";

/** Replies that choose by a choice's own name and say why: `send back: the test is wrong`, `skip - not needed now`. */

/** The meaning that a choice has in words; to send back is to have it tried again. */
const meaningOf = {
  continue: "proceed",
  retry: "retry",
  skip: "skip",
  manual: "manual",
  pause: "pause",
} as const satisfies Partial<Record<Effect, CompiledReply["type"]>>;

/** Reads as a reason, from its first words on. */
const why =
  /^(?:(?:because|since|as|so|it|i|we|he|she|they|there|you|nobody|no one|nothing|everything|everybody)(?:(?:'|’)\w+)?|that(?:(?:'|’)\w+| (?:is|was|has|had|does|did|can|will|would|makes?|needs?|works?|looks?|breaks?))|not(?! (?:the|this|that|these|those|an?|all|any|my|mine|me|it|him|her|us|really)\b)|no longer|already|done|looks|seems|lgtm|sgtm|good|great|nice|thanks|thank|agreed|reviewed|checked|tested|duplicate|too|enough)(?![\w'’-])/i;

/** So does what speaks of a thing by its name: "the old one tested a typo". */
const whyOfThing =
  /^(?:the|this|that|our|its|my) (?:(?!(?:when|while|if|on|in|at|of|for|with|which|once)\b)[\w.-]{1,30} ){1,4}(?:is|are|was|were|has|have|had|does|did|works?|fails?|\w{2,20}ed (?:a|an|the|it|us|nothing)) /i;

/**
 * The same of what is gone on with for good, where how it is to be done reads much alike ("as a draft", "we keep the old name"): a cause,
 * that it is good, or that somebody has looked at it.
 */
const whyOn: readonly RegExp[] = [
  whyOfThing,
  /^(?:because|since|lgtm|sgtm|thanks|thank|agreed|reviewed|checked|tested|already|done)(?![\w'’-])/i,
  /^as (?:i|we|you|he|she|they|it|discussed|agreed|planned|said|expected|usual|before|proposed|suggested)\b/i,
  /^(?:(?:it|that|this|they|everything|all)(?:(?:'|’)(?:s|re))? )?(?:(?:is|are|was|were|looks?|seems?|sounds?|works?) )?(?:(?:all|just|very|really|quite|so|pretty) )*(?:good|great|nice|fine|ok|okay|right|correct|perfect|safe|harmless|works)(?:[.!]*\s*$| (?:to|for|by|now|enough|as (?:is|it is)|work|job)\b)/i,
  /^(?:i|we|he|she|they)(?:(?:'|’)(?:ve|s|d)| have| has| had)?(?: just| already)? (?:did|saw|read|ran|spoke|like|love|trust|know|(?!need|embed|feed|seed|shed|speed|proceed)\w{2,20}ed)\b/i,
];

/** More than one clause, or a number: of what is gone on with, the rest may be a condition, in whatever words or language. */
const more =
  /[,;:()\n–—\d]|[.!]\s|\s-{1,2}\s|\b(?:as long|assuming|pending|provided|subject to|should|must|has to|have to|needs?|first|before|once|only)\b/i;

/** A thing, a place or a part: what is to be skipped or paused, and not why. */
const object =
  /^(?:the|an?|all|any|both|each|every|those|these|its|our|my)\b|^\S*[/`]|^\S+ (?:on|in|of|for|at|ci|install|test|tests)\b/i;

/**
 * Whether what stands behind a choice is plainly why: then it is taken at once, and whatever else it says is read back. A list of what it
 * may say else would know one language and never all of it.
 */
export function saysWhy({ effect }: Pick<CheckpointOption, "effect">, reason: string): boolean {
  if (misspoken.test(reason)) return false;
  // What it says is told to the agent, in whatever words.
  if (effect === "retry") return !agrees(reason);
  if (limited.test(reason)) return false;
  if (effect === "continue") return whyOn.some((words) => words.test(`${reason} `)) && !more.test(reason);
  if (clauseEnd.test(reason) || agrees(reason) || (effect === "skip" && isWanted(reason))) return false;
  return isWhy(reason);
}

/** Whoever writes so meant something else, or speaks of something else. */
const misspoken =
  /\b(?:(?:i|we)(?:(?:'|’)ve| have| had)? (?:mean|meant|mistyped|misread|misclicked|thought|take (?:it|this|that) back)|(?:by|my) mistake|oops|sorry|(?:an?other|wrong) (?:one|goal|card|question|thread|button|channel|place))\b/i;

/** A part, a condition, or what should be. */
const limited =
  /\b(?:only|just|but|except|apart|besides|instead|rather|else|others?|another|parts?|half|some|rest|first|if|unless|until|till|when|whenever|once|after|before|while|though|although|however|as soon|should|would|could|must|shall|might|maybe|perhaps|disagreed?)\b/i;

/** Behind it anything may be said. */
const clauseEnd = /[,;:()\n–—]|[.!]\s|\s-{1,2}\s/;

/** Whether one of its clauses says yes to what was done: then it is neither sent back nor skipped. */
function agrees(reason: string): boolean {
  const clauses = reason.split(/[,.;:!()\n–—]\s{0,3}|\s(?:and|but|so|then|-{1,2})\s/i);
  return clauses.some((clause) => agreement.some((words) => words.test(clause.trim())));
}

const agreement: readonly RegExp[] = [
  /^(?:(?:it|this|that|they|all|everything|the [\w.-]{1,30})(?:(?:'|’)(?:s|re))? )?(?:(?:is|are|was|were|looks?|seems?|sounds?) )?(?:(?:all|now|very|really|quite|so|pretty|already) )*(?:yes|good|great|nice|fine|ok|okay|right|correct|perfect|lgtm|sgtm|thanks|thank you|works|agreed|accept(?:ed|able)?|approved?|go ahead)(?![\w'’-])/i,
  /^(?:i|we)(?: do| will| can| would|(?:'|’)(?:ll|d|ve)| have)*(?: now| already| really)? (?:accept|approve|agree|like|love|trust)(?:e?d)?\b/i,
];

/** Whether it says that somebody needs it. */
function isWanted(reason: string): boolean {
  const says = /\b(?:needs?|needed|wants?|wanted|necessary|required|important|urgent|useful|has to|have to)\b/i;
  return says.test(reason) && !isNegated(reason) && !/\b(?:nobody|no one|nothing)\b/i.test(reason);
}

/** Whether a choice's word is said of a part of the work: "skip: the flaky test" is "skip the flaky test", and skips no goal. */
export function isOfPart(choice: string, said: string): boolean {
  return ["skip", "manual", "pause"].includes(choice) && object.test(said) && !isWhy(said);
}

function isWhy(reason: string): boolean {
  return why.test(`${reason} `) || whyOfThing.test(`${reason} `);
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
