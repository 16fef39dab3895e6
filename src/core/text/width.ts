/** How wide a text is drawn, in characters of usual width: an estimate that is rather too large, for fonts that nobody knows. */

const graphemes = new Intl.Segmenter();
const twice =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;
const broad = /[A-Zmw@%&<>+=~#_–—…]/;
/** Its characters stand by themselves. */
const isPlain = /^[\n -~]*$/;
const nothing = /^[\p{Cf}\p{Mn}\p{Cc}]+$/u;

function widthOfOne(grapheme: string): number {
  if (twice.test(grapheme)) return 2;
  if (nothing.test(grapheme)) return 0;
  return broad.test(grapheme) ? 1.3 : 1;
}

/** What is longer fits in no line: its width is its length. Splitting joined emoji takes more than linear time. */
const mostMeasured = 4000;

/** In characters of usual width. */
export function widthOf(text: string): number {
  let width = 0;
  if (text.length > mostMeasured) return text.length;
  if (isPlain.test(text)) {
    for (const character of text) width += broad.test(character) ? 1.3 : 1;
    return width;
  }
  for (const { segment } of graphemes.segment(text)) width += widthOfOne(segment);
  return width;
}

/** The beginning of a text that is at most so wide, ending in an ellipsis where something was left out. */
export function cutWords(text: string, width: number): string {
  // No character is wider than two, and few take more than some units: what lies far behind is not looked at.
  const near = text.slice(0, Math.max(0, Math.ceil(width)) * 12 + 12).toWellFormed();
  if (near.length === text.length && widthOf(text) <= width) return text;
  let kept = "";
  let left = width - 1.3;
  for (const { segment } of graphemes.segment(near)) {
    left -= widthOfOne(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
