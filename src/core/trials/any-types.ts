import { isPythonFile } from "./languages.ts";
import { type NonToken, type Token, tokensOf } from "./tokens.ts";
import { bracketAt, isTypeAt } from "./type-places.ts";

/** A place where source gives up a type, and the replacement that a type checker sees there instead. */
export interface AnyType extends NonToken {
  readonly to: string;
}

const isTypeScript = /\.[cm]?tsx?$/i;

/** Maximum number of tokens before a name that are searched for `extends`. */
const longest = 100;

/**
 * Finds where source gives up on types: `as any`, `price: any`, `as unknown as Price`, Python's `Any`. Each is replaced by a type that
 * says as little but allows nothing (`unknown`, `object`), so that the code runs as before. Places where honest code can hardly do
 * otherwise are skipped: forwarded arguments (`...args: any[]`), bounds (`T extends …`), caught errors, and records with any keys
 * (`Record<string, any>`), unless their values are written there and have one type.
 */
export function anyTypesIn(text: string, path: string): readonly AnyType[] {
  if (isPythonFile(path)) return anyOfPython(text, tokensOf(text, path));
  if (!isTypeScript.test(path)) return [];
  const tokens = tokensOf(text, path);
  return tokens.flatMap((token, index) => {
    if (token.type !== "word" || !/^(?:any|unknown)$/.test(token.text)) return [];
    const [before, next] = [tokens[index - 1], tokens[index + 1]];
    // `as unknown as Price` becomes `as Price`: the checker then compares the type of the value with `Price`.
    if (before?.text === "as" && next?.text === "as") {
      const to = text.slice(token.start, next.end).replace(/[^\n]/g, " ");
      return [{ text: `as ${token.text} as`, start: token.start, end: next.end, line: token.line, to }];
    }
    if (token.text === "unknown" || !isAny(tokens, index) || isUsual(tokens, index)) return [];
    return [said(token, "unknown", before)];
  });
}

function isAny(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1]?.text ?? "";
  return !/^[.(:]$/.test(next) && isTypeAt(tokens, index);
}

/** True when honest code could not use `unknown` there either. */
function isUsual(tokens: readonly Token[], index: number): boolean {
  const textAt = (at: number): string => tokens[at]?.text ?? "";
  const wordsBefore = [4, 3, 2, 1].map((back) => textAt(index - back)).join(" ");
  if (/(?:^| )Record < \w+ ,$/.test(wordsBefore))
    return (textAt(index - 5) !== "as" || isRead(tokens, index - 6)) && !isGivenValues(tokens, index + 2);
  if (/\] :$|catch \( \w+ :$/.test(wordsBefore)) return !isGivenValues(tokens, index + 2);
  return isPassedOn(tokens, index) || isBound(tokens, index);
}

/** True for `JSON.parse(…)`, `response.json()` and `yaml.load(…)`: input from outside has the type `any` or `unknown` already. */
function isRead(tokens: readonly Token[], close: number): boolean {
  if (tokens[close]?.text !== ")") return false;
  const before = tokens[bracketAt(tokens, close) - 1];
  if (before?.type === "word" && before.text !== "return")
    return /^(?:parse|json|load|safeLoad|decode|deserialize|require)$/.test(before.text);
  return isRead(tokens, close - 1);
}

/**
 * True for `= { usual: "21" }`: the values are written there and have one type. False for `= {}`, which is filled later, and for values
 * of several types: `= { page: 1, sort: "name" }`.
 */
function isGivenValues(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== "=" || tokens[index + 1]?.text !== "{" || tokens[index + 2]?.text === "}") return false;
  return valueTypes(tokens, index + 2).size < 2;
}

/** The types of the values in braces, as far as their first token shows them. `from`: the first token in the braces. */
function valueTypes(tokens: readonly Token[], from: number): ReadonlySet<string> {
  const found = new Set<string>();
  let depth = 0;
  for (let at = from; at < Math.min(tokens.length, from + 10 * longest) && depth >= 0; at += 1) {
    const { text = "" } = tokens[at] ?? {};
    if (/^[([{]$/.test(text)) depth += 1;
    else if (/^[)\]}]$/.test(text)) depth -= 1;
    else if (depth === 0 && text === ":") found.add(typeOf(tokens[at + 1]));
  }
  found.delete("none");
  return found;
}

function typeOf(value: Token | undefined): string {
  if (value === undefined || /^(?:null|undefined|None)$/.test(value.text)) return "none";
  if (/^(?:true|false|True|False)$/.test(value.text)) return "boolean";
  return /^[[{]$/.test(value.text) ? value.text : value.type;
}

/** True for forwarded arguments, as in `(...args: any[]) => any`, and for the return type of such a function. */
function isPassedOn(tokens: readonly Token[], index: number): boolean {
  const isRest = (colon: number): boolean => tokens[colon]?.text === ":" && tokens[colon - 2]?.text === ".";
  let at = index - 1;
  if (tokens[at]?.text === "<" && tokens[at - 2]?.text === ":") return isRest(at - 2);
  if (tokens[at]?.text === "readonly") at -= 1;
  if (isRest(at)) return true;
  if (tokens[at]?.text === "<") at -= 2;
  if (tokens[at]?.text !== "=>" || tokens[at - 1]?.text !== ")") return false;
  const open = bracketAt(tokens, at - 1);
  return tokens[open + 1]?.text === "." && tokens.slice(open, at).some(({ text }) => text === "any");
}

/** True when `extends` stands before the token in the same type expression. */
function isBound(tokens: readonly Token[], index: number): boolean {
  let depth = 0;
  for (let at = index - 1; at >= Math.max(0, index - longest); at -= 1) {
    const text = tokens[at]?.text ?? "";
    if (/^(?:[)\]>]|>>)$/.test(text)) depth += text.length;
    else if (/^(?:[([<]|<<)$/.test(text)) depth = Math.max(0, depth - text.length);
    else if (depth === 0 && text === "extends") return true;
    else if (depth === 0 && /^[;{}=?]$/.test(text)) return false;
  }
  return false;
}

/** Finds `Any`, `typing.Any`, and the names under which a file imports them. */
function anyOfPython(text: string, tokens: readonly Token[]): readonly AnyType[] {
  const imports = importLines(text);
  const modules = new Set(["typing", "typing_extensions"]);
  const names = new Set(["Any"]);
  for (const [index, { text: name, line }] of tokens.entries()) {
    if (tokens[index + 1]?.text !== "as" || !imports.has(line)) continue;
    const called = tokens[index + 2]?.text ?? "";
    if (name === "Any") names.add(called);
    else if (modules.has(name)) modules.add(called);
  }
  return tokens.flatMap((token, index) => {
    if (token.type !== "word" || imports.has(token.line)) return [];
    const isOfModule = token.text === "Any" && tokens[index - 1]?.text === ".";
    if (isOfModule ? !modules.has(tokens[index - 2]?.text ?? "") : !names.has(token.text)) return [];
    const from = isOfModule ? index - 2 : index;
    const start = tokens[from]?.start ?? token.start;
    return isAnyOfPython(tokens, from, index)
      ? [said({ ...token, text: text.slice(start, token.end), start }, "object")]
      : [];
  });
}

/** True for a type, unless it types forwarded arguments (`**kwargs: Any`) or a map with any keys (`dict[str, Any]`). */
function isAnyOfPython(tokens: readonly Token[], from: number, to: number): boolean {
  const textAt = (at: number): string => tokens[at]?.text ?? "";
  const [before, next] = [textAt(from - 1), textAt(to + 1)];
  if (before === "." || /^[.(]$/.test(next) || (next === "=" && before !== ":")) return false;
  if (before === ":" && /^\*{1,2}$/.test(textAt(from - 3))) return false;
  const isMap =
    before === "," && textAt(from - 3) === "[" && /^(?:[Dd]ict|(?:Mutable)?Mapping)$/.test(textAt(from - 4));
  return !isMap || isGivenValues(tokens, to + 2);
}

function said({ text, start, end, line }: Omit<Token, "type">, to: string, before?: Token): AnyType {
  return { text: before?.text === "as" ? `as ${text}` : text, start, end, line, to };
}

/** Line numbers (from 0) of imports, including the lines of brackets that an import opens. */
function importLines(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let isOpen = false;
  for (const [line, words] of text.split("\n").entries()) {
    const begins = /^\s{0,40}(?:from|import)\s/.test(words);
    if (!begins && !isOpen) continue;
    found.add(line);
    isOpen = (isOpen || words.includes("(")) && !words.includes(")");
  }
  return found;
}
