import type { Fault } from "./bounds.ts";
import {
  type Fence,
  fenceOf,
  closes,
  htmlEnd,
  headingOf,
  isRule,
  type ListMark,
  markOf,
  withoutMark,
  indentOf,
  withoutIndent,
  isBlankLine,
} from "./block-marks.ts";

/**
 * Parses the blocks of a Markdown text, as far as criteria files and outlines need them: headings, code, lists; anything else is
 * words. Inline markup (emphasis, links, tables) stays as written. Each line is read once for each list around it, and lists nest
 * at most `deepest` levels, so the time is linear in the text.
 */

interface Place {
  /** The line at which it begins, from 1. */
  readonly line: number;
  /** As written, without the indentation of the lists around it. */
  readonly raw: string;
}

export type Block = Place &
  (
    | { readonly type: "heading"; readonly depth: number; readonly text: string }
    | { readonly type: "code"; readonly language: string; readonly text: string }
    | { readonly type: "list"; readonly items: readonly ListItem[] }
    | { readonly type: "rule" }
    | { readonly type: "words" }
  );

export interface ListItem extends Place {
  /** Its lines, without its mark. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

export type ReadBlocks =
  | { readonly type: "read"; readonly blocks: readonly Block[] }
  | { readonly type: "wrong"; readonly fault: Fault };

const deepest = 12;

/** Parses the blocks of a text with `\n` as its line end. Returns a fault with its line when lists are nested too deeply. */
export function readBlocks(text: string): ReadBlocks {
  const fault: { found: Fault | null } = { found: null };
  const blocks = blocksOf({ lines: text.split("\n"), first: 1, level: 0, fault });
  return fault.found === null ? { type: "read", blocks } : { type: "wrong", fault: fault.found };
}

/** Lines that are parsed together: a text, or a list item. */
interface Part {
  readonly lines: readonly string[];
  /** The number of the first line. */
  readonly first: number;
  /** The number of lists around it. */
  readonly level: number;
  readonly fault: { found: Fault | null };
}

function blocksOf(part: Part): Block[] {
  const { lines, first, level, fault } = part;
  if (level > deepest) {
    fault.found ??= { line: first, problem: `lists are nested more than ${deepest} levels deep` };
    return [];
  }
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlankLine(lines[at])) {
      at += 1;
      continue;
    }
    const { block, end } = readBlock(part, at);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

interface Read {
  readonly block: Block;
  /** The index after its last line. */
  readonly end: number;
}

function readBlock(part: Part, at: number): Read {
  const { lines, first } = part;
  const line = lines[at] ?? "";
  if (indentOf(line) >= 4) return readIndented(part, at);
  const fence = fenceOf(line);
  if (fence !== null) return readFenced(part, at, fence);
  const heading = headingOf(line);
  if (heading !== null) return { block: { type: "heading", ...heading, line: first + at, raw: line }, end: at + 1 };
  if (isRule(line)) return { block: { type: "rule", line: first + at, raw: line }, end: at + 1 };
  const mark = markOf(line);
  if (mark !== null) return readList(part, at, mark);
  const closing = htmlEnd(line);
  if (closing !== null) return readHtml(part, at, closing);
  return readParagraph(part, at);
}

/** Reads words, or a heading when the line below is all `=` or `-`. */
function readParagraph({ lines, first }: Part, at: number): Read {
  const isQuote = (lines[at] ?? "").trimStart().startsWith(">");
  let end = at + 1;
  for (; end < lines.length && !isBlankLine(lines[end]); end += 1) {
    const line = lines[end] ?? "";
    const under = !isQuote && indentOf(line) < 4 ? /^[ \t]*(?:(=+)|-+)[ \t]*$/.exec(line) : null;
    if (under !== null) {
      const raw = lines.slice(at, end + 1).join("\n");
      const text = lines.slice(at, end).join("\n").trim();
      const depth = under[1] === undefined ? 2 : 1;
      return { block: { type: "heading", depth, text, line: first + at, raw }, end: end + 1 };
    }
    if (interrupts(line) && !(isQuote && line.trimStart().startsWith(">"))) break;
  }
  return { block: { type: "words", line: first + at, raw: lines.slice(at, end).join("\n") }, end };
}

/** True when a line starts another block in the middle of words. */
function interrupts(line: string): boolean {
  if (indentOf(line) >= 4) return false;
  const start = line.trimStart();
  if (start.startsWith(">") || start.startsWith("<!--")) return true;
  if (fenceOf(line) !== null || headingOf(line) !== null || isRule(line)) return true;
  const mark = markOf(line);
  return mark !== null && !mark.isEmpty && (mark.number === null || mark.number === 1);
}

function readIndented({ lines, first }: Part, at: number): Read {
  let end = at + 1;
  let last = end;
  for (; end < lines.length && (isBlankLine(lines[end]) || indentOf(lines[end] ?? "") >= 4); end += 1)
    if (!isBlankLine(lines[end])) last = end + 1;
  const own = lines.slice(at, last);
  const text = own.map((line) => withoutIndent(line, 4)).join("\n");
  return { block: { type: "code", language: "", text, line: first + at, raw: own.join("\n") }, end: last };
}

/** Reads up to the closing fence, or to the end. */
function readFenced({ lines, first }: Part, at: number, fence: Fence): Read {
  let end = at + 1;
  while (end < lines.length && !(indentOf(lines[end] ?? "") < 4 && closes(lines[end] ?? "", fence))) end += 1;
  const text = lines
    .slice(at + 1, end)
    .map((line) => withoutIndent(line, fence.indent))
    .join("\n");
  const language = fence.info.split(/\s/, 1)[0] ?? "";
  const raw = lines.slice(at, end + 1).join("\n");
  return { block: { type: "code", language, text, line: first + at, raw }, end: Math.min(end + 1, lines.length) };
}

function readHtml({ lines, first }: Part, at: number, closing: string): Read {
  let end = at;
  if (closing === "") while (end < lines.length && !isBlankLine(lines[end])) end += 1;
  else {
    while (end < lines.length && !(lines[end] ?? "").toLowerCase().includes(closing)) end += 1;
    end = Math.min(end + 1, lines.length);
  }
  return { block: { type: "words", line: first + at, raw: lines.slice(at, end).join("\n").trimEnd() }, end };
}

function readList(part: Part, at: number, mark: ListMark): Read {
  const { lines, first } = part;
  const items: ListItem[] = [];
  let end = at;
  let next: ListMark | null = mark;
  while (next !== null && next.kind === mark.kind) {
    const item = readItem(part, end, next);
    items.push(item.item);
    let after = item.end;
    while (after < lines.length && isBlankLine(lines[after])) after += 1;
    const line = lines[after] ?? "";
    next = after < lines.length && !isRule(line) ? markOf(line) : null;
    end = next !== null && next.kind === mark.kind ? after : item.end;
  }
  const raw = lines.slice(at, end).join("\n");
  return { block: { type: "list", items, line: first + at, raw }, end };
}

function readItem(part: Part, at: number, mark: ListMark): { readonly item: ListItem; readonly end: number } {
  const { lines, first, level, fault } = part;
  const own = [withoutMark(lines[at] ?? "", mark)];
  let fence = fenceOf(own[0] ?? "");
  let end = at + 1;
  // Lines before `last` belong to the item; blank lines after it belong only if more follow.
  let last = end;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    if (isBlankLine(line)) {
      if (mark.isEmpty && end === at + 1) break;
      own.push("");
      continue;
    }
    const isInside = indentOf(line) >= mark.content;
    const isLazy = !isInside && last === end && fence === null && markOf(line) === null && !interrupts(line);
    if (!isInside && !isLazy) break;
    const inner = isInside ? withoutIndent(line, mark.content) : line;
    own.push(inner);
    if (fence === null) fence = fenceOf(inner);
    else if (closes(inner, fence)) fence = null;
    last = end + 1;
  }
  const kept = own.slice(0, last - at);
  const item = {
    line: first + at,
    raw: lines.slice(at, last).join("\n"),
    text: kept.join("\n"),
    blocks: blocksOf({ lines: kept, first: first + at, level: level + 1, fault }),
  };
  return { item, end: last };
}
