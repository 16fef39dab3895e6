import { momentMark } from "../text.ts";
import { formatTime } from "../time.ts";

/** Sentences in which moments of ours stand, such as a card's summary. What somebody wrote may look like one: it stays what they wrote. */

const marked = /\u2063(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)\u2063/;

/** A moment as such a sentence holds it. */
export function momentText(at: Date): string {
  return `${momentMark}${at.toISOString()}${momentMark}`;
}

/** Its words, and its moments, which each reader sees in the own zone. */
export function withTimes(sentence: string): (string | { readonly at: string })[] {
  return sentence.split(marked).map((part, index) => (index % 2 === 1 && isMoment(part) ? { at: part } : part));
}

/** The same without any markup, its moments in one zone: for labels, notifications and those who have it read out. */
export function plainSentence(sentence: string, zone: string): string {
  return told(sentence, (at) => `${formatTime(new Date(at), zone)} ${zone}`);
}

/** The same for scripts, its moments as ISO 8601. */
export function isoSentence(sentence: string): string {
  return told(sentence, (at) => at);
}

function told(sentence: string, wordsOf: (at: string) => string): string {
  return withTimes(sentence)
    .map((span) => (typeof span === "string" ? span : wordsOf(span.at)))
    .join("");
}

/** Whether there is such a moment: text that somebody has marked may name the 30th of February. */
function isMoment(iso: string): boolean {
  return !Number.isNaN(Date.parse(iso));
}
