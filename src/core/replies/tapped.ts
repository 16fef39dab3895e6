import { isBareNo, isRejection } from "./grammar.ts";
import { asKeyed, plainly, withoutQuotes, withoutStruck } from "./spoken.ts";

/** "Confirm?" answered in words. */

/** A reply that was read back and waits for a tap. */
interface Open {
  readonly replyId: string;
  /** What it was read as. */
  readonly type: string;
  /** Who answers now wrote it. */
  readonly isOwn: boolean;
  /** The yes or no was written before it was read back, and came late. */
  readonly isLater: boolean;
}

type Tap = "confirm" | "dismiss";

type MeansTap =
  /** It is about the question itself. */
  | { readonly type: "question" }
  | { readonly type: Tap; readonly replyId: string }
  | { readonly type: "unclear"; readonly replyId: string };

/** In characters: longer ones say more than yes or no. */
const longest = 60;

const yes =
  /^(?:please )?(?:yes|yep|yeah|yup|y|ok|okay|k|sure(?: thing)?|confirm(?:ed)?(?: (?:it|that|this))?|correct|right|exactly|that(?:'|’)?s (?:right|correct|it)|do (?:it|that|so)|go ahead|go for it|please do|(?:sounds|looks|all) (?:good|fine|right))(?:[,.! ]+(?:please|thanks|thank you|confirm(?:ed)?|do (?:it|that|so)|go ahead|correct|right|exactly|that(?:'|’)?s (?:right|correct|it)))*[.!]*$/i;

const no =
  /^(?:(?:no|nope|nah)[,.! ]+(?:wait|stop|sorry|hold on|not (?:now|yet|that)|don(?:'|’)?t)|(?:no[,.! ]+)?(?:wrong|not that|that(?:'|’)?s (?:wrong|not (?:it|what I (?:meant|said)))|I did(?:n(?:'|’)?t| not) mean (?:it|that)))[.!]*$/i;

/** Whether a reply only says yes or no; a choice by its name says more. */
export function readTap(text: string): Tap | null {
  const said = withoutStruck(withoutQuotes(asKeyed(text)));
  if (/^(?:👍[\u{1F3FB}-\u{1F3FF}]?|✅)+$/u.test(said)) return "confirm";
  const words = plainly(said);
  if (words.length > longest) return null;
  if (yes.test(words)) return "confirm";
  return no.test(words) || (isBareNo(words) && !isRejection(words)) ? "dismiss" : null;
}

/** What a bare yes or no is about, while these wait for a tap. */
export function meansTap(tap: Tap, open: readonly Open[]): MeansTap {
  const own = open.find(({ isOwn, isLater }) => isOwn && !isLater);
  if (tap === "dismiss") return own === undefined ? { type: "question" } : { type: "dismiss", replyId: own.replyId };
  const other = open.find(({ type }) => type !== "proceed");
  if (other === undefined)
    // To go on is what a yes to the question says, too: one's own reading is confirmed, and nobody else's.
    return own === undefined ? { type: "question" } : { type: "confirm", replyId: own.replyId };
  const isOnly = own !== undefined && open.length === 1;
  return isOnly ? { type: "confirm", replyId: own.replyId } : { type: "unclear", replyId: other.replyId };
}
