import { momentMark } from "../text.ts";
import { formatTime } from "../time.ts";

/** Sentences that contain moments of ours, such as a card's summary. Text that somebody wrote may look like a moment; it stays as it is. */

const marked = /\u2063(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)\u2063/;

/** A moment with the marks that `withTimes` recognises. */
export function momentText(at: Date): string {
  return `${momentMark}${at.toISOString()}${momentMark}`;
}

/** Splits a sentence into words and moments. Each reader sees the moments in their own time zone. */
export function withTimes(sentence: string): (string | { readonly at: string })[] {
  return sentence.split(marked).map((part, index) => (index % 2 === 1 && isMoment(part) ? { at: part } : part));
}

/** The sentence without markup, with its moments in one zone. For labels, notifications and screen readers. */
export function plainSentence(sentence: string, zone: string): string {
  return told(sentence, (at) => `${formatTime(new Date(at), zone)} ${zone}`);
}

/** The sentence for scripts, with its moments as ISO 8601. */
export function isoSentence(sentence: string): string {
  return told(sentence, (at) => at);
}

function told(sentence: string, wordsOf: (at: string) => string): string {
  return withTimes(sentence)
    .map((span) => (typeof span === "string" ? span : wordsOf(span.at)))
    .join("");
}

/** True for a valid date. Somebody may have typed a marked text that names the 30th of February. */
function isMoment(iso: string): boolean {
  return !Number.isNaN(Date.parse(iso));
}
