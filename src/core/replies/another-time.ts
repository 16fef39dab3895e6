import { isShort } from "./grammar.ts";

/*
 * "retry tomorrow", "proceed at 18:00", "try again when the server is up": an answer that is meant for another time. Answers hold
 * from now on, so it is asked back, never taken for one of now.
 */

const day = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const part = "(?:morning|afternoon|evening)";
const unit = "(?:min(?:ute)?|hour|day|week|month)s?";

/** A time that is said in a few words, wherever it stands. */
const moments = new RegExp(
  String.raw`\b(?:(?:not (?:now|yet)[, ]+)?(?:but )?(?:(?:tomorrow|tonight|later)(?: (?:${part}|night|on|today|this week))?|(?:on |by |until |till |from )?(?:next |this |coming )?${day}(?: ${part})?|next (?:week|month)|(?:in the|this) ${part}|(?:in|after) (?:\d{1,3}|an?|one|two|three|a few|a couple of) ${unit}|(?:at|after|around|from) (?:\d{1,2}(?::\d\d)?(?: ?[ap]m| o(?:'|’)?clock)?|noon|midnight)(?=[.,;!]|$)))(?![\w-])`,
  "gi",
);

/** A condition, up to the end. */
const clause = /\b(?:when|whenever|once|after|as soon as|until|till) \S[^]*$/i;
const leftOver = /[,;:.!– -]{1,9}$/;

/** A short reply without the times and conditions in it; null: it names none. */
export function withoutTime(said: string): string | null {
  if (!isShort(said)) return null;
  const now = said.replace(moments, " ").replace(/ {2,}/g, " ").trim();
  if (now !== said.trim()) return now.replace(leftOver, "");
  const at = clause.exec(said)?.index ?? 0;
  const before = said.slice(0, at).trim().replace(leftOver, "");
  // "once more" is no condition, and a label's colon begins what to do.
  return before === "" || said.slice(0, at).includes(":") || /^once (?:more|again)\b/i.test(said.slice(at))
    ? null
    : before;
}
