/** Changes settings in the text of a settings file (`.env`). All other lines, comments too, stay as they are. */

/** New values by name. Null removes the setting. */
export type SettingChanges = ReadonlyMap<string, string | null>;

interface Assignment {
  readonly name: string;
  /** Line indexes, both inclusive: a quoted value may span several lines. */
  readonly first: number;
  readonly last: number;
  /** The text before the value, such as `export NAME=`. */
  readonly before: string;
  /** The comment after the value; empty when there is none. */
  readonly comment: string;
}

/**
 * Changes settings in the text of a `.env` as dotenv parses it. A new setting goes below its commented line (`#NAME=`), else to
 * the end. Throws TypeError for a value that cannot be written: one with a line break, or with every kind of quote.
 */
export function changeSettingsText(text: string, changes: SettingChanges): string {
  // Each line keeps its own line end: "\r" remains part of it.
  const end = text.includes("\r\n") ? "\r" : "";
  const lines = text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : `${text}${end}`).split("\n");
  // From the end, so that indexes of earlier lines stay valid.
  const placed = new Set<string>();
  for (const { name, first, last, before, comment } of assignments(lines.map(withoutEnd)).reverse()) {
    const value = changes.get(name);
    if (value === undefined) continue;
    // dotenv uses the last assignment of a name.
    if (value !== null && placed.has(name)) continue;
    placed.add(name);
    const line = value === null ? comment : `${before}${quoted(value)}${comment === "" ? "" : ` ${comment}`}`;
    const ownEnd = lines[last]?.endsWith("\r") === true ? "\r" : "";
    lines.splice(first, last - first + 1, ...(line === "" ? [] : [`${line}${ownEnd}`]));
  }
  for (const [name, value] of changes) {
    if (value === null || placed.has(name)) continue;
    const line = `${name}=${quoted(value)}${end}`;
    const commented = lines.findLastIndex((each) => each.replace(/^\s*#\s*/, "#").startsWith(`#${name}=`));
    lines.splice(commented < 0 ? lines.length : commented + 1, 0, line);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the numbers (from 1) of lines that are neither assignments nor comments: their author meant something else. */
export function linesThatSayNothing(text: string): number[] {
  const lines = text.split("\n").map(withoutEnd);
  const said = new Set(
    assignments(lines).flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    ),
  );
  return lines.flatMap((line, index) => (/^\s*(?:#|$)/.test(line) || said.has(index) ? [] : [index + 1]));
}

function withoutEnd(line: string): string {
  return line.replace(/\r$/, "");
}

function assignments(lines: readonly string[]): Assignment[] {
  const found: Assignment[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const [before = "", name] = /^\s*(?:export\s+)?([\w.-]+)\s*(?:=|:\s)\s*/.exec(line) ?? [];
    if (name === undefined) continue;
    const { last, rest } = endOfValue(lines, index, before.length);
    const hash = rest.indexOf("#");
    found.push({ name, first: index, last, before, comment: hash < 0 ? "" : rest.slice(hash) });
    index = last;
  }
  return found;
}

/** Returns the line on which a value ends, and the text after the value. A quote that is never closed does not count as a quote. */
function endOfValue(lines: readonly string[], first: number, from: number): { last: number; rest: string } {
  const line = lines[first] ?? "";
  const quote = line[from];
  if (quote !== undefined && quotes.includes(quote)) {
    for (let last = first; last < lines.length; last += 1) {
      const each = lines[last] ?? "";
      const closing = closingQuote(each, quote, last === first ? from + 1 : 0);
      if (closing >= 0) return { last, rest: each.slice(closing + 1) };
    }
  }
  return { last: first, rest: line.slice(from) };
}

function closingQuote(line: string, quote: string, from: number): number {
  for (let index = from; index < line.length; index += 1) {
    if (line[index] === "\\" && line[index + 1] === quote) index += 1;
    else if (line[index] === quote) return index;
  }
  return -1;
}

/** Quotes in order of preference: first those inside which `\n` is not a line break. */
const quotes = ["'", "`", '"'];

function quoted(value: string): string {
  if (/[\r\n]/.test(value)) throw new TypeError("a value has one line");
  const mayStandAlone = !/[#'"`]/.test(value) && value === value.trim();
  // Docker expands $NAME, but not inside single quotes.
  if (mayStandAlone && (!value.includes("$") || value.endsWith("\\"))) return value;
  const quote = quotes.find((each) => !value.includes(each) && !(each === '"' && value.includes("\\")));
  if (quote === undefined || value.endsWith("\\"))
    throw new TypeError("a value with every kind of quote cannot be said");
  return `${quote}${value}${quote}`;
}
