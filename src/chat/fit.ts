import type { Span, Text } from "../core/cards/card.ts";

/** Fits texts into a platform's limits: escaping makes a text longer, and a mark must not be cut in half. */

export interface FittedText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Draws spans in at most `longest` characters. `drawSpan` returns null when not even the beginning of a span fits. */
export function drawSpans(
  text: Text,
  longest: number,
  drawSpan: (span: Span, longest: number) => FittedText | null,
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

/** The marks around a text; both are empty for plain text. */
export interface Marks {
  readonly before: string;
  readonly after: string;
}

export const noMarks: Marks = { before: "", after: "" };
export const codeMarks: Marks = { before: "`", after: "`" };

/** Returns as much of the text as fits between the marks after escaping; null when there is no room. */
export function fit(
  text: string,
  longest: number,
  { before, after }: Marks,
  escape: (text: string) => string,
): FittedText | null {
  const room = longest - before.length - after.length;
  if (text === "") return { text: "", isCut: false };
  if (room < 2) return null;
  // Escaping shortens a text only by removing direction marks, so a text of twice the room cannot fit.
  const whole = text.length <= 2 * room ? escape(text) : null;
  if (whole !== null && whole.length <= room) return { text: before + whole + after, isCut: false };

  // Binary search for the longest beginning that fits beside the "…"; the longest is tried first.
  let [least, most] = [0, room - 1];
  for (let middle = most; least < most; middle = Math.ceil((least + most) / 2)) {
    if (escape(text.slice(0, middle)).length <= room - 1) least = middle;
    else most = middle - 1;
  }
  return { text: `${before}${escape(text.slice(0, startOfCharacter(text, least)))}…${after}`, isCut: true };
}

/** Maximum length of a character in code units; longer than any that people write. */
const longestCharacter = 200;

/** Returns where the character at this place begins, so that none is cut in two. */
function startOfCharacter(text: string, place: number): number {
  return graphemes.segment(text.slice(0, place + longestCharacter)).containing(place)?.index ?? place;
}
