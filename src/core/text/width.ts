/**
 * Estimates the drawn width of a text, in characters of usual width. The estimate is rather too large, because the font is unknown.
 * Linear in the part that is measured, which is never more than fits.
 */

const twice =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;
const broad = /[A-Zmw@%&<>+=~#_–—…]/;
const nothing = /[\p{Cf}\p{Mn}\p{Cc}]/u;

/** Cache by code point: width in tenths, plus one; 0 when not yet computed. */
const known = new Uint8Array(0x11_0000);

/** Returns the width of a code point. Parts of a joined emoji are added up: too wide, which is safe. */
function widthOfPoint(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  const kept = known[point] ?? 0;
  if (kept > 0) return (kept - 1) / 10;
  const width = twice.test(character) ? 2 : nothing.test(character) ? 0 : broad.test(character) ? 1.3 : 1;
  known[point] = width * 10 + 1;
  return width;
}

/** Returns the width in characters of usual width. Stops measuring above `most` and then returns any number above it. */
export function widthOf(text: string, most = Number.POSITIVE_INFINITY): number {
  let width = 0;
  for (const character of text) {
    width += widthOfPoint(character);
    if (width > most) return width;
  }
  return width;
}

const graphemes = new Intl.Segmenter();
/** Number of UTF-16 units around a cut that are searched for the grapheme at the cut. */
const around = 40;

/** Returns the beginning of a text that fits the width, with an ellipsis when something was cut. */
export function cutWords(text: string, width: number): string {
  if (widthOf(text, width) <= width) return text;
  let at = 0;
  let left = width - 1.3;
  for (const character of text) {
    left -= widthOfPoint(character);
    if (left < 0) break;
    at += character.length;
  }
  const from = Math.max(0, at - around);
  const cut = graphemes.segment(text.slice(from, at + around)).containing(at - from);
  const end = beforeNumber(text, from + (cut?.index ?? at - from));
  return `${text.slice(0, end).trimEnd().toWellFormed()}…`;
}

/** The longest number that is kept whole, in UTF-16 units. */
const longestNumber = 20;

/** Where to cut instead of `at`, so that no amount, number or time loses its last digits: "$1…" is not "$15.00". */
function beforeNumber(text: string, at: number): number {
  if (!/[\d.,:]/.test(text.charAt(at)) || !/[\d$€£]/.test(text.slice(at - 1, at + 2))) return at;
  const isPart = (index: number): boolean => /[\d.,:$€£]/.test(text.charAt(index));
  let start = at;
  while (start > 0 && at - start < longestNumber && isPart(start - 1)) start--;
  let end = at;
  while (end - start < longestNumber && isPart(end)) end++;
  return end - start < longestNumber ? start : at;
}
