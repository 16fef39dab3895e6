import { isPythonFile, isScriptFile } from "./languages.ts";
import type { Token } from "./tokens.ts";
import { bracketAt, closingOf } from "./type-places.ts";

/**
 * True when a word is a name that the file itself defines: `const Map = {}; Map.size = 3` changes nothing that other code has, and the
 * `def eval(x)` of an interpreter does not run Python text.
 */
export type IsOwn = (index: number) => boolean;

/** Returns the check for the words of a file. The file is read once for all words, so that the check stays linear in the text. */
export function ownNames(tokens: readonly Token[], path: string, text: string): IsOwn {
  if (isPythonFile(path)) return ownInPython(tokens, text);
  return isScriptFile(path) ? ownInScript(tokens) : () => false;
}

/**
 * Functions of the module, after their definition; before it, the name is Python's. Also buffers that the module makes, unless the same
 * name is bound to anything else.
 */
function ownInPython(tokens: readonly Token[], text: string): IsOwn {
  const defined = new Map<string, number>();
  const made = new Set<string>();
  const others = new Set<string>();
  for (const [index, { text: name, type }] of tokens.entries()) {
    const before = tokens[index - 1];
    const isOfModule = before?.text === "def" && (before.start === 0 || text[before.start - 1] === "\n");
    if (isOfModule) defined.set(name, defined.get(name) ?? index);
    else if (type === "word" && isBound(tokens, index)) (isBuffer(tokens, index + 1) ? made : others).add(name);
  }
  return (index) => {
    const { text: name } = tokens[index] ?? { text: "" };
    if (tokens[index - 1]?.text === "." || others.has(name)) return false;
    return made.has(name) || (defined.get(name) ?? index) < index;
  };
}

/** True where a name is bound: `name = …`, `name, other = …`, `def of(name)`, `for name in`. Keyword arguments of a call do not count. */
function isBound(tokens: readonly Token[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]?.text ?? ""];
  // A method of a class is not a name of the module.
  if (/^(?:for|as|import|from|global|nonlocal|del)$/.test(before?.text ?? "")) return true;
  const open = bracketAt(tokens, index);
  if (open !== -1) return next === ":" ? tokens[index + 2]?.text === "=" : tokens[open - 2]?.text === "def";
  const isFirst = before === undefined || before.line !== token?.line;
  return next === "=" || (isFirst && /^[,:]$/.test(next)) || (before?.text === "," && tokens[index + 2]?.text === "=");
}

/** `= ctypes.create_string_buffer(…)`, `= (ctypes.c_char * size)()`. */
function isBuffer(tokens: readonly Token[], sign: number): boolean {
  if (tokens[sign]?.text !== "=") return false;
  const near = tokens.slice(sign + 1, sign + 5).map(({ text }) => text);
  if (near[0] === "(")
    return near.some((each) => /^c_\w+$/.test(each)) && tokens[closingOf(tokens, sign + 1) + 1]?.text === "(";
  return /^create_(?:string|unicode)_buffer$/.test(near[near[1] === "." ? 2 : 0] ?? "");
}

/** Names that give a script access to what all code shares, under any name. */
const holders = /^(?:globalThis|global|Reflect)$/;
const itsModules = /^(?:node:)?(?:process|console|buffer)$|^core-js/;

interface Part {
  readonly from: number;
  readonly to: number;
}

function ownInScript(tokens: readonly Token[]): IsOwn {
  const leads = tokens.some(({ type, text }, index) =>
    type === "string"
      ? itsModules.test(text.slice(1, -1))
      : holders.test(text) || (/^(?:window|self)$/.test(text) && tokens[index + 1]?.text !== "."),
  );
  if (leads) return () => false;
  const imported = importedIn(tokens);
  const known = new Map<string, ReadonlySet<number>>();
  return (index) => {
    const { text } = tokens[index] ?? { text: "" };
    if (tokens[index - 1]?.text === ".") return false;
    if (imported.has(text)) return true;
    const own = known.get(text) ?? declaredIn(tokens, text);
    known.set(text, own);
    return own.has(index);
  };
}

/** Indexes at which a name means what the file declares. Empty when the file also passes the shared object of that name to a function. */
function declaredIn(tokens: readonly Token[], name: string): ReadonlySet<number> {
  const uses = tokens.flatMap(({ type, text }, index) => (type === "word" && text === name ? [index] : []));
  const parts = uses.flatMap((index) => partOf(tokens, index) ?? []).sort((one, other) => one.from - other.from);
  const own = new Set<number>();
  let [next, end] = [0, -1];
  for (const index of uses) {
    for (; (parts[next]?.from ?? tokens.length) <= index; next += 1) end = Math.max(end, parts[next]?.to ?? -1);
    if (index <= end) own.add(index);
  }
  return uses.some((index) => !own.has(index) && isGivenOn(tokens, index)) ? new Set() : own;
}

/** True for `(function (Object) { … })(Object)`: the shared object gets a name of the file's own. */
function isGivenOn(tokens: readonly Token[], index: number): boolean {
  const [before, next] = [tokens[index - 1]?.text ?? "", tokens[index + 1]?.text ?? ""];
  if (/^(?:\.|instanceof|typeof|extends|new)$/.test(before)) return false;
  return !/^(?:[.(<?[:]|[!=]==?)$/.test(next);
}

/** The scope of the name that is declared at `index`; null when nothing is declared there. */
function partOf(tokens: readonly Token[], index: number): Part | null {
  const [before, next] = [tokens[index - 1]?.text ?? "", tokens[index + 1]?.text ?? ""];
  const open = bracketAt(tokens, index);
  const isValue = /^(?:const|let|var)$/.test(before) && /^(?:[=:]|of|in)$/.test(next);
  const isStatement = /^(?:function|class)$/.test(before) && begins(tokens, index - 1);
  if ((isValue && tokens[index - 2]?.text !== "declare") || isStatement) {
    if (open === -1) return { from: 0, to: tokens.length };
    return tokens[open]?.text === "{" ? { from: open, to: closingOf(tokens, open) } : bodyBehind(tokens, open);
  }
  if (next === "=>" && tokens[index + 2]?.text === "{") return { from: index, to: closingOf(tokens, index + 2) };
  const isListed = /^[(,]$/.test(before) && /^[,)=:?]$/.test(next);
  return isListed && tokens[open]?.text === "(" ? bodyBehind(tokens, open) : null;
}

/** True when a statement begins there. The name of a function expression is known only inside the function. */
function begins(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  if (before === undefined || /^(?:[;{}]|export|default)$/.test(before.text)) return true;
  if (/^(?:async|abstract)$/.test(before.text)) return begins(tokens, index - 1);
  return before.line !== tokens[index]?.line && !/^[=(,:?&|+[]$|^(?:=>|return|declare)$/.test(before.text);
}

/** Maximum number of tokens between parameters and the body: the return type. */
const longestType = 20;

/** The range from the parameters at `open` to the end of the body after them; null when there is none. */
function bodyBehind(tokens: readonly Token[], open: number): Part | null {
  if (/^(?:if|while|switch|with)$/.test(tokens[open - 1]?.text ?? "")) return null;
  const close = closingOf(tokens, open);
  if (close === -1) return null;
  let at = close + 1;
  if (tokens[at]?.text === ":")
    while (at < close + longestType && !/^(?:[{;]|=>)$/.test(tokens[at]?.text ?? ";")) at += 1;
  if (tokens[at]?.text === "=>") at += 1;
  return tokens[at]?.text === "{" ? { from: open, to: closingOf(tokens, at) } : null;
}

/** Maximum number of tokens of an import that are read. */
const longestImport = 60;

/** Imported names: `import { Map } from "immutable"`, `import * as process from "./process.js"`. */
function importedIn(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, { text, type }] of tokens.entries()) {
    if (text !== "from" || type !== "word" || tokens[index + 1]?.type !== "string") continue;
    const from = Math.max(0, index - longestImport);
    const said = tokens.slice(from, index);
    const start = said.findLastIndex(({ text: each }) => each === "import" || each === ";");
    if (said[start]?.text !== "import" || said[start + 1]?.text === "type") continue;
    for (const [at, each] of said.entries()) {
      const isOther = said[at + 1]?.text === "as" || said[at - 1]?.text === "type";
      if (at > start && each.type === "word" && !isOther) names.add(each.text);
    }
  }
  return names;
}
