import { isShort } from "./grammar.ts";

/*
 * "retry tomorrow", "proceed at 18:00", "try again when the server is up": answers that are meant for another time. An answer takes
 * effect at once, so the writer is asked to answer later. Such a reply is never taken as an answer for now.
 */

/** Short expressions of time, anywhere in the reply. */
const moments: readonly RegExp[] = [
  /\b(?:tomorrow|tonight|later)(?: (?:morning|afternoon|evening|night|on|today|this week))?(?![\w-])/gi,
  /\b(?:(?:on|by|until|till|from) )?(?:(?:next|this|coming) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening))?(?![\w-])/gi,
  /\b(?:next (?:week|month)|(?:in the|this) (?:morning|afternoon|evening))(?![\w-])/gi,
  /\b(?:in|after) (?:\d{1,3}|an?|one|two|three|a few|a couple of) (?:min(?:ute)?|hour|day|week|month)s?(?![\w-])/gi,
  /\b(?:at|after|around|from) (?:\d{1,2}(?::\d\d)?(?: ?[ap]m| o(?:'|’)?clock)?|noon|midnight)(?=[.,;!]|$)/gi,
];

/** A condition, up to the end of the reply. */
const clause = /\b(?:when|whenever|once|after|as soon as|until|till) \S[^]*$/i;
const leftOver = /[,;:.!– -]{1,9}$/;

/** Returns a short reply without the times and conditions in it. Null when it names none. */
export function withoutTime(said: string): string | null {
  if (!isShort(said)) return null;
  const now = moments.reduce((rest, moment) => rest.replace(moment, " "), said);
  if (now !== said) return now.replace(/ {2,}/g, " ").trim().replace(leftOver, "");
  const at = clause.exec(said)?.index ?? 0;
  const before = said.slice(0, at).trim().replace(leftOver, "");
  // "once more" is not a condition, and the text after a label's colon is an instruction.
  return before === "" || said.slice(0, at).includes(":") || /^once (?:more|again)\b/i.test(said.slice(at))
    ? null
    : before;
}

/** True when the reply names a duration or a condition. A skipped goal stays skipped, even when that time has come. */
export function isUntil(said: string): boolean {
  return /\b(?:until|till|when|whenever|once|after|as soon as)\b/i.test(said);
}

/** True for "retry after you clear the cache": the words name a step to do first, not a time. */
export function saysWhatFirst(said: string): boolean {
  return /\bafter you(?!r\b)/i.test(said);
}
