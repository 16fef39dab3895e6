import { isShort } from "./grammar.ts";

/*
 * "retry tomorrow", "proceed at 18:00", "try again when the server is up": an answer that is meant for another time. Answers hold
 * from now on, so it is asked back, never taken for one of now.
 */

/** Times that are said in a few words, wherever they stand. */
const moments: readonly RegExp[] = [
  /\b(?:tomorrow|tonight|later)(?: (?:morning|afternoon|evening|night|on|today|this week))?(?![\w-])/gi,
  /\b(?:(?:on|by|until|till|from) )?(?:(?:next|this|coming) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening))?(?![\w-])/gi,
  /\b(?:next (?:week|month)|(?:in the|this) (?:morning|afternoon|evening))(?![\w-])/gi,
  /\b(?:in|after) (?:\d{1,3}|an?|one|two|three|a few|a couple of) (?:min(?:ute)?|hour|day|week|month)s?(?![\w-])/gi,
  /\b(?:at|after|around|from) (?:\d{1,2}(?::\d\d)?(?: ?[ap]m| o(?:'|’)?clock)?|noon|midnight)(?=[.,;!]|$)/gi,
];

/** A condition, up to the end. */
const clause = /\b(?:when|whenever|once|after|as soon as|until|till) \S[^]*$/i;
const leftOver = /[,;:.!– -]{1,9}$/;

/** A short reply without the times and conditions in it; null: it names none. */
export function withoutTime(said: string): string | null {
  if (!isShort(said)) return null;
  const now = moments.reduce((rest, moment) => rest.replace(moment, " "), said);
  if (now !== said) return now.replace(/ {2,}/g, " ").trim().replace(leftOver, "");
  const at = clause.exec(said)?.index ?? 0;
  const before = said.slice(0, at).trim().replace(leftOver, "");
  // "once more" is no condition, and a label's colon begins what to do.
  return before === "" || said.slice(0, at).includes(":") || /^once (?:more|again)\b/i.test(said.slice(at))
    ? null
    : before;
}

/** Whether it is for as long as something lasts, or on a condition: what is skipped stays so, also when its time has come. */
export function isUntil(said: string): boolean {
  return /\b(?:until|till|when|whenever|once|after|as soon as)\b/i.test(said);
}

/** "retry after you clear the cache": no time, but what to do first. */
export function saysWhatFirst(said: string): boolean {
  return /\bafter you(?!r\b)/i.test(said);
}
