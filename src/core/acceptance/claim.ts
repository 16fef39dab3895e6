/**
 * What an executor itself says about the work (D27). It claims that the work is done only when it ended by itself, did not give up, and its
 * last words do not deny it. An executor that was stopped, failed, or asked for permission claims nothing.
 */
export interface ExecutorsWord {
  /** How the execution ended, as its evidence keeps it. */
  readonly end: string;
  readonly gaveUp: boolean;
  /** The last message of an agent. Empty for a command: its exit code counts instead. */
  readonly summary: string;
}

/** How an execution's own evidence is backed: by its executor's word, or by nothing. */
export function executionTag(word: ExecutorsWord): "claimed" | "not checked" {
  return word.end === "finished" && !word.gaveUp && !deniesDone(word.summary) ? "claimed" : "not checked";
}

/** Maximum number of characters of a message that are read. */
const longestSummary = 20_000;

/**
 * True when a message says that the work as a whole is not done: "Not done: …", "The fix is not finished", "I could not complete this", "I
 * gave up". Statements about a part ("I did not touch the tests") do not match. Linear in the text.
 */
function deniesDone(text: string): boolean {
  const sentences = text.slice(0, longestSummary).split(/[.!?;\n]/);
  return sentences.some((sentence) => {
    const said = sentence.slice(0, 300).replace(/^[\s*_#>"'-]+/, "");
    return denials.some((denial) => denial.test(said));
  });
}

const denials: readonly RegExp[] = [
  // "Not done", "Status: not yet complete"
  /^(?:(?:status|result)\W{1,3})?(?:still )?not (?:yet )?(?:done|complete|completed|finished|implemented|fixed|solved|resolved)\b/i,
  // "Unfinished: …", "Result: failed"
  /^(?:(?:status|result)\W{1,3})?(?:incomplete|unfinished|undone|failed|failure|blocked|stuck|aborted)\s*(?:$|[:,–—-])/i,
  // "The fix is still not finished"
  /\b(?:it|this|that|the (?:task|goal|work|job|change|fix|feature|request|implementation))(?:['’]s| is| was| remains| has)(?: still)?(?: not|n['’]t)(?: been)?(?: yet)?(?: fully)? (?:done|complete|completed|finished|implemented|fixed|solved|resolved)\b/i,
  // "This remains undone"
  /\b(?:it|this|that|the (?:task|goal|work|job|change|fix|feature|request|implementation))(?:['’]s| is| was| remains)(?: still)? (?:undone|unfinished|incomplete)\b/i,
  // "I did not finish the task", "We haven't implemented it", "I have not been able to fix this"
  /\b(?:I|we) (?:(?:did|do|have|had|was|were|am|are) not|(?:did|do|have|had|was|were|are)n['’]t)(?: yet)?(?: been)?(?: able to)?(?: fully)? (?:complete|finish|implement|fix|solve|resolve|accomplish|achieve)(?:e?d)? (?:it|this|that|everything|(?:the|your) (?:task|goal|work|job|bug|issue|problem|feature|request|implementation))\b/i,
  // "Not everything is done yet"
  /^not (?:everything|all of (?:it|this|that)) (?:is|was|has been) (?:done|complete|completed|finished|implemented|fixed|solved|resolved|working)\b/i,
  // "The tests still fail", unless they failed before
  /^(?:but )?(?:the |some |(?:one|two|three|\d{1,5}) )?(?:of the )?tests? (?:are |is )?still (?:fail|fails|failing|broken|red)\b(?!.{0,150}\b(?:before|already|base|main|master|unrelated|pre-?existing|earlier)\b)/i,
  // "I was unable to complete this"
  /\b(?:I|we) (?:could not|couldn['’]t|cannot|can['’]t|(?:(?:was|were|am|are) (?:not able|unable)|(?:was|were|are)n['’]t able) to|did not manage to|didn['’]t manage to|failed to) (?:do|complete|finish|implement|fix|solve|resolve|accomplish|achieve|carry out) (?:it|this|that|the|what|your|any)\b/i,
  // "I gave up"
  /\b(?:I|we) (?:gave up|give up|(?:am|are) giving up|have given up|had to give up|have to give up)\b/i,
];
