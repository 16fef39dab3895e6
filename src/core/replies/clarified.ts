import { withoutTime } from "./another-time.ts";
import { asksForState } from "./asks-state.ts";
import { isBareNo, isControl, isInstruction, isQuestion, meaningsIn } from "./grammar.ts";
import { isForeign } from "./otherwise.ts";
import { acknowledges, isCourtesy } from "./seen.ts";
import { asKeyed, bareWords, plainly, withoutQuotes } from "./spoken.ts";

/** In characters: longer ones say something about the work, unless they begin otherwise. */
const longest = 80;

/**
 * Whether what is said under an agent's question may be no answer to it: a question in return, a wait, thanks, "I don't know", or what
 * would rather decide about the goal. The last attempt does not begin with it before somebody has confirmed that it is one; who labels
 * it has.
 */
export function mayBeNoAnswer(text: string): boolean {
  const said = plainly(withoutQuotes(asKeyed(text))).trim();
  // `@Transactional` may be an answer, and `@ana` is a call.
  if (said === "") return true;
  if (/^answer\s*:/i.test(said)) return false;
  if (said.endsWith("?") || asks.test(said) || waits.test(said) || decides.test(said)) return true;
  if (said.length > longest) return false;
  if (isQuestion(said) || asksForState(said) || isBareNo(said) || acknowledges(said)) return true;
  const bare = bareWords(bareWords(said).replace(polite, ""));
  if (isCourtesy(bare) || isForeign(said) || isControl(said) || says.some((words) => words.test(bare))) return true;
  const now = /\d/.test(said) ? null : withoutTime(said);
  if (now !== null && (now === "" || mayBeNoAnswer(now))) return true;
  return meaningsIn(said).length > 0 && !isInstruction(said);
}

const polite =
  /^(?:(?:(?:ok|okay|well|sorry|hm+|please|just)[,. ]|(?:no|nah|nope)[,.])\s{0,2})+|[, ]{1,2}(?:please|pls|plz|thanks|thx)$/gi;

/** It begins with a question, whatever follows. */
const asks =
  /^(?:(?:ok|hi|hey|sorry|so)[, ]{1,2})?(?:do|did|does|can|could|would|will|have|has|is|are|was|were|which|what|why|how|when|who|where)\b[^.!?\n]{1,200}\?/i;

const waits =
  /^(?:(?:ok|okay|hm+|yes|sure|sorry|hi|hey)[,. ]{1,3})?(?:(?:one|a|1) (?:sec|second|min|minute|moment)\b|just a (?:sec|second|min|minute|moment)\b|(?:give|wait|hold) (?:me|on|a)\b|gimme\b|hang on\b|wait\b|brb\b|afk\b|let me (?:think|check|look|see|ask|find)\b|(?:i(?:'|’)?(?:ll| will| need to| have to| must)?|will) (?:check|ask|look|think|find out|get back|answer|reply|have to (?:check|ask|look))\b|(?:looking|checking|thinking|asking)\b|(?:i )?(?:do not|don(?:'|’)?t) (?:know|understand|get (?:it|this|the question))\b|idk\b|dunno\b|no (?:idea|clue)\b|not sure\b|good question\b|(?:i(?:'|’)?m )?in a (?:meeting|call)\b)/i;

const decides =
  /^(?:(?:ok|okay|yes|yep|sure|no|nah|nope|please|just|actually|well)[,. ]{1,3})*(?:stop|abort|cancel|reject|deny|decline|never ?mind|nvm|forget (?:it|this|that|about)|drop (?:it|this|that)|skip|pause|discard|give up|retry[.!]*$|try (?:it )?again[.!]*$|leave (?:it|this|that)[.!]*$|i(?:'|’)?(?:ll| will) (?:do|handle|fix|take|finish)\b)/i;

const it = "(?:it|this|that|everything|(?:the|this|that|your) (?:goal|task|session|run|work|question))";
const who = String.raw`(?:@?[\p{L}\p{M}\w-]{1,30}|the team|somebody else|someone else)`;

/** Put together from words of ours: short replies of which nothing is left but a wait, a stop or somebody else. */
export const says: readonly RegExp[] = [
  /^(?:hm+|lol|ha(?:ha)+|huh|eh|uh|oh|wow|hold(?: (?:it|off|on))?|halt|stand by|not (?:today|tonight|now|yet)|eod|cob|tbd|(?:say|come) again|pardon|(?:in |give me )?\d{1,3} ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?|days?)|in a (?:bit|while|sec|second|min|minute|moment)|(?:after|before|at) (?:lunch|dinner|work|the (?:meeting|call|stand-?up|weekend|release))|(?:will |i(?:'|’)?ll )?answer later|soon|whatever|up to you|your (?:call|choice)|you decide|i guess|no opinion)$/i,
  new RegExp(
    `^(?:quit|(?:kill|end|close|delete|abandon|drop|remove|stop) ${it}|let it be|don(?:'|’)?t bother|wontfix)$`,
    "i",
  ),
  new RegExp(
    `^(?:(?:we|i) (?:do not|don(?:'|’)?t) (?:need|want) ${it}|(?:${it}(?: is|(?:'|’)s) )?(?:no longer|not) (?:needed|wanted|necessary|relevant)|no need|obsolete)(?: any ?more| now)?$`,
    "i",
  ),
  new RegExp(
    `^(?:(?:let|leave (?:it|this|that) (?:to|for)|ask|hand(?:ing)? (?:it|this|that) (?:over )?to|waiting for) ${who}(?: (?:do|handle|decide|answer|take|fix)(?: ${it})?)?|${who} (?:will|can|should|must) (?:do|handle|take|answer|fix|decide|know)(?: ${it})?|${who} knows|i can do ${it})$`,
    "iu",
  ),
  new RegExp(
    `^(?:i|we)(?:(?:'|’)?ve| have)? (?:already |just )?(?:did|done|fixed) ${it}(?: already| myself| by hand)?$`,
    "i",
  ),
];
