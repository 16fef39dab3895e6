/** Statements about what a program is or should be, as opposed to statements about a goal, people or time. */

/** Our own terms: "pause the campaign" is no work for an agent. */
export const ours =
  "bot|campaign|day|everything|goal|issue|milestone|night|project|question|queue|run|session|task|thing|ticket|week|work";

const named = String.raw`(?:it|that|this|the [\w .-]{1,40}?)`;

/** After "in", "on" and "at": not a place in a program when nothing follows. Excludes "it is in review", not "it is in main.ts". */
const noPlace = String.raw`(?:(?:the|a) )?(?:hold|holidays?|vacation|leave|way|fire|risk|doubt|question|purpose|time|track|schedule|me|us|you|him|her|them|it|review|discussion|progress|prod|production|main|master|staging|backlog|queue|wrong time|moment|my|our|your|his|their|q\d|\d{1,2}(?::\d\d)?(?:am|pm)?|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|[\w-]+['’]s)(?![\w/-]|\.\w)(?! (?:module|folder|file|package|directory|class|table|component|service|repo))`;

const kinds =
  "constant|function|class|method|string|number|integer|boolean|list|array|set|map|object|enum|type|link|button|table|column|field|date|uuid|component|module|file|script|flag|option|parameter|argument|variable|key|error|warning|dialog|checkbox";

/** Facts about a thing that can be found or used. Not judgements: "it is too risky", "the spec is wrong". */
const facts = String.raw`(?:(?:now |already |still )?(?:in|at|under|on|behind|inside|below|above|next to) (?!${noPlace})\S|(?:called|named|defined|stored|located|kept|spelled|written)\b|(?:an? (?:\w+ )?(?:${kinds})|null|undefined|nullable|optional|required|empty|async)[.!]*$|[\x60"“]|(?!\d)\S{0,40}[\d_/\\.]\w)`;

/** A faulty part of a program that can be fixed: "the fixture is wrong". Not our own terms, or things that are not fixed there. */
const wrong = String.raw`the (?:[\w.-]{1,40} ){0,3}(?!(?:${ours}|spec|plan|estimate|budget|costs?|idea|approach|card|answer|choice|time|timing|moment|deadline|customer|team|ci|build|pipeline|server|network|internet|agent|model|repo|repository|branch|person|channel|thread)s? )[\w.-]{1,40} (?:is|are) (?:still |also |now )?(?:wrong|broken|missing|stale|outdated|obsolete|incomplete|duplicated|deprecated|unused|too (?:long|short|strict|slow))(?: (?:now|there|again|(?:in|on|at|for) [\w ./-]{1,60}))?(?:[.!]*$|[,;:.] )`;

const lacks = String.raw`${named} needs? (?:an? |more |some |better ){0,2}(?:\w{1,20} )?(?:tests?|docs|documentation|comments?|types?|validation|(?:error )?handling)\b`;

/** Built from fixed word lists; runs in linear time. */
export const whatIs = new RegExp(
  String.raw`^${named}(?: is|(?:'|’)s) ${facts}|^${named} lives\b|^${wrong}|^${lacks}|^the (?:problem|bug|issue|error|cause|reason) is (?:that |in |the |an? )`,
  "i",
);

/** True for a fact that an agent needs: "It is in src/bus.ts", "the fixture is wrong", "it needs a test". */
export function saysWhatIs(plain: string): boolean {
  return whatIs.test(plain);
}

/**
 * True when the text says what a part of the program should do or be: "Prices should be rounded", "`npm run build` must be run first".
 * False for what people should do, for our own terms, and for things that wait: "ops has to restart it", "the release should wait".
 */
export function saysWhatShouldBe(plain: string): boolean {
  const found = shouldBe.exec(plain);
  if (found === null) return false;
  const [, subject = "", predicate = ""] = found;
  if (subject.startsWith("`")) return true;
  const isToBecome = becomes.test(predicate) && !ofDecisions.test(predicate);
  if (/^(?:it|this|that)$/i.test(subject))
    return !ofGoals.test(predicate) && (isToBecome || (does.test(predicate) && !ofTime.test(predicate)));
  return !someone.test(subject) && !isName(subject) && (does.test(predicate) || isToBecome);
}

const shouldBe =
  /^(`[^`\n]{1,80}`|[\w.'’-]{1,40}(?: [\w.'’-]{1,40}){0,3}) (?:should|must|needs? to|ha(?:s|ve) to) (\w[^]{0,60})/;

/** One capitalised word may be the first word of a sentence ("Prices"); several are a name. */
function isName(subject: string): boolean {
  const words = subject.split(" ");
  const isCapital = words.every((word) => /^\p{Lu}/u.test(word));
  return isCapital && !(words.length === 1 && /\ws$/.test(subject));
}

/** Also said of the goal: "it should start on Monday". */
const ofTime = /^(?:start|end|begin|exit|open|close|have)\b/i;
const someone = new RegExp(
  String.raw`^(?:i|we|you|he|she|they|it|this|that|one|all|both|either|there|who|what|which|whoever|where|when|why|how|if|no|nobody|not|(?:some|any|every)(?:one|body|thing)|people|someone else|(?:(?:the|our|my|this|that) )?(?:rest|max|min|ci|deploy(?:ment)?|release|budget|tests?|build|${ours})s?)$`,
  "i",
);
/** Verbs for programs, rarely used for people. */
const does =
  /^(?:(?:not|never|always|only|still|also|first) ){0,2}(?:return|show|print|accept|support|handle|throw|log|use|have|contain|include|match|allow|ignore|round|sort|default to|end (?:with|in|at)|start (?:with|in|at)|begin with|render|display|open|close|save|load|keep|send|receive|respond|redirect|call|exit|parse|be able to|work (?:offline|with|without)|fail|break|crash|block|hang|leak|depend|wrap|scroll|validate|reject|cache|escape|trim|strip|convert|format|wait (?:for|until) (?!\w+ (?:review|approval|ok|release|meeting|call|weekend|team|customer))(?:the|an?|all|each|every))(?! (?:a look|it first|this first|(?:your|my|his|her|their) ))\b/i;
/** Built from fixed word lists; runs in linear time. */
export const becomes = new RegExp(
  String.raw`^(?:(?:not|never|always|only|still|also|first) ){0,2}be (?:(?:not|never|always|only|still|also|first) )?(?:(?!down\b)\w+(?:ed|able|ible|al|en|wn|ut|nt)|null|empty|unique|private|public|static|lazy|async|idempotent|run|set|in|at|under|on|red|blue|black|white|gr[ae]y|bold|(?:small|bigg|larg|short|long|low|high|wid)er|(?:upper|lower) ?case|read|kept|built|made|held|bound|an? (?:\w+ )?(?:${kinds}))\b|^(?:(?:not|always|only) )?be (?:["\x60“$€£]|\S{0,20}[\d_/\\.]\w|\d)`,
  "i",
);
const ofDecisions =
  /\bbe (?:\w+ )?(?:asked|told|informed|consulted|involved|paused|stopped|skipped|cancell?ed|discussed|approved|reviewed|decided|merged|deployed|released|raised|fixed|resolved|finished|tested(?! (?:with|on|against) )|solved|delayed|postponed|back|present|patient|confident)\b/i;
/** With "it" these mean the goal, when nothing follows: "it should be possible", "it needs to be clarified first". */
const ofGoals =
  /^(?:\w+ )?be (?:\w+ )?(?:confirmed|clarified|checked|verified|agreed|planned|estimated|prioriti[sz]ed|rescheduled|announced|coordinated|escalated|answered|signed|possible|feasible|acceptable|available|reasonable|doable|manageable|stable)(?:[.!]*$| (?:first|now|soon|today|again|before|by|with (?:the|\p{Lu}))\b)/iu;
