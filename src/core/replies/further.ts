import { isShort } from "./grammar.ts";

/*
 * "proceed with everything from now on", "ignore all limits": replies that would decide more than their question. An answer is for
 * one question and changes no rule. So the bot asks again, and never passes them to an agent as if a rule had changed.
 */

/** Returns why a reply that reaches beyond its question decides nothing. Null when it does not. `takesAmount`: it may take a budget. */
export function furtherWords(said: string, takesAmount: boolean): string | null {
  if (!isShort(said)) return null;
  if (limitless.some((pattern) => pattern.test(said)))
    return takesAmount
      ? 'Limits and questions stay as they are; a budget is raised to an amount, such as "budget: $10".'
      : "Limits and questions stay as they are.";
  return standing.some((pattern) => pattern.test(said)) ? "An answer is for this question alone." : null;
}

const yes =
  "(?:yes|yep|yeah|ok|okay|sure|fine|lgtm|approved?|accept(?:ed)?|allow(?:ed)?|agreed?|go ahead|go on|do it|proceed|continue)";
const polite = "(?:please |just |always |you (?:may|can|should|must) |i |we )*";
const always =
  "(?:from (?:now|here) on(?:wards?)?|in (?:the )?future|(?:every|each) ?time|always|for ?ever|for (?:this|the) (?:whole )?session|without (?:asking|questions?))";
const others =
  "(?:of )?(?:(?:the|these|those|your|our|other|later|next|future|remaining|open|of) )*(?:them|these|those|it|rest|others?|goals?|questions?|cards?|ones?|requests?|checkpoints?|approvals?|plans?|changes to come)";
const everything = `(?:everything|anything|whatever(?: comes| you (?:do|want|like|need))?|all|any|every(?=\\s\\w))(?: ${others})?`;
const end = "(?:[,. ]+(?:and|please|thanks|thank you|ok|okay))*[.!]*$";

const standing: readonly RegExp[] = [
  // "proceed from now on", "always approve", "ok, always", "always".
  new RegExp(`^always${end}`, "i"),
  new RegExp(`^${polite}${yes}\\b(?:[, ]+[\\w'’]+){0,4}[, ]+${always}${end}`, "i"),
  new RegExp(`^${polite}always (?:say )?${yes}(?: (?:it|this|that|them|${everything}))?${end}`, "i"),
  // "proceed with everything", "yes to all of them", "approve all goals from now on".
  new RegExp(
    `^${polite}${yes}\\b[,.]? (?:and )?(?:please )?(?:(?:proceed|go(?: ahead| on)?|continue|do) )?(?:with |to |for )?(?:this (?:one )?and )?${everything}(?:[, ]+(?:and )?${always})*${end}`,
    "i",
  ),
  // "yes and don't ask again", "stop asking".
  new RegExp(
    `^(?:${polite}${yes}\\b(?:[,. ]+(?:and|but|then|so))*[,. ]+)?(?:please |just )*(?:do not|don(?:'|’)?t|never|stop|no need to|quit) ask(?:ing)?(?: (?:me|us))?(?: (?:again|any ?more|about (?:this|that|it|these|everything)|every time|questions?))*${end}`,
    "i",
  ),
];

const limits =
  "(?:limits?|ceilings?|budgets?|(?:budget|cost|spending|money|time) (?:limits?|ceilings?)|checkpoints?|approvals?|approvers|quorum|guard ?rails|safety checks?)";
const spending = "(?:budget|ceiling|limit|spend(?:ing)?|money|costs?)";
const endless =
  "(?:unlimited|limitless|infinite|infinity|endless|no (?:limit|ceiling|maximum)s?|as much as (?:you|it) (?:needs?|wants?|takes?|likes?)|what(?:ever)? (?:it|you) (?:costs?|takes?|needs?|wants?))";

const limitless: readonly RegExp[] = [
  // "ignore all limits and proceed".
  new RegExp(
    `^(?:${polite}${yes}[,. ]+(?:and |but )?)?${polite}(?:ignore|forget|disregard|bypass|override|remove|lift|drop|disable|turn off|switch off) (?:(?:all|any|the|your|my|our|every|these|those|its|of) )*${limits}(?:[, ]+(?:and |then )*(?:${yes}|${always}|for now|today|this time|please))*${end}`,
    "i",
  ),
  // "no limits", "unlimited budget", "raise the budget to unlimited".
  new RegExp(`^(?:${polite}${yes}[,. ]+)?(?:with )?(?:no|without|unlimited|infinite) ${limits}${end}`, "i"),
  new RegExp(`^(?:[\\w'’,]+ ){0,6}${spending}s?:? (?:(?:is|to|of|up|at) )*${endless}${end}`, "i"),
  new RegExp(`^(?:${polite}${yes}[,. ]+)?(?:please )?spend ${endless}${end}`, "i"),
];
