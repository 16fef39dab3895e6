import { isShort } from "./grammar.ts";
import { undoesReply } from "./not-work.ts";

/*
 * "looks good, merge it", "leave it as it is", "this is already done": replies about finished work. "undo that", "ignore my last
 * message": replies about earlier messages. They are not passed to an agent as instructions; the bot asks what is meant.
 */

/** Returns why such a reply decides nothing. Null when it is not such a reply. */
export function elsewhereWords(said: string): string | null {
  if (!isShort(said)) return null;
  const words = said.trim();
  if (merging.test(words)) return "Nothing is merged by a reply: say a choice, and press Merge once the goal is done.";
  return asItIs.test(words) || undoesReply(words) ? "That does not say what should become of it." : null;
}

const yes =
  "(?:(?:yes|yep|yeah|ok|okay|sure|fine|great|perfect|nice|lgtm|approved?|accepted|go ahead|proceed|thanks|(?:it |this |that )?(?:looks|sounds|all) (?:good|fine|great|right)(?: to me)?)[,;:.! –-]{1,3}(?:and |then |so |but |now )?)?";
const polite = "(?:please |just |now |then |you (?:can|may) |let(?:'|’)?s |(?:do not|don(?:'|’)?t|never) )*";
const work =
  "(?:it|this|that|them|everything|(?:the|your|this) (?:branch|pr|mr|pull request|merge request|change|changes|work|result))";
const end = "(?:,? (?:now|yet|please|then|thanks|thank you|today|for me))*[.!]*$";

/** Built from fixed word lists; each pattern runs in linear time (`tests/core/text/regular-expressions.test.ts`). */
export const merging = new RegExp(
  `^${yes}${polite}(?:merge|land|deploy|release|publish)(?: ${work})?(?: (?:in|to|into|on)(?: (?:main|master|production|prod))?)?(?: (?:as is|as it is))?${end}`,
  "i",
);
export const asItIs = new RegExp(
  `^${yes}${polite}(?:(?:keep|leave) ${work}(?: (?:as is|as it is|as it was|as they are|the way it is|like (?:this|that)|unchanged|alone|so|be|there))?|(?:(?:this|that|it|the goal|the work)(?:(?:'|’)?s| is| was| has been) )?already (?:done|finished|fixed|merged|implemented|completed?|there)|(?:this|that|it|the goal|the work)(?:(?:'|’)s| is| was| has been) (?:done|finished|fixed|merged|implemented|completed?)(?: already)?)${end}`,
  "i",
);
