import { asKeyed, bareWords } from "./spoken.ts";

/** In characters; a longer reply says more. */
const longest = 60;

/** True when the writer only says that they have seen it or are looking at it: "ack", "I'm on it", "I'll take a look". */
export function acknowledges(text: string): boolean {
  const said = bareWords(asKeyed(text));
  return said.length <= longest && seen.test(said);
}

/** True when the text is only thanks or a greeting: "thanks a lot!", "hi all,". */
export function isCourtesy(text: string): boolean {
  return /^(?:(?:many |ok,? |great,? )?(?:thanks|thank you|thx|ty|cheers)(?: (?:a lot|all|everyone|so much|very much|again|you|bot))?|(?:hi|hey|hello|good morning)(?: \w{1,20})?,?|great|nice(?: work| one)?|good job|well done|perfect|awesome|excellent)$/i.test(
    bareWords(asKeyed(text)),
  );
}

const it = "(?: (?:at|into) (?:it|this|that|the (?:goal|error|failure|problem)))?";
/** Built from fixed word lists; runs in linear time. */
export const seen = new RegExp(
  String.raw`^(?:(?:ok|okay|yes|yep|hi|hey|hm|hmm|right|sure|thanks)[,.! ]{1,3})?(?:ack(?:nowledged?)?|noted|seen|got it|(?:i(?:'|’)?(?:m| am) |we(?:'|’)?(?:re| are) )?(?:on it|on this|looking${it}|having a look${it}|checking(?: it| this)?|investigating)|(?:i(?:'|’)?(?:ll| will) |we(?:'|’)?(?:ll| will) |let me )(?:(?:take|have) a look${it}|look${it}|check(?: it| this)?|investigate))(?: (?:now|soon|today|in a (?:bit|min|minute|moment|sec|second)|shortly|right away|right now))?(?:,? (?:thanks|thank you))?$`,
  "i",
);
