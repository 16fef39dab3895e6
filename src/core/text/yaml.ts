import { Composer, type CST, type Document, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser, visit } from "yaml";
import { type Bounds, type Fault, faultIn, lineCounter } from "./bounds.ts";
import { marksIn } from "./yaml-marks.ts";

/** Parses YAML (and JSON) by others. Size, depth, number of tokens and aliases are limited before any value is built. */

/** Limits of a document, besides its size. */
const most = { levels: 40, pieces: 60_000, keys: 1_000, aliases: 100, faults: 50 } as const;

const usual: Bounds = { characters: 200_000, line: 25_000 };

export type ReadYaml =
  | {
      readonly type: "read";
      readonly value: unknown;
      /** Returns the line of the value at a path, or of the nearest one around it. Null when there is none. */
      lineOf(path: readonly PropertyKey[]): number | null;
      /** Returns places where YAML syntax may have been meant as words. */
      marks(): readonly Fault[];
    }
  /** At least one fault. */
  | { readonly type: "wrong"; readonly faults: readonly Fault[] };

/** Parses one document; a leading byte order mark is skipped. Never throws; linear in the text. */
export function readYaml(given: string, bounds: Bounds = usual): ReadYaml {
  const text = given.startsWith("\uFEFF") ? given.slice(1) : given;
  const size = faultIn(text, bounds);
  if (size !== null) return { type: "wrong", faults: [size] };
  const lineAt = lineCounter(text);
  const parsed = tokensOf(text);
  const shape = "problem" in parsed ? parsed : shapeFault(parsed.tokens);
  if (shape !== null || "problem" in parsed)
    return { type: "wrong", faults: [{ line: lineAt(shape?.at ?? 0), problem: shape?.problem ?? "" }] };

  // Without pretty errors and the library's own check for duplicate keys: both take minutes with hostile text.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, logLevel: "silent" });
  const [document, next] = [...composer.compose(parsed.tokens, true, text.length)];
  if (document === undefined) return { type: "read", value: null, lineOf: () => null, marks: () => [] };
  const found = faultsOf(document, next);
  if (found.length > 0) {
    const faults = found.slice(0, most.faults).map(({ at, problem }) => ({ line: lineAt(at), problem }));
    return { type: "wrong", faults };
  }
  return {
    type: "read",
    value: document.toJS({ maxAliasCount: -1 }),
    lineOf: (path) => lineOf(document, path, lineAt),
    marks: () => marksIn(document).map(({ at, problem }) => ({ line: lineAt(at), problem })),
  };
}

/** A fault at an index of the text. */
interface Found {
  readonly at: number;
  readonly problem: string;
}

/** Tokenises the text, up to the first token that is out of place or nested too deeply. */
function tokensOf(text: string): { readonly tokens: readonly CST.Token[] } | Found {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let pieces = 0;
  // A token out of place may be caused by an earlier fault. The composer reports both, and the first one counts.
  const take = (made: Iterable<CST.Token>): boolean => {
    let isWrong = false;
    for (const token of made) {
      isWrong ||= token.type === "error";
      tokens.push(token);
    }
    return isWrong;
  };
  for (const lexeme of new Lexer().lex(text)) {
    pieces += 1;
    if (pieces > most.pieces) return { at: parser.offset, problem: `has more than ${most.pieces} pieces` };
    if (take(parser.next(lexeme))) break;
    if (parser.stack.length > 2 * most.levels) return { at: parser.offset, problem: tooDeep };
  }
  take(parser.end());
  return { tokens };
}

const tooDeep = `is nested more than ${most.levels} levels deep`;

/** Checks the depth iteratively, because building the values recurses. */
function shapeFault(tokens: readonly CST.Token[]): Found | null {
  const waiting: { readonly token: CST.Token; readonly level: number }[] = [];
  const push = (token: CST.Token | null | undefined, level: number): void => {
    if (token != null) waiting.push({ token, level });
  };
  for (const token of tokens) push(token, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, level } = next;
    if (level > most.levels) return { at: offsetOf(token), problem: tooDeep };
    if (token.type === "document") push(token.value, level);
    if (!("items" in token)) continue;
    for (const item of token.items) {
      push(item.key, level + 1);
      push(item.value, level + 1);
    }
  }
  return null;
}

function offsetOf(token: CST.Token): number {
  return "offset" in token ? token.offset : 0;
}

function faultsOf(document: Document.Parsed, next: Document.Parsed | undefined): Found[] {
  // The first error shows where the fault is.
  const errors = document.errors
    .toSorted((a, b) => a.pos[0] - b.pos[0])
    .map(({ pos, message }) => ({
      at: pos[0],
      problem: message.split("\n")[0] ?? message,
    }));
  if (errors.length > 0) return errors;
  if (next !== undefined) {
    const at = next.range[0];
    return [{ at, problem: "a second document begins here: one is read" }];
  }
  return [...keyFaults(document), ...aliasFaults(document)];
}

/** Returns duplicate keys, maps with too many keys, and keys that are not scalars. */
function keyFaults(document: Document): Found[] {
  const found: Found[] = [];
  visit(document, {
    Map(_, map) {
      const at = map.range?.[0] ?? 0;
      if (map.items.length > most.keys)
        found.push({ at, problem: `has ${map.items.length} keys, at most ${most.keys}` });
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const keyAt = rangeOf(key)?.[0] ?? at;
        if (!isScalar(key)) found.push({ at: keyAt, problem: "a key must be a word" });
        else if (seen.has(String(key.value)))
          found.push({ at: keyAt, problem: `"${String(key.value).slice(0, 60)}" is there twice` });
        else seen.add(String(key.value));
      }
    },
  });
  return found;
}

/** Returns aliases without an anchor, aliases inside their own anchor, and too many of them; also a too large expansion. */
function aliasFaults(document: Document): Found[] {
  const found: Found[] = [];
  const weights = new Map<string, number>();
  const open = new Set<string>();
  let aliases = 0;

  function weigh(node: unknown): number {
    if (isAlias(node)) return weighAlias(node.source, node.range?.[0] ?? 0);
    const anchor = isNode(node) && "anchor" in node && typeof node.anchor === "string" ? node.anchor : null;
    if (anchor !== null) open.add(anchor);
    let weight = 1 + (isScalar(node) ? String(node.value).length / 16 : 0);
    if (isMap(node)) for (const { key, value } of node.items) weight += weigh(key) + weigh(value);
    if (isSeq(node)) for (const item of node.items) weight += weigh(item);
    if (anchor !== null) {
      open.delete(anchor);
      weights.set(anchor, weight);
    }
    return weight;
  }

  function weighAlias(name: string, at: number): number {
    aliases += 1;
    if (aliases === most.aliases + 1) found.push({ at, problem: `more than ${most.aliases} aliases` });
    if (open.has(name)) found.push({ at, problem: `*${name} stands inside of what it stands for` });
    else if (!weights.has(name)) found.push({ at, problem: `Unresolved alias: nothing before it is called &${name}` });
    return weights.get(name) ?? 1;
  }

  const weight = weigh(document.contents);
  if (weight > most.pieces) found.push({ at: 0, problem: `its aliases unfold to too much text` });
  return found;
}

function lineOf(document: Document, path: readonly PropertyKey[], lineAt: (at: number) => number): number | null {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const at = rangeOf(node)?.[0];
    if (at !== undefined && (length > 0 || isMap(node))) return lineAt(at);
  }
  return null;
}

function rangeOf(node: unknown): readonly number[] | null {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range)) return null;
  return node.range.every((each) => typeof each === "number") ? node.range : null;
}
