import { dollars, usdIn } from "../money.ts";
import { isShort } from "./grammar.ts";

/*
 * Parses an amount of money in a reply: US dollars, named once. A number is money only when the words beside it say so, or when they
 * are harmless. Many texts can follow a number ("5 hours", "5k", "5 €"), so the patterns list only the harmless ones.
 */

/** Returns the amount in micro-dollars. Null when the reply has none that is certain. */
export function amountIn(said: string): number | null {
  if (!isShort(said) || (said.match(numbers) ?? []).length !== 1) return null;
  const { index = 0, groups } = amount.exec(said) ?? {};
  if (groups === undefined || isAnotherSign(said.slice(0, index)) || isAdded(said)) return null;
  const { sign, number, unit, behind = "" } = groups;
  const isMoney = sign !== undefined || unit !== undefined;
  const usd = usdIn(number ?? "");
  return isAmount(usd) && (isMoney ? isNoMultiple(behind) : saysNothingElse.test(behind)) ? dollars(usd) : null;
}

/**
 * True when a short reply asks to change the budget by an amount, or without an amount: "give it $5 more", "raise it by $5",
 * "double the budget". The writer is asked for the total, because a ceiling is the total that a goal may cost.
 */
export function changesBudget(said: string): boolean {
  if (!isShort(said)) return false;
  return byWords.test(said.trim()) || (namesMoney.test(said) && isAdded(said) && !isOfOther.test(said));
}

/** The question for a reply that would raise or lower the budget by an amount. */
export const changedBudgetWords =
  'Nothing is added or taken off: write what it may cost in all, in US dollars, such as "budget: $7.50".';

/** The question for a reply whose amount is not certain. */
export const amountWords =
  'Which amount? Write it in US dollars without commas for thousands, such as "budget: $7.50".';

/** The question for a reply that names a ceiling beside something else, when it is unclear which words belong to which. */
export const besideAmountWords =
  'That names money beside something else: write the goal\'s budget on a line of its own, such as "budget: $7.50", and put what is none in quotes.';

/** True when the reply names the goal's budget with an amount: "raise the budget to $5k", not "the budget field must accept 7". */
export function namesBudget(said: string): boolean {
  return /\b(?:budget|ceiling)s?(?: (?:to|of|is|at|by|up|from|=)){0,3}[:=]?\s?[$€£]?\s?\d|[$€£]\s?\d[\d.,]* (?:budget|ceiling)\b/i.test(
    said,
  );
}

/** True when a short reply is or names an amount that is not certain: "7,50", "$1,000", "7.50 €". */
export function namesAmount(said: string): boolean {
  return (
    isShort(said) &&
    (/^[\d.,]{1,20}$/.test(said.trim()) ||
      /[$€£¥]\s?\d|\d\s?(?:[$€£¥]|(?:us )?dollars?\b|usd\b|euros?\b|eur\b)/i.test(said))
  );
}

/** True for an amount that a person may mean: from one cent to a million dollars. */
export function isAmount(usd: number): boolean {
  return Number.isFinite(usd) && usd >= 0.01 && usd <= 1_000_000;
}

/** Does not match numbers inside names: `goal-1a2b`, `v2`. */
const numbers = /(?<![\w-])\d[\d.,]*/g;

const amount =
  /(?<![\w.,-])(?<sign>(?:us)?\$\s?|usd\s?)?(?<![\d.,])(?<number>\d{1,6}(?:[.,]\d{1,2})?)(?![\d.,]*\d)(?:\s?(?<unit>\$|(?:us )?dollars?\b|usd\b|bucks\b))?(?<behind>[^]*)$/i;

const namesMoney = /[$]\s?\d|\d\s?(?:\$|(?:us )?(?:dollars?|usd|bucks)\b)|\b(?:budget|ceiling|dollars|usd|bucks)\b/i;

/** Matches changes of other amounts, which are work for the agent: "Raise the fee by $5", "add $5 to each price". */
const isOfOther =
  /\b(?:to|raise|increase|lower|decrease|reduce|cut|bump|change) (?:the|each|every|all|an?|our|their) (?!(?:(?:goal|session|cost|current|existing|whole|overall)(?:(?:'|’)s)? )?(?:budget|ceiling|limit|total|goal|amount|money|spend(?:ing)?)\b)/i;

/** True when the amount is an increase or a decrease, not a total. */
function isAdded(said: string): boolean {
  return isMoreBefore.test(said) || isMoreBehind.test(said);
}

const isMoreBefore =
  /\b(?:add(?:ed|ing)?|another|extra|additional(?:ly)?|further|plus|increment|top(?:ped)?(?: it)? up|by)\b[^.,;:!?\d]{0,30}\d|(?<![\w)])\+\s?(?:us)?\$?\s?\d/i;
const isMoreBehind =
  /\d(?:\s?(?:\$|(?:us )?(?:dollars?|usd|bucks)\b))?(?: worth)?(?: or so)?\s{1,3}(?:more|extra|additional(?:ly)?|further|less|on top|in addition|to the (?:budget|ceiling)|of (?:extra|additional|further))\b|\bon top of (?:that|it|the (?:budget|ceiling))\b/i;

/** Matches a wish for more or less budget without an amount. */
const byWords =
  /^(?:(?:yes|yep|ok|okay|sure|fine)[,. ]{1,3})?(?:please |just |you can |you may |let(?:'|’)?s )*(?:(?:raise|increase|lower|decrease|reduce|double|triple|quadruple|halve|bump|cut|extend|grow|lift|up)(?: up)?(?: (?:the|its|my|your|our|this|that|goal(?:'|’)?s|cost|spending))* (?:budget|ceiling)s?(?=$|[.!,]| (?:up\b|by\b|a (?:bit|little|lot)\b|some\b|please\b|slightly\b|for (?:it|this)\b|\d|times\b|\$))|(?:give|add|allow|needs?)(?: it| this| the goal)? (?:(?:a (?:bit|little|lot)|some|much) )?(?:more|extra|additional|further) (?:money|budget|dollars|funds)(?=$|[.!,]| please\b)|(?:a (?:bit|little|lot) )?more (?:money|budget)[.!]?$)/i;

/** True when the text before the number makes it negative, relative, or another currency. */
function isAnotherSign(before: string): boolean {
  return /(?:[-−–—+€£¥¢$]\s?|\bminus\s*)$/i.test(before);
}

/** True when no multiplier (thousands), other unit or "per" follows the number. */
function isNoMultiple(behind: string): boolean {
  return !/^(?:[a-z%€£¥¢]|\s*(?:[%€£¥¢/]|(?:k|m|mio|bn|hundred|thousand|grand|million|billion|an?|per|each|every|cents?)\b))/i.test(
    behind,
  );
}

const saysNothingElse =
  /^\s*(?:$|[.,;:!)]|(?:and|then|but|please|thanks|thank you|max|maximum|in total|total|now|ok|okay|for (?:this|that|the|it|now|today))\b)/i;
