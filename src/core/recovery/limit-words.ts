/** How providers report that an account's allowance is used up. */

/** Error names that only providers use. */
const types =
  /\b(?:rate_limit_error|rate_limit_exceeded|insufficient_quota|overloaded_error|RESOURCE_EXHAUSTED|MODEL_CAPACITY_EXHAUSTED|usage_limit_reached|ThrottlingException)\b/;

/** Each matches the singular and the plural of "limit". */
const sentences: readonly RegExp[] = [
  // "Usage limits exceeded", "Monthly spend limit has been reached", "Key limit exceeded", "Daily input token limit reached"
  /\b(?:usage|rate|spend|spending|billing|key|api|credit|account|organi[sz]ation|subscription|tier|[TR]P[MD])s?[- ](?:hard |soft )?(?:limits?|caps?) (?:(?:is|are|was|were|has been|have been) )?(?:reached|exceeded|hit|exhausted|used up)\b/i,
  /\b(?:weekly|hourly|daily|monthly|5-hour|per[- ](?:minute|hour|day))[- ](?:[\w-]{1,20} ){0,3}(?:limits?|caps?) (?:(?:is|are|was|were|has been|have been) )?(?:reached|exceeded|hit|exhausted|used up)\b/i,
  // Only when nothing else follows.
  /\bsessions?[- ]limits? (?:(?:is|are|was|were|has been|have been) )?(?:reached|exceeded|hit|exhausted|used up)[.!]?$/im,
  /\b(?:quotas?|allowances?) (?:(?:is|are|was|were|has been|have been) )?(?:exceeded|exhausted|reached|used up)\b/i,
  // "You have reached your specified workspace API usage limits"
  /\b(?:reached|hit|exceeded|exceed|exhausted|used up) (?:your|the|our) (?:[\w'’-]{1,20} ){0,5}(?:limits?|quotas?|allowances?)\b/i,
  // "Your organization has reached its monthly spend limit"
  /\b(?:reached|hit|exceeded|exceed|exhausted|used up) (?:its|their) (?:[\w'’-]{1,20} ){0,4}(?:(?:usage|session|weekly|hourly|daily|monthly|request|token|message|rate|spend|spending|billing)s?[- ]limits?|quotas?|allowances?)\b/i,
  /\b(?:reached|hit|exceeded|exceed) (?:your|the|its|their|our) (?:[\w'’-]{1,20} ){0,4}(?:spend|spending|usage|budget|monthly) caps?\b/i,
  /\bexceeded (?:[\w-]{1,20} ){0,2}rate limits?\b/i,
  /\bexhausted your (?:[\w-]{1,20} ){0,3}capacity\b/i,
  /\bused (?:up )?all (?:of )?(?:your|the|its) (?:[\w'’-]{1,20} ){0,4}(?:requests|messages|tokens|prompts|usage)\b/i,
  /\bresource has been exhausted \(e\.g\. check quota|\binsufficient quota\b|\brate[- ]limited\b|\byour quota will reset\b|\bout of extra usage\b/i,
  /^[^\w\n]{0,3}too many requests[.!]?$|\btoo many (?:requests|tokens)[,.;:]? (?:please )?(?:retry|try|wait|slow)/im,
];

/**
 * Limits that a session, a tool or a machine has too ("Session limit reached: start a new one", "Web search limit reached"). They count as
 * a provider's limit only when the text names a reset time or a price. Waiting does not help against the others.
 */
const shared: readonly RegExp[] = [
  /\b(?:session|request|token|message)s?[- ](?:limits?|caps?) (?:(?:is|are|was|were|has been|have been) )?(?:reached|exceeded|hit|exhausted|used up)\b/i,
  /\blimits? (?:(?:is|are|has been|have been) )?reached\b/i,
];
const endOrPrice =
  /\|\d{10}\b|\bresets?\b|\bregain access\b|\b(?:again|retry|wait|available|renews?) (?:in|at|on|after|later|for|until)\b|\b(?:your|the) (?:plan|account|organi[sz]ation|subscription)\b|\bupgrade\b/i;

/** The provider is overloaded for everyone. Like a limit, this ends by itself. */
const overload =
  /\b(?:model|engine|server|service) is (?:currently )?(?:overloaded|at capacity)\b|\b(?:is|are|we['’]re) (?:currently )?experiencing (?:\w{1,12} )?high (?:demand|load|traffic)\b|\bno capacity available for (?:this )?model\b/i;

/** True when the agent's own words report a provider's limit. `others`: the text without limits of one session or tool. */
export function saysLimit(text: string, others: string): boolean {
  const isProviders = types.test(text) || overload.test(text) || sentences.some((each) => each.test(others));
  return isProviders || (endOrPrice.test(text) && shared.some((each) => each.test(others)));
}

/** JSON answers of providers, with either kind of quotes. */
const answer =
  /["'](?:type|code|status|reason)["']\s{0,3}:\s{0,3}["'](?:rate_limit_error|rate_limit_exceeded|insufficient_quota|overloaded_error|RESOURCE_EXHAUSTED|MODEL_CAPACITY_EXHAUSTED|usage_limit_reached)["']/;

const shapes: readonly RegExp[] = [
  /^\[?API (?:Error|call failed)\b[^\n]{0,120}\b(?:429|529|quotas?|overloaded|high demand|no capacity available|rate limits?|(?:usage|spend|spending) limits?)\b/i,
  /^\[?API (?:Error|call failed)\b[^\n]{0,200}"You(?:['’]ve| have) (?:hit|reached|exceeded) your (?:[\w'’-]{1,20} ){0,5}limits?\b/i,
  /^(?:[\w.]{1,60}\.)?(?:RateLimitError|OverloadedError|APIStatusError|APICallError): (?:Error code: (?:429|529)\b|\w{1,40}Exception\b)/,
  /^(?:stream error: )?exceeded retry limit, last status: (?:429|529)\b/i,
  /^unexpected status (?:429|529) [^\n]{0,400}, url: \S{1,200}\/(?:responses|completions|messages)\b/,
  /^(?:Selected model is at capacity\. Please |We['’]re currently experiencing high demand, which )/i,
  // Includes a time, so it counts without a price.
  /^You(?:['’]ve| have) hit your usage limit\b[^\n]{0,200}\btry again (?:in|at) \w/i,
  // Provider clients put the status before the provider's text.
  /^(?:429 )?Rate limit reached for \S{1,80} in organization\b/i,
];

/** Sentences to the account holder. Programs under work print such texts too, so a reset time or a price must follow. */
const toHolder: readonly RegExp[] = [
  /^(?:You|Your (?:organi[sz]ation|workspace|team|account|plan|subscription))(?:['’]?ve|['’]s| have| has)? (?:hit|reached|exceeded|used up) (?:your|its) (?:[\w'’-]{1,20} ){0,5}(?:limits?|quotas?|allowances?|caps?)\b/i,
  /^You(?:['’]re| are) out of extra usage\b/i,
  /^(?:[A-Z][\w-]{1,20} ){0,3}(?:usage|weekly|daily|hourly|monthly|session|5-hour|Opus|spend|spending) limits? (?:(?:is|are|was|were|has been|have been) )?(?:reached|exceeded|hit)\b/i,
];
const priceOrEnd = /\|\d{10}\b|\bresets?\b|\bregain access\b|\b(?:upgrade|billing|your plan)\b|\bpurchase more\b/i;

/** True when a line of standard error has the shape of a provider's limit. `text`: the line with the lines below it. */
export function hasLimitShape(line: string, text: string): boolean {
  if (answer.test(line) || shapes.some((shape) => shape.test(line))) return true;
  return toHolder.some((shape) => shape.test(line)) && priceOrEnd.test(text);
}
