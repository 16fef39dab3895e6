/*
 * "put it on hold", "check with Bob", "take your time", "remove this goal", "ignore it": replies worded as instructions that name no
 * work. They are about time, people, our own records, or something that only the writer knows. The bot asks again and never passes them to
 * an agent, which would act on them. Each pattern matches a whole reply: "take care" matches, "take care of null" does not.
 */

/** In characters. A longer text names its subject. */
const longest = 100;

/** True when a reply is worded as an instruction but names no work for an agent, such as "put it on hold". */
export function namesNoWork(said: string): boolean {
  const words = said.trim();
  const isShort = words.length <= longest && !words.includes("\n");
  return isShort && (undoesReply(words) || shapes.some((shape) => shape.test(words)));
}

/** True when a reply refers to an earlier message: "undo that", "ignore my last message". */
export function undoesReply(said: string): boolean {
  return back.test(said.trim());
}

const polite = "(?:(?:please|just|only|then|first|now|let(?:'|’)?s|you (?:can|may)),? ){0,3}";
/** The end of the phrase, or the start of another one. */
const end = String.raw`(?:,? (?:please|pls|thanks|thank you|now|first|again|instead|for (?:now|a while|the moment)|today|too))*(?=[.,;:!]|$| (?:and|then|until|but|because|since|so|before|if|when) )`;
const it = "(?:it|this|that|the (?:goal|whole thing))";
const people =
  "(?:me|us|him|her|(?:the |our |my )?(?:team|customer|client|boss|manager|management|legal|security|ops|finance|marketing|others?)|some(?:body|one)|every(?:body|one)|@\\S{1,40})";

export const back = new RegExp(
  `^${polite}(?:(?:undo|revert|scratch|(?:take|turn) back)(?: ${it})?|(?:take|turn) ${it} back|(?:ignore|disregard|forget|delete|take back) (?:my (?:(?:last|previous|earlier|first|other) )?(?:message|reply|answer|comment|decision|one)|(?:the|that) (?:(?:last|previous|earlier|first|other) )?(?:message|reply|answer))s?(?: (?:above|before))?)${end}[.!]*$`,
  "i",
);

const put = "(?:leave|keep|put|set|take|move|hold|do|run|start|look at|return to|(?:come|get|go) back to)";
const later =
  "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|(?:the )?(?:morning|afternoon|evening)|backlog|meeting|next (?:week|month|quarter|sprint|day|release|milestone|meeting)|q[1-4])";
/** Phrases about time: "leave it for now", "move it to next week", "put it on hold", "start tomorrow". */
const when = String.raw`${put}(?: ${it})?(?: back)? (?:for (?:now|later|tomorrow|today|the moment|the time being)|on (?:hold|ice)|aside|off|away|open|back|waiting|(?:to|on|in|into|for) (?:the )?${later}|(?:on|in|to) \S{1,30}['’]s (?:list|plate|desk|queue)|after (?:the |my |our )?(?:release|meeting|weekend|holidays?|vacation|lunch|demo|freeze|review)|later|tomorrow|tonight)`;

const idioms = String.raw`take (?:your time|a (?:look|break|rest)(?: at ${it})?|care|\d{1,3} (?:minutes?|mins?|hours?|days?)|it easy)|keep (?:(?:me|us|everyone) (?:posted|updated|informed|in the loop)|an eye on ${it}|calm)|use (?:your|common|good) (?:own )?(?:judge?ment|sense|brain|head|discretion)|make (?:up your mind|a (?:decision|choice|guess)|your (?:choice|decision)|it (?:quick|snappy))|try to (?:understand|relax|think|guess)|prefer (?:not )?to wait|prefer not to|handle (?:it )?with care|do ${it} with (?:care|caution)|limit yourself to \d.{1,20}`;

const talking = String.raw`(?:check|follow up|talk|speak|discuss|sync)(?: ${it})?(?: again| first)? with ${people}|(?:run|pass) ${it} (?:by|past) ${people}|(?:call|tell|ask|ping|mail|email|message|update|show|send|remind|let|call in) ${people}(?: .{1,40})?|write (?:to )?${people}(?: .{1,40})?|read my (?:message|reply|comment|note|mail)s?|leave a (?:note|message) for ${people}|make sure (?:that )?${people} (?:agrees?|approves?|knows?|(?:is|are) (?:ok|okay|fine|happy|aware|informed))(?: .{1,40})?|remove me(?: .{1,40})?`;

/** Names of programs that look like names of people. */
const notPeople =
  "(?!(?:Docker|Postgres|Postgresql|Typescript|Javascript|Python|Java|Node|Deno|Bun|Ruby|Rust|Redis|Chrome|Firefox|Safari|Windows|Linux|Git|Github|Gitlab|Jest|Vitest|Webpack|Vite|React|Vue|Angular|Svelte|Django|Rails|Laravel|Kafka|Mongo|Mysql|Sqlite|Nginx|Helm|Terraform|Kubernetes|Slack|Discord|Stripe|Sentry|English|German|French)\\b)";
const verb = (word: string): string => `[${word[0]?.toUpperCase()}${word[0]}]${word.slice(1)}`;
const named = String.raw`${notPeople}\p{Lu}\p{Ll}{1,20}(?![\p{L}\p{N}_.(-])`;
const verbsOf = (words: string): string => `(?:${words.split(",").map(verb).join("|")})`;
/** People by their names: matches "check with Bob", not "check with ESLint". */
const byName = String.raw`^(?:${verbsOf("please,just,then")} ){0,2}(?:${verbsOf("check,follow up,talk,speak,discuss,sync,do")} (?:(?:it|this|that|again|first) )?with|${verbsOf("write,return it,talk,speak")} to|${verbsOf("ask,tell,call")}|${verbsOf("make")} sure(?: that)?(?= \S{1,30} (?:agrees|approves|knows|is (?:ok|okay|fine|happy|aware|informed))\b)|${verbsOf("run,pass")} (?:it|this|that) (?:by|past)) ${named}(?: (?:agrees|approves|knows|is (?:ok|okay|fine|happy|aware|informed)))?(?: (?:first|before|please|about|again|with|on)\b.{0,40})?[.!]*$`;

const some =
  "(?: (?:a|an|the|this|that|another|other|to|into|from|with|on|out|of|my|our|your|two|three|several|new|next|first|remaining)){0,4}";
/** Our own records: "remove this goal", "create a ticket", "merge it with GOAL-3", "start with the other goal". */
const kept = String.raw`(?:add|put|move|remove|delete|create|split|turn|make|convert|merge|combine|replace|swap|switch|focus|start|begin|reorder|take)(?: ${it})?${some} (?:goals?|backlog|campaigns?|goal-\d\w*)|(?:create|open|add|write) (?:a|another|some) tickets?(?: (?:for|about) ${it})?`;
/** Cost and time: "raise the estimate", "use a smaller budget", "set the priority to high". */
const costs =
  "(?:change|set|raise|lower|increase|decrease|reduce|limit|cut|fix|use|update)(?: (?:the|a|an|its|your|less|more|smaller|bigger|higher|lower|cheaper|this|that)){0,3} (?:estimate|priority|budget|spending|money|costs?)(?: (?:to )?(?:high|higher|medium|low|lower|normal|a bit))?";

/** A refusal to begin: "do not start", "don't merge it yet". "Don't run the tests" names work. */
const refused = String.raw`(?:do not|don(?:'|’)?t|never) (?:start|begin|run|proceed|continue|go on|go ahead|work|try|merge|push|change|touch|edit|modify|alter|commit|retry|do)(?: on)?(?: (?:${it}|anything|any of it))?(?: (?:yet|at all|any ?more|right now|without (?:me|us|asking)))?`;
/** A number without its subject: "raise it to 5". */
const amount = String.raw`(?:set|raise|lower|increase|decrease|reduce|cut|limit|change|make|bump)(?: ${it})? (?:to|by) [$€£]?\d[\d.,]{0,9}[k%$€£]?`;

const bare =
  "(?:check|look|read|ignore|avoid|support|update|change|split|export|import|return|move|remove|delete|replace|switch|write|create|include|exclude|handle|keep|leave|take|put|set|add|use|cut|limit|point|prefer|follow|swap|copy|convert|install|reorder)";
const how = "(?: (?:closer|closely|carefully|properly|quickly|with care|asap|later))*";
/** No subject at all: "check", "ignore it", "look at this first". A verb alone may precede a name that was removed here: `use @Inject`. */
const nothing = `(?:check|look|read)${how}|${bare}(?: (?:at|into))? (?:it|this|that|them|these|those|everything)${how}`;

export const shapes: readonly RegExp[] = [
  ...[when, idioms, talking].map((shape) => new RegExp(`^${polite}(?:${shape})${end}`, "i")),
  ...[kept, costs, refused, amount, nothing].map((shape) => new RegExp(`^${polite}(?:${shape})${end}[.!]*$`, "i")),
  new RegExp(byName, "u"),
];
