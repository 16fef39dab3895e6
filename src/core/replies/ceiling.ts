import { amountIn, namesBudget } from "./amounts.ts";
import type { CompiledReply } from "./compiled-reply.ts";
import { meaningsIn, saysMore } from "./grammar.ts";
import { isCourtesy } from "./seen.ts";
import { withoutCode } from "./spoken.ts";

/*
 * Separates the goal's ceiling from the rest of a reply: "use blue and raise the budget to $7". Money is the ceiling only when one
 * part of the reply says nothing else: "set the price to $7" is an instruction.
 */

interface Ceiling {
  readonly budgetMicroUsd: number;
  /** The other parts of the reply, which may be a yes. "" when there are none. */
  readonly rest: string;
}

/** In characters. In a longer text only a separate line can set the ceiling; other money in it is part of the work. */
const longest = 300;

/** Returns the ceiling that a reply sets. Null when it sets none. "unclear" when it may, but the rest cannot be separated from it. */
export function ceilingIn(said: string): Ceiling | "unclear" | null {
  const parts = partsOf(said);
  const says = parts.map(({ words }) => !isPolite(words) && !isPlainYes(words));
  const ends = { first: says.indexOf(true), last: says.lastIndexOf(true) };
  const found = parts.filter(({ words }, at) => isCeiling(words, placeOf(ends, at)));
  const [ceiling] = found;
  const budgetMicroUsd = ceiling === undefined ? null : amountIn(ceiling.words);
  if (ceiling === undefined || budgetMicroUsd === null || found.length > 1) {
    const mayBe = found.length > 1 || (said.length <= longest && namesBudget(withoutCode(said)));
    return mayBe ? "unclear" : null;
  }
  const others = parts.filter((part) => part !== ceiling);
  if (others.some(({ words }) => namesBudget(withoutCode(words)))) return "unclear";
  const rest = others.map(({ words, between }, at) => (at === 0 ? words : `${between}${words}`)).join("");
  return { budgetMicroUsd, rest: others.every(({ words }) => isPolite(words)) ? "" : rest.trim() };
}

/** True when the text only says yes, or only asks for another try. */
export function isPlainYes(said: string): boolean {
  const meanings = meaningsIn(said);
  const isPlain = (each: CompiledReply): boolean =>
    each.type === "proceed" || (each.type === "retry" && each.instruction === null);
  return meanings.length > 0 && meanings.every(isPlain) && !saysMore(said);
}

interface Part {
  readonly words: string;
  /** The text between this part and the part before it. */
  readonly between: string;
}

/** Splits the reply into lines, sentences, and parts joined with a comma or "and". */
function partsOf(said: string): Part[] {
  const between = said.length <= longest ? /([\n;]|,\s|[.!]\s|\s(?:and|but|then)\s)/i : /(\n)/;
  const pieces = said.split(between);
  const parts: Part[] = [];
  let before = "";
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1) before += piece;
    else if (piece.trim() !== "") {
      parts.push({ words: piece.trim(), between: before });
      before = "";
    }
  }
  return parts;
}

type Place = "alone" | "first" | "later";

/**
 * Returns "alone" when the other parts are only a yes or thanks, "later" when an instruction stands before this part, else "first".
 * `first` and `last` are the indexes of the parts that say more, -1 when there are none.
 */
function placeOf({ first, last }: { readonly first: number; readonly last: number }, place: number): Place {
  if (first === -1 || (first === place && last === place)) return "alone";
  return first < place ? "later" : "first";
}

function isPolite(words: string): boolean {
  return !/\d/.test(words) && (rest(words) === "" || isCourtesy(words));
}

/** True when the part sets the ceiling. The more text stands beside it, the more explicitly it must name the ceiling. */
function isCeiling(words: string, place: Place): boolean {
  const said = words.replace(/^(?:modify|change|retry|try(?: again)?)\s*[:–-]\s*/i, "");
  if (rest(said) !== "" || amountIn(said) === null) return false;
  if (/\b(?:budget|ceiling)\b/i.test(said)) return true;
  const isMoney = /\$|\b(?:dollars?|usd|bucks)\b/i.test(said);
  if (place === "alone") return isMoney || /\b(?:limit|up to|spend)\b/i.test(said);
  return isMoney && (place === "first" || /\b(?:limit|cap|up to|most|max|maximum|spend|than|total)\b/i.test(said));
}

/** Returns the text without an amount and the words that usually go with one. */
function rest(words: string): string {
  return words
    .replace(/(?:do not|don(?:'|’)?t) (?:spend|use|go|cost) (?:more than|over|above)\b/gi, "")
    .replace(/\b(?:use|go) (?:up to|at most|no more than)\b|\bnot? (?:a cent )?more(?: than)?\b/gi, "")
    .replace(/\b(?:once more|one more time|try again|tops)\b/gi, "")
    .replace(ownWords, "");
}

const ownWords =
  /\b(?:with|using|at|by|to|for|of|up|an?|the|its|your|this|it|new|is|be|should|must|max(?:imum)?|most|only|just|budget|ceiling|limit|cap|spend|costs?|goal(?:(?:'|’)s)?|us|dollars?|usd|bucks|raise|increase|lower|reduce|set|make|give|stay|keep|below|under|within|please|thanks?|you|can|may|let(?:'|’)?s|and|but|then|go|ahead|on|in|total|now|yes|yep|yeah|ok|okay|sure|fine|lgtm|approved?|accept(?:ed)?|proceed|continue|retry|try|again)\b|[\s$.,:!\d=–-]/gi;
