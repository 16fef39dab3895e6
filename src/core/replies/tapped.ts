import { isBareNo, isRejection } from "./grammar.ts";
import { asKeyed, plainly, withoutQuotes, withoutStruck } from "./spoken.ts";

/** Answers in words to "Confirm?". */

/** A reply that was read back and waits for a confirmation. */
interface Open {
  readonly replyId: string;
  /** The type of its reading. */
  readonly type: string;
  /** True when the person who answers now wrote it. */
  readonly isOwn: boolean;
  /** True when the yes or no was written before the reply was read back, and arrived late. */
  readonly isLater: boolean;
}

type Tap = "confirm" | "dismiss";

type MeansTap =
  /** The tap answers the question itself. */
  | { readonly type: "question" }
  | { readonly type: Tap; readonly replyId: string }
  | { readonly type: "unclear"; readonly replyId: string };

/** In characters; a longer text says more than yes or no. */
const longest = 60;

const yes =
  /^(?:please )?(?:yes|yep|yeah|yup|y|ok|okay|k|sure(?: thing)?|confirm(?:ed)?(?: (?:it|that|this))?|correct|right|exactly|that(?:'|’)?s (?:right|correct|it)|do (?:it|that|so)|go ahead|go for it|please do|(?:sounds|looks|all) (?:good|fine|right))(?:[,.! ]+(?:please|thanks|thank you|confirm(?:ed)?|do (?:it|that|so)|go ahead|correct|right|exactly|that(?:'|’)?s (?:right|correct|it)))*[.!]*$/i;

const no =
  /^(?:(?:no|nope|nah)[,.! ]+(?:wait|stop|sorry|hold on|not (?:now|yet|that)|don(?:'|’)?t)|(?:no[,.! ]+)?(?:wrong|not that|that(?:'|’)?s (?:wrong|not (?:it|what I (?:meant|said)))|I did(?:n(?:'|’)?t| not) mean (?:it|that)))[.!]*$/i;

/** Parses a reply that only says yes or no. Null for anything else, also for a choice by its name. */
export function readTap(text: string): Tap | null {
  const said = withoutStruck(withoutQuotes(asKeyed(text)));
  if (/^(?:👍[\u{1F3FB}-\u{1F3FF}]?|✅)+$/u.test(said)) return "confirm";
  const words = plainly(said);
  if (words.length > longest) return null;
  if (yes.test(words)) return "confirm";
  return no.test(words) || (isBareNo(words) && !isRejection(words)) ? "dismiss" : null;
}

/** Returns what a bare yes or no refers to while these replies wait for a confirmation. */
export function meansTap(tap: Tap, open: readonly Open[]): MeansTap {
  const own = open.find(({ isOwn, isLater }) => isOwn && !isLater);
  if (tap === "dismiss") return own === undefined ? { type: "question" } : { type: "dismiss", replyId: own.replyId };
  const other = open.find(({ type }) => type !== "proceed");
  if (other === undefined)
    // A yes to the question also means proceed. So only the person's own reading is confirmed.
    return own === undefined ? { type: "question" } : { type: "confirm", replyId: own.replyId };
  const isOnly = own !== undefined && open.length === 1;
  return isOnly ? { type: "confirm", replyId: own.replyId } : { type: "unclear", replyId: other.replyId };
}
