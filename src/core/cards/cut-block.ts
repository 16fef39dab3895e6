import { inOneLine } from "../text/bounds.ts";
import { cutWords, widthOf } from "../text/width.ts";
import { shorten } from "../text.ts";
import type { CardBlock, Span, Text } from "./card.ts";
import { codeColumns, isFixed, linesOfText, spanText, widthAt } from "./drawn-lines.ts";

/** Cuts a block to at most `lines` lines. Null when it cannot be cut. */
export function cutBlock(block: CardBlock, lines: number, columns: number): CardBlock | null {
  const width = lines * columns * 0.92 - 2;
  switch (block.type) {
    case "text":
    case "note": {
      const cut = cutText(block.text, width);
      return cut.length === 0 || isLoneLabel(cut, block.text) ? null : { ...block, text: cut };
    }
    case "fields":
      return listOf(
        cutItems(
          block.fields.map(({ label, value }) => [{ strong: `${label}: ` }, ...value]),
          lines,
          columns,
        ),
      );
    case "list":
      return listOf(cutItems(block.items, lines, columns));
    case "code":
      return {
        ...block,
        text: cutLines(partOf(block.text.split("\n"), lines, block.isEnd === true), codeColumns(widthAt(columns))),
      };
    case "picture":
      return { ...block, words: cutWords(inOneLine(block.words), width) };
  }
}

/** True when only a label such as "*Done*" is left and all that follows it was cut off. */
function isLoneLabel(cut: Text, whole: Text): boolean {
  const [first] = cut;
  return cut.length === 1 && whole.length > 1 && typeof first === "object" && "strong" in first && first === whole[0];
}

function listOf(items: readonly Text[]): CardBlock | null {
  return items.length === 0 ? null : { type: "list", items };
}

function partOf(all: readonly string[], most: number, isEnd: boolean): readonly string[] {
  return isEnd ? all.slice(-most) : all.slice(0, most);
}

/** As many items as fit into `lines`. An item that would take more than two lines is cut. */
export function cutItems(items: readonly Text[], lines: number, columns: number): Text[] {
  const shown: Text[] = [];
  let left = lines;
  for (const item of items) {
    const most = Math.min(2, left);
    if (most < 1) break;
    const isShort = linesOfText(["•  ", ...item], columns) <= most;
    const cut = isShort ? item : cutText(item, most * columns * 0.92 - 5);
    if (cut.length === 0) break;
    shown.push(cut);
    left -= Math.max(1, linesOfText(["•  ", ...cut], columns));
  }
  return shown;
}

/** Lines of at most `columns` characters, so that they do not wrap. */
export function cutLines(lines: readonly string[], columns: number): string {
  return lines
    .map((line) => (line.length > columns ? line.replaceAll(/ {3,80}/g, "  ") : line))
    .map((line) => (isFixed.test(line) ? shorten(line, columns) : cutWords(line, columns)))
    .join("\n");
}

/** Spans without line breaks, cut to `width`. */
export function cutText(spans: Text, width: number): Text {
  const shown: Span[] = [];
  let left = width;
  for (const span of spans) {
    const words = spanText(span);
    const needed = widthOf(words, left);
    if (needed <= left && !words.includes("\n")) {
      shown.push(span);
      left -= needed;
      continue;
    }
    const cut = cutSpan(span, left);
    if (cut === null) return withoutLoose(shown);
    shown.push(cut);
    if (needed > left) return shown;
    left -= needed;
  }
  return shown;
}

/** Removes words at the end that lead to something that was cut off: "Answer by", or a label with its colon. */
function withoutLoose(shown: readonly Span[]): Text {
  const last = shown.at(-1);
  if (last === undefined) return shown;
  const isLabel = typeof last === "object" && "strong" in last && /:\s*$/.test(last.strong);
  if (isLabel) return withoutLoose(shown.slice(0, -1));
  if (typeof last !== "string" || !/\s$/.test(last)) return shown;
  const end = Math.max(last.lastIndexOf(". "), last.lastIndexOf("; "), last.lastIndexOf(", "));
  return end < 1 ? withoutLoose(shown.slice(0, -1)) : [...shown.slice(0, -1), last.slice(0, end)];
}

/** Cuts one span. Moments, people and commands are shown whole or not at all: half a command does something else. */
function cutSpan(span: Span, width: number): Span | null {
  if (width < 2) return null;
  const cut = (words: string): string => cutWords(inOneLine(words), width);
  if (typeof span === "string") return cutWords(span.replaceAll("\n", " "), width);
  if ("strong" in span) return { strong: cut(span.strong) };
  if ("code" in span) return { code: cut(span.code) };
  if ("command" in span) {
    const command = inOneLine(span.command);
    return widthOf(command, width) <= width ? { command } : null;
  }
  if ("link" in span) return { ...span, link: cut(span.link) };
  return null;
}
