import { widthOf } from "../text/width.ts";
import type { LineWidth } from "./brief-pair.ts";
import type { CardBlock, Span, Text } from "./card.ts";

/** Characters in a line of output: on a phone that is 400 px wide, or on a wide page. */
export function codeColumns(width: LineWidth): number {
  return 34 * width;
}

/** How wide output is where a line of words has `columns`. */
export function widthAt(columns: number): LineWidth {
  return columns < 50 ? 1 : 2;
}

/** The drawn form of a moment is at most as wide as this. */
const momentWords = "Jan 27th, 2026 10:00 AM";

/** How many lines a block takes where a line holds `columns` characters. */
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

/** Letters of output are all as wide as each other. */
export const isFixed = /^[ -~]*$/;

function linesOfCode(code: string, columns: number): number {
  const near = code.slice(0, mostLines * columns * 2).split("\n");
  return near.reduce((sum, line) => {
    const width = isFixed.test(line) ? line.length : widthOf(line);
    return sum + Math.max(1, Math.ceil(width / columns));
  }, 0);
}

/** How many lines a text takes; none where nothing is drawn. */
export function linesOfText(spans: Text, columns: number): number {
  const words = spans.map(spanText).join("");
  if (words.trim() === "") return 0;
  // What is longer than any card does not have to be measured.
  if (words.length > mostLines * columns * 2) return mostLines * 4;
  // Words that do not fit leave room at the end of a line.
  const linesIn = (line: string): number => Math.ceil((widthOf(line) * (line.length > columns ? 1.06 : 1)) / columns);
  return words.split("\n").reduce((sum, line) => sum + Math.max(1, linesIn(line)), 0);
}

/** A span as it will be read; a person and a moment, which each platform draws, as long as they come out. */
export function spanText(span: Span): string {
  if (typeof span === "string") return span;
  if ("strong" in span) return span.strong;
  if ("code" in span) return span.code;
  if ("command" in span) return `/cos ${span.command}`;
  if ("link" in span) return span.link;
  if ("person" in span) return "@".padEnd(12);
  return momentWords;
}

/** Lines before the buttons. */
export const mostLines = 8;
