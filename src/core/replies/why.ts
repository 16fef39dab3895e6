import type { CheckpointOption } from "../checkpoints/checkpoint.ts";

/*
 * Recognises a reason after a choice. A list of other meanings would cover only one language and never be complete. So a choice that
 * continues for good, or ends a goal, takes effect at once only when a known word for a reason follows.
 */

/** Reads as a reason from its first words. */
const why =
  /^(?:(?:because|since|as|so|it|i|we|he|she|they|there|you|nobody|no one|nothing|everything|everybody)(?:(?:'|’)\w+)?|that(?:(?:'|’)\w+| (?:is|was|has|had|does|did|can|will|would|makes?|needs?|works?|looks?|breaks?))|not(?! (?:the|this|that|these|those|an?|all|any|my|mine|me|it|him|her|us|really)\b)|no longer|already|done|looks|seems|lgtm|sgtm|good|great|nice|thanks|thank|agreed|reviewed|checked|tested|duplicate|too|enough)(?![\w'’-])/i;

/** A reason that names its subject: "the old one tested a typo". */
const whyOfThing =
  /^(?:the|this|that|our|its|my) (?:(?!(?:when|while|if|on|in|at|of|for|with|which|once)\b)[\w.-]{1,30} ){1,4}(?:is|are|was|were|has|have|had|does|did|works?|fails?|\w{2,20}ed (?:a|an|the|it|us|nothing)) /i;

/** True when the text after a choice is plainly a reason: the choice then takes effect at once. Any other text is read back. */
export function saysWhy({ effect }: Pick<CheckpointOption, "effect">, reason: string): boolean {
  // With "retry" the text is passed to the agent, whatever it says.
  if (effect === "retry") return !meantOther.test(reason) && !clausesOf(reason).every(isAgreement);
  if (misspoken.test(reason)) return false;
  if (effect === "skip") return whySkip.some((words) => words.test(reason));
  if (limited.test(reason)) return false;
  if (effect === "continue") return isWhyOn(reason);
  return !clauseEnd.test(reason) && !agreement.some((words) => words.test(reason)) && isWhy(reason);
}

/** True when the text reads as a reason from its first words. */
export function isWhy(reason: string): boolean {
  return why.test(`${reason} `) || whyOfThing.test(`${reason} `) || whySkip.some((words) => words.test(reason));
}

/** The text only says that the choice was a mistake. */
const meantOther =
  /^(?:(?:oops|ups|whoops|sorry|ah|oh|no)[,.!]{0,3} ?)*(?:(?:(?:(?:that|this|it)(?: is| was|(?:'|’)s) )?(?:the )?wrong (?:goal|card|question|thread|channel)|(?:the )?wrong (?:one|button|place)|(?:i|we) (?:mean|meant|wanted) (?:(?:to )?(?:accept|approve|skip|pause|proceed)(?: (?:it|this|that))?|(?:the|an) ?other (?:one|goal|card|question|thread)|something else)|(?:that|this|it) (?:is|was)(?: meant)? for (?:the|an) ?other (?:one|goal|card|question|thread)|(?:i|we)(?:(?:'|’)ve| have)? (?:mistyped|misread|misclicked|take (?:it|this|that) back)|(?:i|we) (?:clicked|pressed|hit) (?:it|this|that|the button) (?:by (?:accident|mistake)|accidentally|wrongly)|(?:(?:that|this|it) was )?(?:by accident|(?:by|my|a) mistake|a joke)|(?:i am|i(?:'|’)m) (?:joking|kidding))(?:[,.]? (?:sorry|thanks|please))*)?[.!]*$/i;

/** The writer meant, or speaks of, something else. */
const misspoken =
  /\b(?:(?:i|we)(?:(?:'|’)ve| have| had)? (?:mean|meant|mistyped|misread|misclicked|thought|take (?:it|this|that) back)|(?:by|my) mistake|by accident|accidentally|wrongly|misunder\w+|joke|joking|kidding|oops|sorry|(?:an?other|wrong) (?:one|goal|card|question|thread|button|channel|place))\b/i;

/** A part, a condition, or a wish. */
const limited =
  /\b(?:only|just|but|except|apart|besides|instead|rather|else|others?|another|parts?|half|some|rest|first|if|unless|until|till|when|whenever|once|after|before|while|though|although|however|as soon|should|would|could|must|shall|might|maybe|perhaps|disagreed?)\b/i;

/** Marks after which any other statement may follow. */
const clauseEnd = /[,;:()\n–—]|[.!]\s|\s-{1,2}\s/;

function clausesOf(reason: string): string[] {
  const clauses = reason.split(/[,.;:!()\n–—]\s{0,3}|\s(?:and|but|so|then|-{1,2})\s/i).map((clause) => clause.trim());
  return clauses.filter((clause) => clause !== "");
}

/** True when the clause only agrees with the work. "fine tune it" does not. */
function isAgreement(clause: string): boolean {
  return agreement.some((words) => {
    const found = words.exec(clause);
    return (
      found !== null &&
      /^(?: (?:to me|for me|by me|with me|as is|as it is|now|enough|job|work|thanks))*$/i.test(
        clause.slice(found[0].length),
      )
    );
  });
}

const agreement: readonly RegExp[] = [
  /^(?:(?:it|this|that|they|all|everything|the [\w.-]{1,30})(?:(?:'|’)(?:s|re))? )?(?:(?:is|are|was|were|looks?|seems?|sounds?) )?(?:(?:all|now|very|really|quite|so|pretty|already) )*(?:yes|good|great|nice|fine|ok|okay|right|correct|perfect|lgtm|sgtm|thanks|thank you|works|agreed|accept(?:ed|able)?|approved?|go ahead)(?![\w'’-])/i,
  /^(?:accept|approve) (?:it|this|that)(?![\w'’-])/i,
  /^(?:i|we)(?: do| will| can| would|(?:'|’)(?:ll|d|ve)| have)*(?: now| already| really)? (?:accept|approve|agree|like|love|trust)(?:e?d)?(?: (?:it|this|that))?(?![\w'’-])/i,
];

/** True for a plain reason to continue. An instruction ("as a draft", "we keep the old name") or a contradiction reads much alike. */
function isWhyOn(reason: string): boolean {
  if (more.test(reason)) return false;
  return whyOld.test(reason) || (!unfavourable.test(reason) && whyOn.some((words) => words.test(reason)));
}

/** The previous state was bad. */
const whyOld =
  /^the (?:old|previous|former) [\w.-]{1,30} (?:(?:tested|checked|expected|asserted|had|missed) (?:an?|the|nothing)(?: [\w.-]{1,30}){0,2}|(?:is|was|were|are) (?:(?:plainly|clearly|really|simply|too) )?(?:wrong|broken|bad|worse|buggy|flaky|slow|outdated|a typo))[.!]*$/i;

/** It is good, someone has checked it, or it was agreed. Each matches a whole text; harmless words may follow. */
const whyOn: readonly RegExp[] = [
  /^(?:(?:because|since|as) )?(?:(?:it|that|this|they|everything|all|ci|tests|(?:the|this|that|our|its|my|these|all) (?:(?!(?:when|while|if|on|in|at|of|for|with|which|once)\b)[\w.-]{1,30} ){0,3}[\w.-]{1,30})(?:(?:'|’)(?:s|re))? )?(?:(?:is|are|was|were|looks?|seems?|sounds?|has been|have been) )?(?:(?:all|very|really|quite|so|pretty|now|already|much) )*(?:good|great|nice|fine|ok|okay|right|correct|perfect|safe|harmless|green|better|small|simple|clean|clear|complete|done|tested|checked|reviewed|needed|necessary|approved|agreed|(?:exactly )?what (?:i|we|you|they) (?:agreed|asked|wanted|needed|planned|discussed|expected|meant|talked about)(?: (?:on|for))?)(?: to (?:me|us|go|merge|ship)| for (?:me|us|now|all|everyone)| (?:by|with) (?!the\b)[\p{L}.-]{1,30}| now| enough| as is| as it is| work| job| already| thanks)*[.!]*$/iu,
  /^(?:(?:because|since|as) )?(?:(?:it|that|this|they|everything|all|ci|(?:the|our|all)(?: [\w.-]{1,30}){1,3}) )?(?:works?|pass(?:es|ed)?)(?: (?:now|well|fine|great|again|here|locally|for (?:me|us)|as (?:expected|planned|agreed|discussed)))*[.!]*$/i,
  /^(?:(?:because|since|as) )?(?:i|we|he|she|they|you)(?:(?:'|’)(?:ve|s|d)| have| has| had)?(?: (?:just|already|all|both))? (?:reviewed|checked|tested|read|ran|saw|discussed|agreed|looked|verified|tried|confirmed|approved|accepted|did|like|love|trust|know)(?: (?:at|over|into|through|about|on|it|this|that|them|these|you|him|her|all|everything|the|every|each|its|your|diff|code|changes?|files?|tests?|spec|plan|proof|results?|output|logs?|lines?|of|and|twice|again|myself|together|carefully|thoroughly|locally|staging|main|new|one|ones|work|team|tested|checked|reviewed))*(?: (?:with|by) [\p{L}.-]{1,30})?[.!]*$/iu,
  /^(?:(?:because|since|as) )?(?:i|we|he|she|they)(?:(?:'|’)(?:ve|s|d)| have| has| had)?(?: already)? (?:spoke|spoken|talked) (?:to|with) (?:the )?[\p{L}.-]{1,30}[.!]*$/iu,
  /^(?:(?:because|since) )?you asked(?: (?:for (?:it|this|that)|me|us|me to|us to))?[.!]*$/i,
  /^(?:lgtm|sgtm|thanks|thank you|agreed|reviewed|checked|tested|verified|discussed|already (?:done|reviewed|checked|tested|agreed|discussed))(?: (?:it|this|that|all|everything|on|and|the|diff|code|changes?|files?|tests?|spec|plan|proof|twice|again|myself|together|carefully|thoroughly|locally|staging|main|work|team|to me|for (?:it|this|that)|tested|checked|reviewed))*(?: (?:with|by) [\p{L}.-]{1,30})?[.!]*$/iu,
  /^as (?:(?:i|we|you|he|she|they|it|[\p{L}.-]{1,30})(?:(?:'|’)(?:ve|s|d)| have| has| had| was| is)? )?(?:discussed|agreed|planned|said|expected|usual|before|proposed|suggested|recommended|described|asked|is)(?: (?:it|this|that|before|on|in|the|call|issue|meeting|ticket|chat|plan|spec|already|with [\p{L}.-]{1,30}))*[.!]*$/iu,
];

/** Words that may mean that the work is bad. */
const unfavourable =
  /\b(?:fail\w*|broken?|breaks?|bad(?:ly)?|worse|worst|wrong\w*|too|miss(?:ing|es|ed)?|not?|nobody|none|nothing|never|neither|hardly|barely|reject\w*|refus\w*|doubts?|concerns?|reservations?|caution|errors?|problems?|issues|bugs?|old|older|previous|former|(?:was|were) (?:\w{1,20} )?(?:good|great|nice|fine|ok|okay|right|correct|perfect|safe|better|clean|clear|simple|small))\b/i;

/** More than one clause, or a number. When work continues, the rest may be a condition, in any words or language. */
const more =
  /[,;:()\n–—\d]|[.!]\s|\s-{1,2}\s|\b(?:as long|assuming|pending|provided|subject to|should|must|has to|have to|needs?|first|before|once|only)\b/i;

/** Nobody needs it, it exists already, it takes too much, or it was agreed. Each matches a whole text; a place or time may follow. */
const whySkip: readonly RegExp[] = [
  /^(?:(?:because|since|as|so) )?(?:(?:it|that|this|they|(?:the|this|that) [\w.-]{1,30})(?:(?:'|’)(?:s|re)| is| are| was| were| has been| have been| would be)? )?(?:(?:all|now|already|long|just|simply|completely) )*(?:done|fixed|merged|solved|resolved|finished|implemented|obsolete|outdated|moot|(?:an? )?duplicate|redundant|unnecessary|useless|irrelevant|superseded|replaced|removed|gone|covered|dropped|cancell?ed|abandoned|out of scope|enough|too (?:risky|expensive|costly|big|large|much|late|early|slow|hard|complex|complicated|dangerous)|(?:not|no longer) (?:really )?(?:needed|wanted|necessary|required|relevant|important|urgent|used|useful|possible|worth (?:it|the (?:effort|time|money))|a priority|in scope))(?: (?:in|by|on|with|of|from|for|before|elsewhere by) (?:(?:the|an?|another|our|my) )?(?!(?:the|an?|another|our|my|parts?|half|some|principle|theory)\b)[\p{L}\d#./-]{1,40}(?: ?(?:pr|mr|goal|branch|issue|ticket|release|commit|task)\b)?| now| already| any ?more| elsewhere| there| here| today| yesterday)*(?:,? thanks|,? thank you|[,;:]? see [\p{L}\d#/.:-]{1,80}(?: #?[\d-]{1,10})?)*[.!]*$/iu,
  /^(?:(?:because|since|as|so) )?(?:(?:nobody|no one) (?:needs?|wants?|uses?|misses|asked for|will (?:need|use|miss))|(?:we|i|they|you) (?:do not|don(?:'|’)?t|no longer|won(?:'|’)t|will not|never) (?:really )?(?:need|want|use)) (?:it|this|that|them|those|the [\w.-]{1,30})(?: now| any ?more| here| today| yet| really)*(?:,? thanks)?[.!]*$/i,
  /^(?:(?:because|since|as|so) )?(?:i|we|they|he|she)(?:(?:'|’)(?:ve|s)| have| has| had)?(?: already)? (?:fixed|did|done|dropped|removed|merged|solved|finished|implemented|replaced|cancell?ed|abandoned|have|has) (?:it|this|that|them|those)(?: now| already| elsewhere| by hand| myself| ourselves| today| yesterday)*(?:,? thanks)?[.!]*$/i,
  /^(?:(?:because|since|as|so) )?(?:it|that|this) (?:would |will )?(?:takes?|costs?) too (?:long|much)(?: (?:time|money|effort|work))?(?: now)?[.!]*$/i,
  /^as (?:(?:i|we|you|they|[\p{L}.-]{1,30}) )?(?:said|agreed|discussed|decided|planned|asked|suggested|recommended)(?: (?:before|already|today|yesterday|with [\p{L}.-]{1,30}))*[.!]*$/iu,
  /^(?:enough(?: for (?:now|today|tonight|this week))?|(?:there(?:(?:'|’)s| is) )?(?:nothing (?:left|(?:more |left )?to do)|no need for (?:it|this|that))(?: now| here| any ?more)*)(?:,? thanks)?[.!]*$/i,
];
