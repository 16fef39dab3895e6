/*
 * "put it on hold", "check with Bob", "take your time", "remove this goal", "ignore it": words that begin as work does and name none. They are
 * about when, about people, about what we keep, or about something that only whoever wrote them has in mind. They are asked back, never told
 * to an agent, which would begin with them.
 */

/** In characters: a longer text says what it is about. */
const longest = 100;

/** Whether a reply sounds as if it said what to do, and names nothing that an agent could do. */
export function namesNoWork(said: string): boolean {
  const words = said.trim();
  return words.length <= longest && !words.includes("\n") && shapes.some((shape) => shape.test(words));
}

const shapes: readonly RegExp[] = [
  // Nothing is named: "check", "ignore it", "look at this first".
  /^(?:(?:please|just|only|then|first|now),? ){0,3}(?:(?:check|look|read)(?= |[.!]*$)|(?:check|look|read|ignore|avoid|support|update|change|split|export|import|return|move|remove|delete|replace|switch|write|create|include|exclude|handle|keep|leave|take|put|set|add|use|call|cut|limit|point|prefer|follow|swap|copy|convert|install|reorder)(?: (?:at|into))?(?= (?:it|this|that|them|these|those|everything)\b))(?: (?:at|into))?(?: (?:it|this|that|them|these|those|everything|first|again|closer|closely|carefully|properly|quickly|with care|now|please|asap|later))*[.!]*$/i,
  // When: "leave it for now", "move it to next week", "put it on hold", "start tomorrow".
  /^(?:(?:please|just|then),? ){0,2}(?:leave|keep|put|set|take|move|hold|do|run|start|look at|return to|come back to|get back to|go back to)(?: (?:it|this|that|the goal))?(?: back)? (?:for (?:now|later|tomorrow|today|the moment|the time being|next)|(?:on hold|on ice|aside|off|away|open|back|waiting)(?=[.,;!]|$| (?:please|and|then|until|for)\b)|(?:to|on|in|into|for) (?:the )?(?:next|q\d|backlog|meeting|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|morning|afternoon|evening)|(?:on|in|to) \S{1,30}['’]s |after |later|tomorrow|tonight)/i,
  // Idioms: "take your time", "keep me posted", "use your judgement", "make up your mind".
  /^(?:(?:please|just|then),? ){0,2}(?:take (?:your time|a (?:look(?! (?:at|into) (?!(?:it|this|that)\b))|break|rest|breath|nap)|care(?! of)|\d{1,3} (?:minutes?|mins?|hours?|days?)|it easy)|keep (?:(?:me|us|everyone) (?:posted|updated|informed|in the loop)|an eye|in mind|calm)|use (?:your|common|good) (?:own )?(?:judge?ment|sense|brain|head|discretion|imagination)|make (?:up your mind|a (?:decision|choice|guess)|your (?:choice|decision)|sense|it (?:quick|fast|snappy))|try to (?:understand|relax|think|guess|remember)|prefer (?:not )?to (?:wait|not|skip|leave)|prefer not|handle with care|(?:do|handle) (?:it|this|that) with (?:care|caution)|limit yourself to \d)\b/i,
  // People: "check with Bob", "run it by legal", "call me", "write me a summary", "make sure Bob agrees".
  /^(?:(?:please|just|then|first),? ){0,2}(?:(?:check|follow up|talk|speak|discuss|sync) (?:(?:it|this|that|again|first) )?with (?:the |our |my )?(?:@\S|(?:me|us|him|her|them|team|customer|client|boss|manager|management|legal|security|ops|finance|marketing|design|others?|somebody|someone)\b)|run (?:it|this|that|them) (?:by|past) |(?:call|tell|ask|ping|mail|email|message|update|write|show|send|read|remind|let|call in) (?:me|us|him|her|somebody|someone|everybody|everyone|the team|legal)\b|read my (?:message|reply|comment|note|mail)|(?:leave|write) (?:a )?(?:note|message)s? (?:for|to) |make sure (?:that )?(?:\S{1,30} ){1,3}(?:agrees?|approves?|knows?|(?:is|are) (?:ok|okay|fine|happy|aware|informed))\b|remove me\b)/i,
  // By their names: "check with Bob", never "check with ESLint".
  /^(?:[Pp]lease |[Jj]ust |[Tt]hen ){0,2}(?:(?:[Cc]heck|[Ff]ollow up|[Tt]alk|[Ss]peak|[Dd]iscuss|[Ss]ync|[Dd]o) (?:(?:it|this|that|again|first) )?with|(?:[Ww]rite|[Rr]eturn it|[Tt]alk|[Ss]peak) to|[Aa]sk|[Tt]ell|[Cc]all) \p{Lu}\p{Ll}{1,20}(?![\p{L}\p{N}_.(-])/u,
  // What we keep: "remove this goal", "create a ticket", "merge it with GOAL-3", "start with the other goal".
  /^(?:(?:please|just|then|first),? ){0,2}(?:add|put|move|remove|delete|create|split|turn|make|convert|merge|combine|replace|swap|switch|focus|start|begin|reorder|take)(?: (?:it|this|that))?(?: (?:a|an|the|this|that|another|other|to|into|from|with|on|out|of|my|our|your|two|three|several|new|next|first|remaining)){0,4} (?:goals?|tickets?|backlog|campaigns?|session|goal-\d\w*)(?: (?:for|about|out of) (?:it|this|that))?(?: (?:first|please|instead|now))*[.!]*$/i,
  // What it costs and when it comes: "raise the estimate", "use a smaller budget", "set the priority to high".
  /^(?:(?:please|just|then|first),? ){0,2}(?:change|set|raise|lower|increase|decrease|reduce|limit|cut|fix|use|update)(?: (?:the|a|an|its|your|less|more|smaller|bigger|higher|lower|cheaper|this|that)){0,3} (?:estimate|priority|budget|spending|money|costs?)(?: (?:to )?(?:high|higher|medium|low|lower|normal|a bit))?(?: (?:first|please|instead|now))*[.!]*$/i,
];
