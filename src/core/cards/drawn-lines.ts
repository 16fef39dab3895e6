import { widthOf } from "../text/width.ts";
import type { LineWidth } from "./brief-pair.ts";
import type { CardBlock, Span, Text } from "./card.ts";

/** Characters in a line of output, on a phone that is 400 px wide or on a wide page. */
export function codeColumns(width: LineWidth): number {
  return 34 * width;
}

/** The width of output on a page whose lines of words hold `columns` characters. */
export function widthAt(columns: number): LineWidth {
  return columns < 50 ? 1 : 2;
}

/** A moment is drawn at most as wide as this. */
const momentWords = "Jan 27th, 2026 10:00 AM";

/** Number of lines that a block takes when a line holds `columns` characters. */
export function countLines(block: CardBlock, columns: number): number {
  switch (block.type) {
    case "text":
    case "note":
      return linesOfText(block.text, columns);
    case "fields":
      // The label stands above its value.
      return block.fields.reduce((sum, { value }) => sum + 1 + Math.max(1, linesOfText(value, columns)), 0);
    case "list":
      return block.items.reduce((sum, item) => sum + Math.max(1, linesOfText(["•  ", ...item], columns)), 0);
    case "code":
      return linesOfCode(block.text, codeColumns(widthAt(columns)));
    case "picture":
      return linesOfText([block.words], columns);
  }
}

/** Matches plain ASCII output, whose characters all have the same width. */
export const isFixed = /^[ -~]*$/;

function linesOfCode(code: string, columns: number): number {
  const near = code.slice(0, mostLines * columns * 2).split("\n");
  return near.reduce((sum, line) => {
    const width = isFixed.test(line) ? line.length : widthOf(line);
    return sum + Math.max(1, Math.ceil(width / columns));
  }, 0);
}

/** Number of lines that a text takes. 0 when nothing is drawn. */
export function linesOfText(spans: Text, columns: number): number {
  const words = spans.map(spanText).join("");
  if (words.trim() === "") return 0;
  // A text that is longer than any card is not measured.
  if (words.length > mostLines * columns * 2) return mostLines * 4;
  // A word that does not fit leaves the end of its line empty.
  const linesIn = (line: string): number => Math.ceil((widthOf(line) * (line.length > columns ? 1.06 : 1)) / columns);
  return words.split("\n").reduce((sum, line) => sum + Math.max(1, linesIn(line)), 0);
}

/** A span as people read it. For a person or a moment, which each platform draws, a placeholder of the expected length. */
export function spanText(span: Span): string {
  if (typeof span === "string") return span;
  if ("strong" in span) return span.strong;
  if ("code" in span) return span.code;
  if ("command" in span) return `/cos ${span.command}`;
  if ("link" in span) return span.link;
  if ("person" in span) return "@".padEnd(12);
  return momentWords;
}

/** Maximum number of lines before the buttons. */
export const mostLines = 8;
