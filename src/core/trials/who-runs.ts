import { type Readers, readersOf, type Searched } from "./run-readers.ts";
import { nameIn, type NonToken, type Token } from "./tokens.ts";

/**
 * Searches of the stack, of the started program or of what is loaded for the name of a test: `inspect.stack()[1].function.startswith("test_")`,
 * `strings.HasSuffix(os.Args[0], ".test")` (F-201). A search is a comparison in the statement that reads, or in one with a name that got
 * its value from there. `isTold`: true for a text that is a sign by itself, which is left out.
 */
export function whoRunsIn(
  { tokens, patterns }: { readonly tokens: readonly Token[]; readonly patterns: readonly NonToken[] },
  path: string,
  isTold: (token: Token) => boolean,
): string[] {
  const readers = readersOf(path);
  if (readers === null) return [];
  const reads = readsIn(tokens, readers);
  if (reads.size === 0) return [];
  const names = namesFrom(tokens, reads);
  const searchedBy = (at: number): Searched | undefined => reads.get(at) ?? namedAt(tokens, at, names);
  const found: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const { type, text } = token;
    if (type !== "string" || isTold(token) || !isOfTests(text.slice(1, -1), readers) || !isSearchedFor(tokens, index))
      continue;
    const searched = searchedAt(tokens, index, searchedBy);
    if (searched === "its arguments" && readers.runners?.test(text.slice(1, -1)) !== true) continue;
    if (searched !== null) found.push(`${text} in ${searched}`);
  }
  return [...found, ...patterns.flatMap((pattern) => ofPattern(tokens, pattern, searchedBy))];
}

/** Where the readers end, by the index of a token. */
function readsIn(tokens: readonly Token[], { reads }: Readers): ReadonlyMap<number, Searched> {
  const byEnd = new Map<string, { searched: Searched; words: readonly string[] }[]>();
  for (const [searched, spellings] of Object.entries(reads))
    for (const spelling of spellings) {
      const words = spelling.split(" ").toReversed();
      const [end = ""] = words;
      // Only keys of the record are listed.
      byEnd.set(end, [...(byEnd.get(end) ?? []), { searched: searched as Searched, words }]);
    }
  const found = new Map<number, Searched>();
  for (const [index, { text }] of tokens.entries()) {
    if (tokens[index - 1]?.text === "def" || tokens[index - 1]?.text === "fn") continue;
    const read = byEnd.get(text)?.find(({ words }) => endsThere(tokens, index, words));
    if (read !== undefined && !isIterated(tokens, index)) found.set(index, read.searched);
  }
  return found;
}

/** `for name in sys.modules`: the list as a whole is a sign by itself. */
function isIterated(tokens: readonly Token[], index: number): boolean {
  return tokens[index]?.text === "modules" && tokens[index - 3]?.text === "in" && !isText(tokens[index - 4]);
}

function isText(token: Token | undefined): boolean {
  return token?.type === "string" || token?.text === "not";
}

function endsThere(tokens: readonly Token[], index: number, words: readonly string[]): boolean {
  let at = index;
  for (const word of words) {
    while (/^[?!]$/.test(tokens[at]?.text ?? "")) at -= 1;
    if (tokens[at]?.text !== word) return false;
    at -= 1;
  }
  return true;
}

/** Maximum number of tokens between a reader and the name that gets its value. */
const nearby = 14;

/** Names that get their value from a reader: `exe` of `exe, _ := os.Executable()`, `each` of `for each in inspect.stack():`. */
function namesFrom(tokens: readonly Token[], reads: ReadonlyMap<number, Searched>): ReadonlyMap<string, Searched> {
  const names = new Map<string, Searched>();
  for (const [index, searched] of reads) {
    let sign = -1;
    for (let at = index - 1; at > index - nearby && at >= 0 && isSameLine(tokens, at, index); at -= 1) {
      const { text = "" } = tokens[at] ?? {};
      if (/^[;{]$/.test(text) || (text === "}" && sign !== at + 1)) break;
      if (/^(?:=|in|of)$/.test(text)) sign = at;
      const isLoop = text === ":" && tokens[at + 1]?.text !== ":" && tokens[at - 1]?.text !== ":";
      if (isLoop && sign === -1 && tokens.slice(Math.max(0, at - 6), at).some((each) => each.text === "for")) sign = at;
      if (sign === -1 || at >= sign) continue;
      const isName = /^[a-z_]\w*$/.test(text) && !keywords.test(text);
      if (isName && tokens[at - 1]?.text !== ".") names.set(text, searched);
    }
  }
  return names;
}

const keywords = /^(?:const|let|var|val|mut|auto|final|for|string|char|if|_)$/;

function isSameLine(tokens: readonly Token[], one: number, other: number): boolean {
  return tokens[one]?.line === tokens[other]?.line;
}

function namedAt(tokens: readonly Token[], at: number, names: ReadonlyMap<string, Searched>): Searched | undefined {
  const token = tokens[at];
  return token?.type === "word" && tokens[at - 1]?.text !== "." ? names.get(token.text) : undefined;
}

/** `test_price`, `price.spec.js`, `_test.go`, `.test`; not `latest`. */
const named = /^(?:.{0,60}[^a-z])?(?:tests?|specs?)(?:[^a-z].{0,60})?$/i;
/** `PriceTest`, `TestPrice`. */
const classNamed = /^(?:.{0,60}[a-z]Tests?|Tests?[A-Z].{0,60})$/;

function isOfTests(name: string, { runners }: Readers): boolean {
  if (runners?.test(name) === true) return true;
  return !/\s/.test(name) && (named.test(name) || classNamed.test(name));
}

const asks =
  /^(?:includes?|contains?|(?:ends?|starts?)_?with|(?:last)?indexof|search|match(?:es)?|find|has(?:suffix|prefix)|equals(?:ignorecase)?|ismatch|matchstring|str_(?:contains|starts_with|ends_with)|stri?pos|preg_match|in_array|strr?(?:n?cmp|str|chr)|index|eql)$/i;
const equality = /^(?:[!=]==?|=~)$/;

/** True for a text that something is searched for, or compared with. */
function isSearchedFor(tokens: readonly Token[], index: number): boolean {
  const [before, next] = [tokens[index - 1]?.text ?? "", tokens[index + 1]?.text ?? ""];
  if (equality.test(before) || equality.test(next) || next === "in" || /^(?:case|when)$/.test(before)) return true;
  if (before === ",")
    return tokens.slice(Math.max(0, index - longestSearch), index).some(({ text }) => asks.test(text));
  if (before !== "(" && before !== "[") return false;
  const name = tokens[index - 2]?.text === "?" ? tokens[index - 3] : tokens[index - 2];
  return asks.test(name?.text ?? "") || isLookedUp(tokens, index);
}

/** `sys.modules.get("test_price")`. */
function isLookedUp(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 2]?.text === "get" && tokens[index - 4]?.text === "modules";
}

/** Maximum number of tokens of a statement that are read before and after the text. */
const longestSearch = 40;

/** What the statement around the text searches. */
function searchedAt(
  tokens: readonly Token[],
  index: number,
  searchedBy: (at: number) => Searched | undefined,
): Searched | null {
  let depth = 0;
  for (let at = index - 1; at > index - longestSearch && at >= 0; at -= 1) {
    const { text = "" } = tokens[at] ?? {};
    if (/^[)\]]$/.test(text)) depth += 1;
    if (/^[([]$/.test(text)) depth -= 1;
    if (!isSameLine(tokens, at, at + 1) && depth >= 0 && !goesOn(tokens, at)) break;
    if (text === ";" || text === "}" || (text === "{" && !isBlock(tokens, at))) break;
    const searched = searchedBy(at);
    if (searched !== undefined) return searched;
  }
  if (!/^(?:in|[!=]==?)$/.test(tokens[index + 1]?.text ?? "")) return null;
  for (let at = index + 1; at < index + longestSearch && isSameLine(tokens, at, index); at += 1) {
    if (/^[;{}]$/.test(tokens[at]?.text ?? "")) break;
    const searched = searchedBy(at);
    if (searched !== undefined) return searched;
  }
  return null;
}

/** True when a line goes on in the next: it begins with a member, or the line before it ends with an operator. */
function goesOn(tokens: readonly Token[], at: number): boolean {
  return (
    /^(?:\.|\?|&&|\|\|)$/.test(tokens[at + 1]?.text ?? "") || /^(?:[.,=]|=>|&&|\|\|)$/.test(tokens[at]?.text ?? "")
  );
}

/** True for a block that is given to a call: `caller.any? { |each|`, `.some((each) => {`. */
function isBlock(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before?.text === "?" || before?.text === "=>" || before?.type === "word";
}

/** `/\.test\./.test(new Error().stack)`, `caller.first =~ /_test/`. */
function ofPattern(
  tokens: readonly Token[],
  { text, start }: NonToken,
  searchedBy: (at: number) => Searched | undefined,
): string[] {
  const plain = text.replace(/\\[bdwsBDWS]/g, " ").replaceAll("\\", "");
  if (!/(?:^|[^a-z])(?:tests?|specs?)(?:[^a-z]|$)/i.test(plain)) return [];
  const index = firstBehind(tokens, start);
  const isMatched = /^(?:~|\(|,)$/.test(tokens[index - 1]?.text ?? "");
  const searched = isMatched ? searchedAt(tokens, index, searchedBy) : null;
  if (searched !== null && searched !== "its arguments") return [`${text} in ${searched}`];
  const isAsking = tokens[index]?.text === "." && /^(?:test|exec|match)$/.test(nameIn(tokens[index + 1]) ?? "");
  if (!isAsking) return [];
  const given = tokens.slice(index, index + nearby).findIndex((_, by) => searchedBy(index + by) !== undefined);
  return given === -1 ? [] : [`${text} in ${searchedBy(index + given) ?? ""}`];
}

/** The first token that begins behind a place of the text; the tokens are in order. */
function firstBehind(tokens: readonly Token[], place: number): number {
  let [from, to] = [0, tokens.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((tokens[middle]?.start ?? 0) > place) to = middle;
    else from = middle + 1;
  }
  return from;
}
