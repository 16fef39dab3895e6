import { asKeyed, plainly } from "./spoken.ts";

/** True when the text only asks about the state: "what happened?", "what did you try?", "any news?". */
export function asksForState(text: string): boolean {
  const said = plainly(asKeyed(text)).replace(/[?!. ]{1,9}$/, "");
  return said.length <= 60 && state.test(said);
}

const thing = "(?:it|this|that|this one|the goal|the work|the session)";
const state = new RegExp(
  String.raw`^(?:(?:ok|hi|hey|so|and|but|wait)[, ]+)?(?:what(?:'|’)?s? ?(?:is |has |did )?(?:happened|happens|happening|happen|going on|up|wrong|the (?:status|state|problem|matter))(?: (?:here|now|with ${thing}|to ${thing}))?|(?:why )?(?:is|did|does|has) ${thing}(?: still| been)? (?:stuck|waiting|blocked|parked|fail(?:ed)?|stop(?:ped)?|done|running|take so long|taking so long)|why(?: not)?|how(?: is|(?:'|’)?s) ${thing} (?:going|doing)|how far (?:is|are) (?:it|you|we)|what (?:(?:did|have|has) (?:you|it|the agent) (?:already )?(?:tried|try|done|do)|(?:you|it) (?:already )?(?:tried|did)|was (?:tried|done))(?: already| so far| until now| here)?|any (?:news|progress|updates?)|where (?:are we|is ${thing}|does ${thing} stand)|status)$`,
  "i",
);
