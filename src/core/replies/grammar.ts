import type { CompiledReply } from "./compiled-reply.ts";
import { beginsAsWork, isInstruction, things } from "./instruction.ts";
import { acknowledges, isCourtesy } from "./seen.ts";
import { plainly } from "./spoken.ts";
import { ours } from "./what-is.ts";

export type Plain = Extract<CompiledReply, { type: "retry" | "proceed" | "skip" | "manual" | "pause" }>;

const phrases: readonly { readonly meaning: Plain; readonly words: RegExp }[] = [
  {
    meaning: { type: "skip" },
    words:
      /\bskip\b|\b(?:drop|forget(?: about)?|leave out) (?:it|this|that)\b|\b(?:drop|delete|cancel|abandon|forget(?: about)?) (?:the|this|that) (?:whole |entire )?(?:goal|task)(?=$|[.,;!]| (?:please|pls|now|then|and|for now)\b)|\bmove on(?=$|[.,;!]| (?:to|with|without|please|now|and|then|from)\b)|\bnot worth it\b/i,
  },
  {
    meaning: { type: "manual" },
    words:
      /\bmanual(?:ly)?\b|\bI(?:'|’)?(?:ll| will| am going to|'m going to) (?:do|handle|fix|take|finish)(?: (?:it|this|that|care of (?:it|this|that)|over|(?:the|this) (?:goal|task|rest|work))\b|(?=[.,;!]|$))|\b(?:do|handle|fix) (?:it|this|that) myself\b|\bleave (?:it|this|that) (?:to|with) me\b|\bI(?:'|’)?(?:ve| have)? (?:got|have) this(?=[.!,]|$| (?:one|now|covered)\b)/i,
  },
  {
    meaning: { type: "pause" },
    words:
      /\bpause\b|\bhold (?:on|off|it)\b|\bwait (?:for me|until)\b|\bstop (?:for now|here|everything|the session)(?=$|[.,;!]| (?:please|for|until|now|and|then|here)\b)/i,
  },
  {
    meaning: { type: "retry", instruction: null },
    words:
      /\bretry\b|^(?:please |just )?rerun(?: it| this| that)?(?: please)?[.!]*$|\b(?:try|run|do|check|verify|test) (?:it |this |that )?(?:once )?(?:again|once more|one more time)\b|^(?:please |just )?(?:try|run) (?:it |this |that )?now(?: please)?[.!]*$|\banother (?:try|attempt|go)\b|^(?:please |just )?(?:once more|one more time)(?:,? (?:please|pls))?[.!]*$|\bgive it another\b/i,
  },
  {
    meaning: { type: "proceed" },
    words:
      /^(?:please )?(?:(?:cool|great|perfect|nice|alright|all right|awesome|thanks|thank you|thx|(?:yes|yep|yeah|ok|okay|sure)(?=[,. ]{1,3}(?:it|this|that)\b))[,.! ]{1,3})?(?:yes|yep|yup|yeah|y|ok|okay|k|sure(?: thing)?|let(?:'|’)?s do (?:it|this|that)|all good|fine(?: by me| with me)?|lgtm|sgtm|works for me|(?:is )?(?:good|fine|ok(?:ay)?) (?:for|by|with) (?:me|us)|for (?:me|us)(?: (?:it|this|that))? is (?:good|fine|ok(?:ay)?)|please to (?:continue|proceed)|approved?(?: by me)?|accept(?:ed)?|(?:allow|permit|grant)(?:t?ed)?(?: (?:it|this|that|once|this (?:one|once|time|command|action|call|request)|for now))*|agreed?|go(?: for it| on)?|go ahead|do it|ship it|make it so|proceed|continue|carry on|keep going|(?:you|we) (?:can|may) (?:go ahead|go on|proceed|continue|begin|start)(?: now)?|please do|(?:sounds|looks|all|(?:that|it|this)(?:(?:'|’)?s| is)) (?:good|fine|ok(?:ay)?|approved)(?: (?:to|for|with|by) (?:me|us))?|(?:i(?:'|’)?m|i am) (?:fine|ok|okay|good|happy) with (?:it|this|that)|(?:ok|ready|good|free) to (?:start|go|proceed|begin|continue)|of course|absolutely|definitely|thumbs up)(?:[,.! ]+(?:please|thanks|thank you|yes|yep|go(?: on)?|go ahead|go for it|do it|allow(?: (?:it|this|that))?|ship it|proceed|continue|sounds good|looks good))*[.!]*$/i,
  },
];

/** Returns the decisions that the words name, in the whole text and in each line. A retry may carry an instruction. */
export function meaningsIn(said: string): Plain[] {
  const lines = said.includes("\n") ? said.split("\n").filter((line) => isShort(line.trim())) : [];
  const found = new Map<Plain["type"], Plain>();
  for (const each of [...meaningsOf(said), ...lines.flatMap((line) => meaningsOf(line.trim()))])
    if (!found.has(each.type)) found.set(each.type, each);
  return [...found.values()];
}

/** True when one line decides and another says more: "yes", and below it "use tabs". */
export function saysMore(said: string): boolean {
  if (!said.includes("\n") || meaningsOf(said).length > 0) return false;
  return said.split("\n").some((line) => {
    const words = line.trim();
    return words !== "" && meaningsOf(words).length === 0 && !acknowledges(words) && !isCourtesy(words);
  });
}

function meaningsOf(said: string): Plain[] {
  // Hyphenated words such as "retry-after" and "skip-level" are names. So is text in code, in a path or in an address.
  const named = plainly(said).replace(/`[^`]*`|\S+/g, (part) => (/^`.*`$|\//s.test(part) ? " " : part));
  const words = named.replace(/[\w-]+/g, (word) => (/\w-\w/.test(word) ? " " : word));
  const plain = withoutWork(words).replace(things, " ");
  const found = phrases.filter(({ words }) => words.test(plain)).map(({ meaning }) => meaning);
  return found
    .filter(({ type }) => type !== "manual" || !isToldTo(said))
    .map((meaning) => {
      // "Please use postgres and retry": keep the whole instruction.
      const how = meaning.type === "retry" ? (howIn(said) ?? (saysWorkFirst(said) ? said.trim() : null)) : null;
      return meaning.type === "retry" && how !== null ? { type: "retry", instruction: how } : meaning;
    });
}

/** The end of a sentence or clause. After "skip", "retry" or "pause", a comma or "and" continues the object instead. */
const clauseEnd =
  /[.;!\n]\s{1,9}|,? (?:and )?then |,? (?:but|so) |(?<!\b(?:skip|retry|retries|pause))(?:,(?: and)? | and )/i;

/**
 * Replaces clauses about the work with "x": "fix pause on mobile" pauses nothing. After the first such clause, only clauses
 * that begin with a decision are kept: "fix the test, then retry".
 */
function withoutWork(words: string): string {
  const clauses = words.trim().split(clauseEnd);
  const first = clauses.findIndex((each) => beginsAsWork(addedTo(each) ?? each) && !beginsAsDecision(each));
  if (first === -1) return words;
  return clauses.map((each, at) => (at < first || (at > first && beginsAsDecision(each)) ? each : "x")).join(", ");
}

/** True when the text names work and decides after it: "fix the flaky test. Then skip." */
export function saysWorkFirst(said: string): boolean {
  const clauses = said.trim().split(clauseEnd);
  const first = clauses.findIndex((each) => beginsAsWork(addedTo(each) ?? each) && !beginsAsDecision(each));
  // "Ignore it and skip" names no work.
  return (
    first !== -1 &&
    !/^\S+ (?:it|this|that)$/i.test(clauses[first] ?? "") &&
    clauses.slice(first + 1).some(beginsAsDecision)
  );
}

function beginsAsDecision(clause: string): boolean {
  const plain = clause.trim().replace(leading, "").replace(things, " ");
  return byHand.test(plain) || phrases.some(({ words }) => plain.search(words) === 0);
}

const leading = /^(?:(?:please|just|then|and|also|now|let(?:'|’)?s|(?:you|we) (?:can|should))[, ]){0,4}/i;
const byHand = /^(?:do|handle|fix|leave) (?:it|this|that) (?:manual|by hand|myself|(?:to|with|for) me)/i;

/** True when the words are an instruction to the agent: "Handle the errors manually" is one, "handle it manually" is not. */
function isToldTo(said: string): boolean {
  return isInstruction(said) && !/^(?:please |just )?(?:do|handle|fix|leave) (?:it|this|that)\b/i.test(said);
}

const again = "(?:retry|(?:try|run) (?:it |this |that )?(?:again|once more))";

const before =
  /^(?!(?:yes|yep|yeah|ok|okay|sure|fine|please|lgtm)\b)(\S+ [^\n]{1,300}?)[,;.]? (?:and(?: then)?|then) (?:please )?(?:retry|(?:try|run) (?:it |this |that )?(?:again|once more))(?: please)?[.!]*$/i;

/** Returns how to retry: "try again but use port 8080", "retry with the mirror", "skip the flaky test and retry". Null when not said. */
export function howIn(said: string): string | null {
  const labelled = /(?:^|\n)[ \t]{0,3}(?:retry|try again) ?: ?(\S[^]*)$/i.exec(said.trim())?.[1];
  if (labelled !== undefined) return labelled.trim();
  const first = before.exec(said.trim())?.[1];
  if (first !== undefined) return first.trim();
  const sentence = sentenceBefore.exec(said.trim())?.[1];
  if (sentence !== undefined && isInstruction(sentence)) return sentence.trim();
  const next =
    /^(?:please )?(?:retry|try (?:it |this |that )?again)(?:[.!;,]\s{1,3}|\s{0,3}\n\s{0,3})(\S[\s\S]*)$/i.exec(
      said.trim(),
    )?.[1];
  if (next !== undefined && isInstruction(next)) return next;
  const how =
    /\b(?:retry|again|once more|one more time|attempt|another try|go)\b[,;:. ]*(?:but |and |with |using |by |this time |, )/i.exec(
      said,
    );
  if (how === null || said.slice(how.index + how[0].length).trim() === "") return null;
  // Return the whole text when it also names work before the retry.
  const told = said.slice(0, how.index);
  if (beginsAsWork(addedTo(told) ?? told) && !beginsAsDecision(said)) return said.trim();
  const rest = said.slice(how.index);
  return (
    rest
      .replace(/^(?:retry|again|once more|one more time|attempt|another try|go)\b[,;:. ]*(?:but |and )?/i, "")
      .trim() || null
  );
}

/** Matches an instruction and then a separate sentence: "Use the staging database. Retry after that." */
const sentenceBefore = new RegExp(
  String.raw`^(\S[^]{1,1000}[^\s.,!;])[.,!;\n]\s{0,5}(?:(?:then|and|now|after that),? )?(?:please )?${again}(?: please| then| now| after that)?[.!]*$`,
  "i",
);

/** True for a report of what was done, which is not an instruction: "I rotated the key, then retry". */
export function isReport(said: string): boolean {
  return /^(?:(?:ok|okay|yes|hi|hey|sorry|so)[, ]+)?(?:i|we|you|he|she|they|it|that|there|somebody|someone|done|rebuilt|did|found|got|gave|made|(?!need|embed|feed|seed|shed|speed|proceed)\w{2,20}ed)\b(?! (?:should|must|needs?|can)\b)|^(?:i|we)(?:'|’)ve\b|^(?:it|that)(?:'|’)s (?!in\b|at\b|under\b|called\b)/i.test(
    said,
  );
}

const ofPart = new RegExp(
  String.raw`^(?:the|this|that|those|these) (?!(?:${ours})s?\b)\w[^\n]{1,200}[,;.:–-] ?(?:so |just |please |then ){0,2}(?:skip|drop|forget|leave out) (?:it|this|that|them)[.!]*$`,
  "i",
);

/** True when the reply may be about a part only. "the test is wrong, skip it"; "wait until the lock is free" may describe the program. */
export function mayBeOfPart(said: string): boolean {
  return ofPart.test(said) || /^(?:please |just )?wait until (?:the|an?|all|every|no)\b/i.test(said);
}

/** True for at most 100 characters on one line. A longer text says more than one thing. */
export function isShort(said: string): boolean {
  return said.length <= 100 && !said.includes("\n");
}

const negations =
  /\b(?:not|never|no|neither|nor|without|refuse[ds]?|cannot|can(?:'|’)?t|(?:do|does|did|is|are|was|were|has|have|had|wo|would|should|could|must|need|ai)n(?:'|’)?t)\b/i;

/** True when the text contains a negation: "don't", "not yet", "never". */
export function isNegated(said: string): boolean {
  return negations.test(said);
}

/** True when the text only considers or asks, and so decides nothing: "maybe", "if", a question mark. */
export function isHedged(said: string): boolean {
  return /\b(?:maybe|perhaps|might|should we|could we|would|or|unless|if|not sure|wonder|think about|let me (?:think|check|look))\b|\?/i.test(
    said,
  );
}

/** True for a no, or a wait, that does not say what should happen to the goal. */
export function isBareNo(said: string): boolean {
  return (
    isRejection(said) ||
    /^(?:(?:no|nope|nah|n)(?:[, ]+thanks| thank you)?|(?:don(?:'|’)?t|do not|never)(?: (?:allow|permit|grant|start|begin)(?: (?:it|this|that))?(?: yet| now)?)?|not (?:now|yet|allowed|permitted)|later|wait|i disagree|(?:please )?(?:stop|cancel|abort)(?: (?:it|this|that))?|resume|unpause)[.!]*$/i.test(
      plainly(said),
    )
  );
}

/** True when the text only rejects, and does not say what to do instead. */
export function isRejection(said: string): boolean {
  return /^(?:please )?(?:reject(?:ed)?|den(?:y|ied)|declined?|disallow(?:ed)?|forbid(?:den)?)(?: (?:it|this|that))?[.!]*$/i.test(
    plainly(said),
  );
}

/** True when the words added to a yes withdraw or postpone it: "ok, but wait", "yes, only after the release". */
export function isHold(told: string): boolean {
  // "skip the docs" does not hold anything.
  const added = told.replace(things, " ").trim();
  return (
    isBareNo(added) ||
    /^(?:but |and |then |just |only |please |i(?:'|’)?m |was )*(?:stop|abort|cancel|wait|hold|reject|deny|decline|skip|pause|manual|kidding|joking|not?|never|don(?:'|’)?t (?:do|start|go|proceed|run|push|merge|touch it)|later|first|let me|let us|let(?:'|’)s|i(?:'|’)?(?:ll| will| want| need)|if|unless|once|after|before|until|till|when|tomorrow|next|with (?:\w{1,12} )?(?:reservations?|caution|caveats?|doubts?|hesitations?|concerns?))\b/i.test(
      added,
    )
  );
}

/** True for a question, also without its mark: "what would skip do". False for "when the token is missing, return 401 instead". */
export function isQuestion(said: string): boolean {
  if (said.endsWith("?")) return true;
  return /^(?:what|why|how|when|who|which)\b(?! cares\b)/i.test(said) && !isInstruction(said);
}

/** Returns the text added to a yes: "ok do it, but use blue". Null when there is none, or when the text does not begin with a yes. */
export function addedTo(said: string): string | null {
  const yes =
    /^(?:(?:yes|yep|yup|yeah|ok|okay|sure|fine|all good(?=[,;:.!–-])|lgtm|sgtm|cool|great|perfect|alright|all right|approved?|allow(?:ed)?(?=[,;:.!–-])|please(?= (?:go|do|proceed|continue|ship)\b)|go ahead|go for it|proceed|continue|do it|ship it|(?:sounds|looks) good(?: to me)?|(?:it|this|that)(?:(?:'|’)?s| is) (?:ok|okay|fine|good)(?: (?:for|by|with|to) (?:me|us))?(?=[,;:.!–-]| but\b))(?:[,;:.!–-]{1,3}\s{0,9}|\s{1,9})){1,5}/i.exec(
      said,
    );
  if (yes === null) return null;
  const rest = said.slice(yes[0].length).trim();
  const added = rest.replace(/^(?:but|and|then|also)\b[\s,]*(?:also\b[\s,]*|please\b[\s,]*)?/i, "");
  const isJoined = /^(?:but|and|with|without|except|only|just|using)\s+\S/i.test(rest);
  return isJoined || isInstruction(added) ? added : null;
}

/** True when a reply to an agent's question is a command to the bot, not an answer. */
export function isControl(said: string): boolean {
  return (
    isShort(said) &&
    !isNegated(said) &&
    /^(?:(?:please|just|ok,?|no,?) )?(?:(?:skip|pause|hold on|stop)\b(?: (?:it|this|that|this one|(?:the|this|that) (?:goal|task|session)|for now))?|(?:drop|delete|cancel|abandon) (?:the|this|that) (?:goal|task))(?:,? (?:please|pls|plz|thanks|thank you|thx))?(?:[,;.] (?:i|we)(?:(?:'|’)?ll| will) (?:do|handle|fix|take|finish) (?:it|this|that)(?: myself| ourselves| by hand)?)?[.!]*$/i.test(
      said,
    )
  );
}

/** True when the text after a leading name is a sentence: "@cos use bus.ts", not "@Transactional on save()". */
export function isSentence(rest: string): boolean {
  if (/^(?:instead|is|are|on|in|at|for|to|from|with|of|and|or)\b/i.test(rest)) return false;
  return /^[a-z ]{3,12}:/i.test(rest) || isInstruction(rest) || meaningsIn(rest).length > 0 || addedTo(rest) !== null;
}
