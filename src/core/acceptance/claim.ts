/**
 * What an executor itself says of the work (D27). It claims that it is done only when it came to its own end, did not give
 * up, and its last words do not say the opposite. Being cut by us, failing, and asking for permission claim nothing.
 */
export interface ExecutorsWord {
  /** How the execution ended, as its evidence keeps it. */
  readonly end: string;
  readonly gaveUp: boolean;
  /** What an agent said last; empty for a command, whose exit code is its word. */
  readonly summary: string;
}

/** How an execution's own evidence is backed: its executor's word, or nothing. */
export function executionTag(word: ExecutorsWord): "claimed" | "not checked" {
  return word.end === "finished" && !word.gaveUp && !deniesDone(word.summary) ? "claimed" : "not checked";
}

/** More of a message is not read. */
const longestSummary = 20_000;

/**
 * Whether a message says that the work as a whole is not done: "Not done: …", "The fix is not finished", "I could not
 * complete this", "I gave up". What it says of a part ("I did not touch the tests") is none of it. Linear in the text.
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
  // "I was unable to complete this"
  /\b(?:I|we) (?:could not|couldn['’]t|cannot|can['’]t|(?:was|were|am|are) (?:not able|unable) to|did not manage to|didn['’]t manage to|failed to) (?:do|complete|finish|implement|fix|solve|resolve|accomplish|achieve|carry out) (?:it|this|that|the|what|your|any)\b/i,
  // "I gave up"
  /\b(?:I|we) (?:gave up|give up|(?:am|are) giving up|have given up|had to give up|have to give up)\b/i,
];
