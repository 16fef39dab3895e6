import { asksForState, isBareNo, isInstruction, isQuestion, meaningsIn } from "./grammar.ts";
import { acknowledges } from "./seen.ts";
import { asKeyed, plainly, withoutQuotes } from "./spoken.ts";

/** In characters: longer ones say something about the work. */
const longest = 80;

/**
 * Whether what is said under an agent's question may be no answer to it: a question in return, a wait, or what would rather decide
 * about the goal. The last attempt does not begin with it before somebody has confirmed that it is one; who labels it has.
 */
export function mayBeNoAnswer(text: string): boolean {
  const said = plainly(withoutQuotes(asKeyed(text))).trim();
  // `@Transactional` may be an answer, and `@ana` is a call.
  if (said === "") return true;
  if (said.length > longest || /^answer\s*:/i.test(said)) return false;
  if (isQuestion(said) || asksForState(said) || isBareNo(said) || acknowledges(said)) return true;
  if (waits.test(said) || decides.test(said)) return true;
  return meaningsIn(said).length > 0 && !isInstruction(said);
}

const waits =
  /^(?:(?:ok|okay|hm+|yes|sure|sorry|hi|hey)[,. ]{1,3})?(?:(?:one|a|1) (?:sec|second|min|minute|moment)\b|just a (?:sec|second|min|minute|moment)\b|(?:give|wait|hold) (?:me|on|a)\b|wait\b|brb\b|let me (?:think|check|look|see|ask|find)\b|i(?:'|’)?(?:ll| will| need to| have to| must)? (?:check|ask|look|think|find out|get back|have to (?:check|ask|look))\b|(?:looking|checking|thinking|asking)\b|(?:i )?(?:do not|don(?:'|’)?t) know\b|no idea\b|not sure\b|good question\b)/i;

const decides =
  /^(?:(?:ok|okay|no|please|just|actually|well)[,. ]{1,3})*(?:stop|abort|cancel|reject|deny|decline|never ?mind|forget (?:it|this|that|about)|drop (?:it|this|that)|skip|pause|discard|retry[.!]*$|try (?:it )?again[.!]*$|leave (?:it|this|that)[.!]*$|i(?:'|’)?(?:ll| will) (?:do|handle|fix|take|finish)\b)/i;
