import { dollars, usdIn } from "../money.ts";
import { isShort } from "./grammar.ts";

/*
 * An amount of money in a reply: US dollars, said once. A number is money only where the words beside it say so or say nothing else: of
 * all that may stand behind a number ("5 hours", "5k", "5 €") only what is harmless is named here.
 */

/** In micro-dollars; null where none is sure. */
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
 * Whether a short reply would change what a goal may cost by so much, or says not to how much: "give it $5 more", "raise it by $5",
 * "double the budget". A ceiling is what it may cost in all.
 */
export function changesBudget(said: string): boolean {
  if (!isShort(said)) return false;
  return byWords.test(said.trim()) || (namesMoney.test(said) && isAdded(said) && !isOfOther.test(said));
}

/** What is asked back of who would give more, or less. */
export const changedBudgetWords =
  'Nothing is added or taken off: write what it may cost in all, in US dollars, such as "budget: $7.50".';

/** What is asked back where an amount is not sure. */
export const amountWords =
  'Which amount? Write it in US dollars without commas for thousands, such as "budget: $7.50".';

/** What is asked back where a ceiling is named beside something else, and it is not sure which words are of which. */
export const besideAmountWords =
  'That names money beside something else: write the goal\'s budget on a line of its own, such as "budget: $7.50", and put what is none in quotes.';

/** Whether it names the goal's budget with an amount: "raise the budget to $5k", not "the budget field must accept 7". */
export function namesBudget(said: string): boolean {
  return /\b(?:budget|ceiling)s?(?: (?:to|of|is|at|by|up|from|=)){0,3}[:=]?\s?[$€£]?\s?\d|[$€£]\s?\d[\d.,]* (?:budget|ceiling)\b/i.test(
    said,
  );
}

/** Whether a short reply is an amount, or names one, of which none is sure: "7,50", "$1,000", "7.50 €". */
export function namesAmount(said: string): boolean {
  return (
    isShort(said) &&
    (/^[\d.,]{1,20}$/.test(said.trim()) ||
      /[$€£¥]\s?\d|\d\s?(?:[$€£¥]|(?:us )?dollars?\b|usd\b|euros?\b|eur\b)/i.test(said))
  );
}

/** Whether dollars are an amount that a person may mean: from a cent to a million. */
export function isAmount(usd: number): boolean {
  return Number.isFinite(usd) && usd >= 0.01 && usd <= 1_000_000;
}

/** Not those in names: `goal-1a2b`, `v2`. */
const numbers = /(?<![\w-])\d[\d.,]*/g;

const amount =
  /(?<![\w.,-])(?<sign>(?:us)?\$\s?|usd\s?)?(?<![\d.,])(?<number>\d{1,6}(?:[.,]\d{1,2})?)(?![\d.,]*\d)(?:\s?(?<unit>\$|(?:us )?dollars?\b|usd\b|bucks\b))?(?<behind>[^]*)$/i;

const namesMoney = /[$]\s?\d|\d\s?(?:\$|(?:us )?(?:dollars?|usd|bucks)\b)|\b(?:budget|ceiling|dollars|usd|bucks)\b/i;

/** "Raise the fee by $5", "add $5 to each price": for the agent. */
const isOfOther =
  /\b(?:to|raise|increase|lower|decrease|reduce|cut|bump|change) (?:the|each|every|all|an?|our|their) (?!(?:(?:goal|session|cost|current|existing|whole|overall)(?:(?:'|’)s)? )?(?:budget|ceiling|limit|total|goal|amount|money|spend(?:ing)?)\b)/i;

/** An amount that is one more, or one less. */
function isAdded(said: string): boolean {
  return isMoreBefore.test(said) || isMoreBehind.test(said);
}

const isMoreBefore =
  /\b(?:add(?:ed|ing)?|another|extra|additional(?:ly)?|further|plus|increment|top(?:ped)?(?: it)? up|by)\b[^.,;:!?\d]{0,30}\d|(?<![\w)])\+\s?(?:us)?\$?\s?\d/i;
const isMoreBehind =
  /\d(?:\s?(?:\$|(?:us )?(?:dollars?|usd|bucks)\b))?(?: worth)?(?: or so)?\s{1,3}(?:more|extra|additional(?:ly)?|further|less|on top|in addition|to the (?:budget|ceiling)|of (?:extra|additional|further))\b|\bon top of (?:that|it|the (?:budget|ceiling))\b/i;

/** More, or less, and not how much it may be. */
const byWords =
  /^(?:(?:yes|yep|ok|okay|sure|fine)[,. ]{1,3})?(?:please |just |you can |you may |let(?:'|’)?s )*(?:(?:raise|increase|lower|decrease|reduce|double|triple|quadruple|halve|bump|cut|extend|grow|lift|up)(?: up)?(?: (?:the|its|my|your|our|this|that|goal(?:'|’)?s|cost|spending))* (?:budget|ceiling)s?(?=$|[.!,]| (?:up\b|by\b|a (?:bit|little|lot)\b|some\b|please\b|slightly\b|for (?:it|this)\b|\d|times\b|\$))|(?:give|add|allow|needs?)(?: it| this| the goal)? (?:(?:a (?:bit|little|lot)|some|much) )?(?:more|extra|additional|further) (?:money|budget|dollars|funds)(?=$|[.!,]| please\b)|(?:a (?:bit|little|lot) )?more (?:money|budget)[.!]?$)/i;

/** Below zero, above what there is, or of another currency. */
function isAnotherSign(before: string): boolean {
  return /(?:[-−–—+€£¥¢$]\s?|\bminus\s*)$/i.test(before);
}

/** Neither thousands nor so much for each of something. */
function isNoMultiple(behind: string): boolean {
  return !/^(?:[a-z%€£¥¢]|\s*(?:[%€£¥¢/]|(?:k|m|mio|bn|hundred|thousand|grand|million|billion|an?|per|each|every|cents?)\b))/i.test(
    behind,
  );
}

const saysNothingElse =
  /^\s*(?:$|[.,;:!)]|(?:and|then|but|please|thanks|thank you|max|maximum|in total|total|now|ok|okay|for (?:this|that|the|it|now|today))\b)/i;
