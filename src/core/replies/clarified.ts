import { withoutTime } from "./another-time.ts";
import { asksForState } from "./asks-state.ts";
import { elsewhereWords } from "./elsewhere.ts";
import { isBareNo, isControl, isQuestion, meaningsIn } from "./grammar.ts";
import { isInstruction } from "./instruction.ts";
import { isForeign } from "./otherwise.ts";
import { isAskedAmount, isPlainAnswer } from "./plain-answer.ts";
import { acknowledges, isCourtesy } from "./seen.ts";
import { asKeyed, bareWords, named, plainly, withNames, withoutQuotes } from "./spoken.ts";

/** In characters. A longer text says more than these patterns, unless it begins with one of them. */
const longest = 80;

/**
 * True when a reply to an agent's question may be no answer to it: a question in return, a wait, thanks, "I don't know", a delegation,
 * a decision about the goal, or any text that is not plainly an answer. Someone must confirm such a reply before the last
 * attempt uses it. A reply labelled "answer:" needs no confirmation. `asked`: the agent's question.
 */
export function mayBeNoAnswer(text: string, asked = ""): boolean {
  const typed = asKeyed(text);
  // `@Transactional` may be an answer; `@ana` addresses a person.
  return [withoutQuotes(typed), withNames(typed)].some((said) => isDoubtful(plainly(said).trim(), asked));
}

function isDoubtful(said: string, asked: string): boolean {
  if (said === "") return true;
  if (/^answer\s*:/i.test(said)) return false;
  if (said.endsWith("?") || [asks, waits, decides, asksBack, isElsewhere].some((words) => words.test(said)))
    return true;
  if (delegates.test(said)) return true;
  if (said.length > longest) return !isPlainAnswer(said, asked);
  if (isQuestion(said) || asksForState(said) || isBareNo(said) || acknowledges(said)) return true;
  if (elsewhereWords(said) !== null) return true;
  const bare = bareWords(bareWords(said).replace(polite, ""));
  if (isAskedAmount(bare, asked)) return false;
  if (isCourtesy(bare) || isForeign(said) || isControl(said) || says.some((words) => words.test(bare))) return true;
  const now = /\d/.test(said) ? null : withoutTime(said);
  if (now !== null && isDoubtful(now, asked)) return true;
  if (meaningsIn(said).length > 0 && !isInstruction(said)) return true;
  return !isPlainAnswer(bare, asked);
}

const polite =
  /^(?:(?:(?:ok|okay|well|sorry|hm+|please|just)[,. ]|(?:no|nah|nope)[,.])\s{0,2})+|[, ]{1,2}(?:please|pls|plz|thanks|thx)$/gi;

/** The text begins with a question, whatever follows. */
const asks =
  /^(?:(?:ok|hi|hey|sorry|so)[, ]{1,2})?(?:do|did|does|can|could|would|will|have|has|is|are|was|were|which|what|why|how|when|who|where)\b[^.!?\n]{1,200}\?/i;

const waits =
  /^(?:(?:ok|okay|hm+|yes|sure|sorry|hi|hey)[,. ]{1,3})?(?:not (?:now|yet)[,.;]|(?:one|a|1) (?:sec|second|min|minute|moment)\b|just a (?:sec|second|min|minute|moment)\b|(?:give|wait|hold) (?:me|on|a)\b|gimme\b|hang on\b|(?:i(?:'|’)?m|i am|we(?:'|’)?re|we are) (?:still )?(?:thinking|checking|looking|asking|discussing|unsure|not sure)\b|wait\b|brb\b|afk\b|let me (?:think|check|look|see|ask|find|get back|come back|read|talk|confirm)\b|(?:i(?:'|’)?(?:ll| will| need to| have to| must)?|will|need to|have to) (?:check|ask|look|think|find out|get back|come back|answer|reply|discuss|confirm|consult|(?:talk|speak) (?:to|with)|have to (?:check|ask|look))\b|(?:looking|checking|thinking|asking)\b|(?:i )?(?:do not|don(?:'|’)?t) (?:know|understand|get (?:it|this|the question))\b|idk\b|dunno\b|no (?:idea|clue)\b|not sure\b|good question\b|(?:i(?:'|’)?m )?in a (?:meeting|call)\b)/i;

/** Asks for more information, or says that nobody here can answer. */
const asksBack =
  /^(?:(?:ok|okay|yes|sure|sorry|hi|hey|well|please|but)[,. ]{1,3}){0,3}(?:(?:i |we )?need (?:some |a bit |a little )?(?:more|further)\b|more (?:context|info|information|details?)\b|(?:explain|elaborate|clarify|details?)(?:[.!]|$| (?:please|what|why|how|the question|this|that|more|on)\b)|(?:show|tell|send|give|remind|paste|ping|dm|call|message|keep|update) (?:me|us)\b|let me know\b|(?:can|could|would|will|should) (?:someone|somebody|anyone|anybody)\b|send (?:it|this|that) (?:back )?to (?:me|us)\b|(?:show|paste|post|send|link) (?:the |your )?(?:diff|logs?|errors?|output|code|question|trace)[.!]*$|(?:this |that |it )?(?:(?:is|(?:'|’)s) )?not my (?:area|part|job|team|field|call|goal|project)\b|wrong (?:thread|channel|person|goal|place)\b|(?:see|read) (?:above|below|what i)\b|as (?:discussed|said|above)\b|(?:i|we)(?:(?:'|’)?ve| have)? (?:already )?(?:answered|said|told|wrote|written)\b|(?:i|we) (?:can(?:'|’)?t|cannot|could ?n(?:'|’)?t) (?:say|tell|decide|answer|judge|help|look|check|see|access|open|reach)\b|(?:i|we)(?:(?:'|’)?ve| have)? (?:got )?no (?:idea|clue|opinion|time|access|preference)\b)/i;

/** The writer is away, or says until when. */
const isElsewhere =
  /^(?:(?:sorry|hi|hey|ok)[,. ]{1,3})?(?:(?:i(?:'|’)?m|i am|am|we(?:'|’)?re) (?:still |currently |just )?(?:back|busy|away|out|off|free|ooo|afk|offline|travell?ing|driving|in|on|at|not|no longer)\b|(?:back|busy|away|out|off|free|available|ooo|afk|offline|brb) (?:in|at|on|until|till|from|after|today|tonight|tomorrow|now|this|next|soon|later)\b|on (?:my (?:phone|way)|vacation|holiday|leave|pto)\b)/i;

/** A decision about the goal, whatever was asked: a choice with more words, or a wish to stop. */
const decides =
  /^(?:(?:ok|okay|yes|yep|sure|no|nah|nope|please|just|actually|well)[,. ]{1,3})*(?:stop|abort|cancel|reject|deny|decline|never ?mind|nvm|forget (?:it|this|that|about)|drop (?:it|this|that)|skip|pause|discard|give up|retry[.!]*$|try (?:it )?again[.!]*$|leave (?:it|this|that)[.!]*$|i(?:'|’)?(?:ll| will) (?:do|handle|fix|take|finish)\b|go on\b|(?:do not|don(?:'|’)?t|no need to|never) (?:continue|go on|go ahead|keep going|proceed|start anything|work on (?:it|this|that))\b|(?:it|this|that|(?:the|this|that) (?:whole |entire )?(?:goal|task))(?: is|(?:'|’)s) (?:now )?(?:obsolete|outdated|moot|no longer|not (?:needed|wanted|necessary|relevant)|a duplicate)\b)/i;

const it = "(?:it|this|that|everything|(?:the|this|that|your) (?:goal|task|session|run|work|question))";
const who = String.raw`(?:@?[\p{L}\p{M}\w-]{1,30}|the (?:[\w-]{1,30} )?team|somebody else|someone else)`;

/** Another person should answer, whatever follows: "ask @bob about it", "@bob knows that better". */
export const delegates = new RegExp(
  `^(?:(?:ok|okay|yes|sure|sorry|hi|hey|hm+|well|no|please|better|just|maybe|you (?:should|could|can|must)|i(?:'|’)?d|i would|let(?:'|’)?s)[,. ]{1,3}){0,3}(?:(?:ask|asking|ping|pinging|tag|tagging|cc|fyi|poke|(?:check|confirm|talk|speak|sync|discuss(?: ${it})?)(?:ing)? with|(?:talk|speak|reach out|defer|adding) to|wait(?:ing)? (?:for|on)|contact|(?:leave|give|hand|assign|pass|forward)(?: ${it})? (?:over )?to) ${who}(?![\\p{L}\\p{N}])|(?:call|write|message|dm|try|let|tell|add|assign|wait(?:ing)?|up to|over to|it(?:'|’)?s|that(?:'|’)?s) ${named}|${named}[:,]?(?: (?:will|can|could|should|must|may|might|would|please|pls|knows?|decides?|has to|needs to|is the|might|thoughts|wdyt)\\b|$))`,
  "iu",
);

/** Built from fixed word lists. Short replies that only say wait, stop or name another person. */
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
