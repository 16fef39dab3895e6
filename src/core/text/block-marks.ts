export interface Fence {
  readonly character: string;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
}

/** Returns the fence that a line opens (CommonMark: three or more of ` or ~). Null when it opens none. */
export function fenceOf(line: string): Fence | null {
  const start = line.trimStart();
  const [character = ""] = start;
  if (character !== "`" && character !== "~") return null;
  let length = 1;
  while (start[length] === character) length += 1;
  const info = start.slice(length).trim();
  if (length < 3 || (character === "`" && info.includes("`"))) return null;
  return { character, length, indent: indentOf(line), info };
}

/** True when a line closes a fence: the same character, at least as long, and nothing after it. */
export function closes(line: string, { character, length }: Fence): boolean {
  const other = fenceOf(line);
  return other !== null && other.character === character && other.length >= length && other.info === "";
}

/** Returns what ends an HTML block: `-->` for a comment, the closing tag for a script, "" (a blank line) otherwise. Null for no block. */
export function htmlEnd(line: string): string | null {
  const start = line.trimStart();
  if (start.startsWith("<!--")) return "-->";
  const name = /^<(script|pre|style|textarea)(?=[\s>]|$)/i.exec(start)?.[1];
  if (name !== undefined) return `</${name.toLowerCase()}>`;
  return /^<[!?]/.test(start) || blockTag.test(start) || loneTag.test(start) ? "" : null;
}

/** Tags that begin a block on any line that starts with one of them (CommonMark). */
const blockTag =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s>]|\/>|$)/i;

/** Any other tag begins a block only when it is alone on its line. With words after it, it is part of a paragraph, like `<https://…>`. */
const loneTag = /^<\/?[A-Za-z][A-Za-z0-9-]*(?:[\s/][^<>]*)?>\s*$/;

/** Returns the heading of a line, # to ######, without closing marks. Null when it is none. */
export function headingOf(line: string): { readonly depth: number; readonly text: string } | null {
  if (indentOf(line) >= 4) return null;
  const start = line.trim();
  let depth = 0;
  while (start[depth] === "#") depth += 1;
  if (depth === 0 || depth > 6 || (start.length > depth && !isBlankLine(start[depth]))) return null;
  const text = start.slice(depth).trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  // Marks at the end close the heading only after a blank.
  return { depth, text: end === 0 || isBlankLine(text[end - 1]) ? text.slice(0, end).trimEnd() : text };
}

/** True when a line is a thematic break: three or more of -, * or _, and blanks. */
export function isRule(line: string): boolean {
  if (indentOf(line) >= 4) return false;
  const [character = ""] = line.trimStart();
  if (!"-*_".includes(character) || character === "") return false;
  let marks = 0;
  for (const each of line) {
    if (each === character) marks += 1;
    else if (!isBlankLine(each)) return false;
  }
  return marks >= 3;
}

/** The mark of an item: `-`, `+`, `*`, `1.` or `1)`. */
export interface ListMark {
  /** Items of one list have the same kind. */
  readonly kind: string;
  readonly number: number | null;
  /** The column at which the item's content begins. */
  readonly content: number;
  readonly isEmpty: boolean;
}

/** Returns the list mark at the beginning of a line, with the column of its content. Null when there is none. */
export function markOf(line: string): ListMark | null {
  const indent = indentOf(line);
  if (indent >= 4) return null;
  const start = line.trimStart();
  const mark = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(start);
  if (mark === null) return null;
  const [whole, digits] = mark;
  const rest = start.slice(whole.length);
  const isEmpty = isBlankLine(rest);
  const behind = indent + whole.length;
  const gap = isEmpty ? 1 : indentOf(" ".repeat(behind) + rest) - behind;
  const number = digits === undefined ? null : Number(digits);
  return { kind: whole.slice(-1), number, content: behind + (gap > 4 ? 1 : gap), isEmpty };
}

/** Returns the line after its list mark, with the mark replaced by blanks. */
export function withoutMark(line: string, { content, isEmpty }: ListMark): string {
  if (isEmpty) return "";
  const start = line.length - line.trimStart().length;
  const mark = /^(?:[-+*]|\d{1,9}[.)])/.exec(line.slice(start))?.[0] ?? "";
  return withoutIndent(`${" ".repeat(indentOf(line) + mark.length)}${line.slice(start + mark.length)}`, content);
}

/** Returns the indentation in columns; a tab goes to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === " ") columns += 1;
    else if (line[at] === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** Returns the line without that many leading columns of white space, or without all it has if fewer. */
export function withoutIndent(line: string, columns: number): string {
  let at = 0;
  let gone = 0;
  while (gone < columns && (line[at] === " " || line[at] === "\t")) {
    gone += line[at] === "\t" ? 4 - (gone % 4) : 1;
    at += 1;
  }
  return `${" ".repeat(Math.max(0, gone - columns))}${line.slice(at)}`;
}

/** True for white space only, an empty text, or undefined. */
export function isBlankLine(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}
