import { namesNoWork } from "./not-work.ts";

/** What is told to an agent, and how it differs from what is decided about its goal. */

/** What we speak of: "pause the campaign" is no work for an agent. */
export const ours =
  "bot|campaign|day|everything|goal|issue|milestone|night|project|question|queue|run|session|task|thing|ticket|week|work";

const object = `(?:it(?: all)?|(?:this|that)(?: one)?|them|these|those|both|all(?: (?:of )?(?:it|them|this|that|these|those))?|everything|(?:(?:the|this|that|these|those|all|my|our|your|any) )?(?:(?:whole|entire|remaining|other|current|next|rest|of|the) )*(?:${ours})s?)`;
const behind =
  "please|pls|plz|thanks|thank|thx|until|till|when|whenever|while|once|after|as|if|unless|because|since|tonight|today|tomorrow|later|now|then|and|or|but|so|too|instead|entirely|altogether|completely|here|again|anyway|with|without|using|by|we|i|no|not|nobody|never|this (?:time|week|month)|next (?:time|week|month)|for (?:now|today|tonight|good|me|this|the (?:moment|time|night|day))|(?:at|in|around) (?:\\d\\w*|an? \\w+|noon|midnight|the (?:morning|afternoon|evening))|for (?:lunch|dinner|breakfast|coffee|an hour|a (?:bit|while|break|moment|minute)|the (?:weekend|holidays))(?=[.,;!]|$| (?:please|thanks|and|then|until)\\b)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day";
/** What a word of ours has behind it where it decides: nothing, what we work, or when and why. */
const decided = String.raw`\b(?: ${object})?(?:\s{0,3}(?:$|[.,;:!?)–—-]|\n)|\s{1,3}(?:${behind})\b)`;

/** Words that decide, where they name a thing or have one to work on: "add a pause button", "skip the docs", "skip linting". */
export const things = new RegExp(
  String.raw`\b(?:skip|retry|pause)(?!${decided})\b(?: (?:the|an?|all|any|those|these|its|our)(?= ))?[ =]?[\w-]*|\b(?:an?|the|its) (?:skip|retry|pause|manual)\w*`,
  "gi",
);

/** What was asked for is allowed, or why: a yes, and nothing to do. "Allow it to be null" is work. */
const permitted = String.raw`(?:ed)?(?: (?:it|this|that|once|this (?:one|once|time|command|action|call|request)|for now|please|thanks))*(?:[.!]*$|\s?[:;,–-]\s)`;

const verbs = String.raw`use|try|add|allow(?!${permitted})|remove|delete|rename|move|keep|leave|set|change|replace|fix|revert|undo|install|run|write|rewrite|read|look|check|make|put|create|introduce|support|start|import|export|call|return|handle|ignore|avoid|switch|update|upgrade|downgrade|pin|rebase|merge|split|extract|inline|mock|stub|test (?:it|this|that|the|with|on|against)|(?:skip|pause|retry)(?!${decided}) |disable|enable|ensure|include|exclude|increase|decrease|lower|raise|wrap|convert|parse|copy|follow|take|go with|go for|stick to|limit|point|configure|swap|reorder|shorten|focus|prefer|document|implement|refactor|simplify|reuse|bump|cut|drop (?!(?:it|this|that|them)\b)|charge|round|apply|validate|do (?:it|this|that) (?:differently|another way|the other way|in another way|like|this way|by|with|without|as)`;

const work = String.raw`(?:please |just |only |then |instead,? |first,? |next,? |you (?:should|must|can|need to) |it (?:should|must|needs to) |the \S+ (?:is|lives|should|must) )?(?:(?:do not|don'?t|never) )?(?:${verbs})\b`;
const named = String.raw`(?:it|that|this|the [\w .-]{1,40}?)`;
const noPlace = String.raw`(?:(?:the|a) )?(?:hold|holidays?|vacation|leave|way|fire|risk|doubt|question|purpose|time|track|schedule|me|us|you|him|her|them|it|review|discussion|progress|prod|production|main|master|staging|backlog|queue|wrong time|moment|my|our|your|his|their|q\d|\d{1,2}(?::\d\d)?(?:am|pm)?|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|[\w-]+['’]s)\b`;
/** What of a program is wrong, so that it is put right: "the fixture is wrong". Never what we keep, or what nobody puts right there. */
const wrong = String.raw`the (?:[\w.-]{1,40} ){0,3}(?!(?:${ours}|spec|plan|estimate|budget|costs?|idea|approach|card|answer|choice|time|timing|moment|deadline|customer|team|ci|build|pipeline|server|network|internet|agent|model|repo|repository|branch|person|channel|thread)s? )[\w.-]{1,40} (?:is|are) (?:still |also |now )?(?:wrong|broken|missing|stale|outdated|obsolete|incomplete|duplicated|deprecated|unused|too (?:long|short|strict|slow))(?: (?:now|there|again|in [\w./-]{1,60}))?`;
/** What is said of something to be found or to be taken, never how somebody judges it: "it is too risky", "the spec is wrong". */
const facts = String.raw`(?:(?:now |already |still )?(?:in|at|under|on|behind|inside|below|above|next to) (?!${noPlace})\S|(?:called|named|defined|stored|located|kept|spelled|written)\b|[\x60"“]|(?!\d)\S{0,40}[\d_/\\.]\w)`;

const instructions = new RegExp(
  String.raw`^${work}|\binstead\b|^${named}(?: is|(?:'|’)s) ${facts}|^${named} lives\b|^${wrong}(?:[.!]*$|[,;:.] )|^${named} needs? (?:an? |more |some |better ){0,2}(?:\w{1,20} )?(?:tests?|docs|documentation|comments?|types?|validation|(?:error )?handling)\b|,? so (?:please |just )?(?:${verbs})\b`,
  "i",
);
const working = new RegExp(String.raw`^${work}`, "i");

/** A sentence that begins with what to do, or says what should or must be. Never one that speaks to the machine about itself. */
export function isInstruction(said: string): boolean {
  if (/\b(?:ignore|forget|disregard)\b.{0,40}\b(?:instruction|rule|prompt|policy|policies)s?\b/i.test(said))
    return false;
  if (/\bapprove (?:everything|all)\b/i.test(said) || ofPeople.test(said) || namesNoWork(said)) return false;
  const plain = said.replace(bullet, "");
  return instructions.test(plain) || saysWhatShouldBe(plain);
}

/** Whether it begins with a verb of work, or says what a part of it should do. */
export function beginsAsWork(said: string): boolean {
  const plain = said.trim().replace(bullet, "");
  return working.test(plain) || saysWhatShouldBe(plain);
}

/**
 * "Prices should be rounded", "`npm run build` must be run first": what a part of the program is to do or to be. Never what somebody
 * should do, what we work, or what waits for something: "ops has to restart it", "the release should wait".
 */
function saysWhatShouldBe(plain: string): boolean {
  const found = shouldBe.exec(plain);
  if (found === null) return false;
  const [, subject = "", predicate = ""] = found;
  if (subject.startsWith("`")) return true;
  const isToBecome = becomes.test(predicate) && !ofDecisions.test(predicate);
  if (/^(?:it|this|that)$/i.test(subject)) return isToBecome || (does.test(predicate) && !ofTime.test(predicate));
  return !someone.test(subject) && !isName(subject) && (does.test(predicate) || isToBecome);
}

const shouldBe =
  /^(`[^`\n]{1,80}`|[\w.'’-]{1,40}(?: [\w.'’-]{1,40}){0,3}) (?:should|must|needs? to|ha(?:s|ve) to) (\w[^]{0,60})/;

/** One word with a capital may be a sentence's first word ("Prices"), several are a name. */
function isName(subject: string): boolean {
  const words = subject.split(" ");
  const isCapital = words.every((word) => /^\p{Lu}/u.test(word));
  return isCapital && !(words.length === 1 && /\ws$/.test(subject));
}

/** What is said of the goal, too: "it should start on Monday". */
const ofTime = /^(?:start|end|begin|exit|open|close|have)\b/i;
const someone = new RegExp(
  String.raw`^(?:i|we|you|he|she|they|it|this|that|one|all|both|either|there|who|what|which|whoever|where|when|why|how|if|no|nobody|not|(?:some|any|every)(?:one|body|thing)|people|someone else|(?:(?:the|our|my|this|that) )?(?:rest|max|min|ci|deploy(?:ment)?|release|budget|tests?|build|${ours})s?)$`,
  "i",
);
/** What programs do, and people hardly say of each other. */
const does =
  /^(?:(?:not|never|always|only|still|also|first) ){0,2}(?:return|show|print|accept|support|handle|throw|log|use|have|contain|include|match|allow|ignore|round|sort|default to|end (?:with|in|at)|start (?:with|in|at)|begin with|render|display|open|close|save|load|keep|send|receive|respond|redirect|call|exit|parse|be able to|work (?:offline|with|without)|wait (?:for|until) (?!\w+ (?:review|approval|ok|release|meeting|call|weekend|team|customer))(?:the|an?|all|each|every))(?! (?:a look|it first|this first|(?:your|my|his|her|their) ))\b/i;
const becomes =
  /^(?:(?:not|never|always|only|still|also|first) ){0,2}be (?:(?:not|never|always|only|still|also|first) )?(?:(?!down\b)\w+(?:ed|able|ible|al|en|wn|ut|nt)|null|empty|unique|private|public|static|lazy|async|idempotent|run|set|in|at|under|on|red|blue|black|white|gr[ae]y|bold|(?:small|bigg|larg|short|long|low|high|wid)er|(?:upper|lower) ?case|read|kept|built|made|held|bound|an? (?:\w+ )?(?:constant|function|class|method|string|number|integer|boolean|list|array|set|map|object|enum|type|link|button|table|column|field|date|uuid|component|module|file|script|flag|option|parameter|argument|variable|key|error|warning|dialog|checkbox))\b|^(?:(?:not|always|only) )?be (?:["`“$€£]|\S{0,20}[\d_/\\.]\w|\d)/i;
const ofDecisions =
  /\bbe (?:\w+ )?(?:asked|told|informed|consulted|involved|paused|stopped|skipped|cancell?ed|discussed|approved|reviewed|decided|merged|deployed|released|raised|fixed|resolved|finished|tested|solved|delayed|postponed|back|present|patient|confident|confirmed|clarified|(?:checked|verified)(?! (?:for|against|with) )|agreed|planned|estimated|prioriti[sz]ed|rescheduled|announced|coordinated|escalated|answered|signed|possible|feasible|acceptable|available|reasonable|doable|manageable|stable|able)\b/i;

const bullet = /^(?:[-*•]|\d{1,2}[.)])\s{1,3}/;

/** What people do before somebody decides, and no program: "legal has to sign off", "the team should discuss it". */
const ofPeople =
  /^(?:[\w'’-]{1,40} ){1,4}(?:should|must|needs? to|ha(?:s|ve) to) (?:first )?(?:decide|approve|sign (?:off|it)|agree|confirm|discuss|talk)\b/i;
