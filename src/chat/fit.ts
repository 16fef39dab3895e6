import type { Span, Text } from "../core/cards/card.ts";

/** Texts within a platform's limits: what is escaped is longer than what was written, and half a mark is no mark. */

export interface Piece {
  readonly text: string;
  readonly isCut: boolean;
}

/** Spans of at most `longest` characters. `drawSpan` answers null where not even a beginning of a span fits. */
export function drawSpans(
  text: Text,
  longest: number,
  drawSpan: (span: Span, longest: number) => Piece | null,
): string {
  let drawn = "";
  for (const span of text) {
    const piece = drawSpan(span, longest - drawn.length);
    if (piece === null) return drawn.length < longest ? `${drawn}…` : drawn;
    drawn += piece.text;
    if (piece.isCut) return drawn;
  }
  return drawn;
}

const graphemes = new Intl.Segmenter();

/** As much of the text as fits between the marks once it is escaped. */
export function fit(
  text: string,
  longest: number,
  before: string,
  after: string,
  escape: (text: string) => string,
): Piece | null {
  const room = longest - before.length - after.length;
  if (text === "") return { text: "", isCut: false };
  if (room < 2) return null;
  const whole = escape(text);
  if (whole.length <= room) return { text: before + whole + after, isCut: false };

  // Escaping makes text longer, never shorter: the longest beginning that fits is found by halving.
  const characters = Array.from(graphemes.segment(text.slice(0, room)), ({ segment }) => segment);
  let [least, most] = [0, characters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (escape(characters.slice(0, middle).join("")).length <= room - 1) least = middle;
    else most = middle - 1;
  }
  return { text: `${before}${escape(characters.slice(0, least).join(""))}…${after}`, isCut: true };
}
