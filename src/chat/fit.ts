import type { Span, Text } from "../core/cards/card.ts";

/** Texts within a platform's limits: what is escaped is longer than what was written, and half a mark is no mark. */

export interface FittedText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Spans of at most `longest` characters. `drawSpan` answers null where not even a beginning of a span fits. */
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

/** What stands around a text: both empty where it stands by itself. */
export interface Marks {
  readonly before: string;
  readonly after: string;
}

export const noMarks: Marks = { before: "", after: "" };
export const codeMarks: Marks = { before: "`", after: "`" };

/** As much of the text as fits between the marks once it is escaped. */
export function fit(
  text: string,
  longest: number,
  { before, after }: Marks,
  escape: (text: string) => string,
): FittedText | null {
  const room = longest - before.length - after.length;
  if (text === "") return { text: "", isCut: false };
  if (room < 2) return null;
  // Only what it takes from the text (marks of direction) makes escaping shorter: a text of twice the room is too long.
  const whole = text.length <= 2 * room ? escape(text) : null;
  if (whole !== null && whole.length <= room) return { text: before + whole + after, isCut: false };

  // The longest beginning that fits, without the sign in which it ends: found by halving, the longest tried first.
  let [least, most] = [0, room - 1];
  for (let middle = most; least < most; middle = Math.ceil((least + most) / 2)) {
    if (escape(text.slice(0, middle)).length <= room - 1) least = middle;
    else most = middle - 1;
  }
  return { text: `${before}${escape(text.slice(0, startOfCharacter(text, least)))}…${after}`, isCut: true };
}

/** More code units than a character has that people write. */
const longestCharacter = 200;

/** Where the character begins that holds this place, so that none is cut in two. */
function startOfCharacter(text: string, place: number): number {
  return graphemes.segment(text.slice(0, place + longestCharacter)).containing(place)?.index ?? place;
}
