import { formatTime } from "../time.ts";

/** Sentences in which moments stand as ISO times, such as a card's summary. Somebody's own text in it may only look so: it stays text. */

const looksSo = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z)/;

/** Its words, and its moments, which each reader sees in the own zone. */
export function withTimes(sentence: string): (string | { readonly at: string })[] {
  return sentence.split(looksSo).map((part, index) => (index % 2 === 1 && isMoment(part) ? { at: part } : part));
}

/** The same without any markup, its moments in one zone: for labels, notifications and those who have it read out. */
export function plainSentence(sentence: string, zone: string): string {
  const words = withTimes(sentence).map((span) =>
    typeof span === "string" ? span : `${formatTime(new Date(span.at), zone)} ${zone}`,
  );
  return words.join("");
}

/** Whether there is such a moment: MySQL's `0000-00-00T00:00:00Z` is none, nor is a leap second, nor the 30th of February. */
function isMoment(iso: string): boolean {
  const at = Date.parse(iso);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 19) === iso.slice(0, 19);
}
