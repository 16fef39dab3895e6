import { asKeyed, plainly } from "./spoken.ts";

/** Whether somebody only asks how it stands: "what happened?", "why is it stuck?", "any news?". */
export function asksForState(text: string): boolean {
  const said = plainly(asKeyed(text)).replace(/[?!. ]{1,9}$/, "");
  return said.length <= 60 && state.test(said);
}

const thing = "(?:it|this|that|this one|the goal|the work|the session)";
const state = new RegExp(
  String.raw`^(?:(?:ok|hi|hey|so|and|but|wait)[, ]+)?(?:what(?:'|’)?s? ?(?:is |has |did )?(?:happened|happens|happening|happen|going on|up|wrong|the (?:status|state|problem|matter))(?: (?:here|now|with ${thing}|to ${thing}))?|(?:why )?(?:is|did|does|has) ${thing}(?: still| been)? (?:stuck|waiting|blocked|parked|fail(?:ed)?|stop(?:ped)?|done|running|take so long|taking so long)|why(?: not)?|how(?: is|(?:'|’)?s) ${thing} (?:going|doing)|how far (?:is|are) (?:it|you|we)|any (?:news|progress|updates?)|where (?:are we|is ${thing}|does ${thing} stand)|status)$`,
  "i",
);
