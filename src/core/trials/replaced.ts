import { closingAt } from "./brackets.ts";
import { isFileNamed } from "./loading-files.ts";
import type { ChangedText } from "./lines.ts";
import { spelledTokens } from "./spelled.ts";
import { nameIn, type Token, tokensOf } from "./tokens.ts";

/**
 * Finds where test code replaces something that the work changed, so that the tests see the replacement and not the work (F-201): a
 * module, or one of its functions. Replacing other modules (the network, a clock, a dependency) is not reported.
 */

/** A changed file, which a test could replace. */
interface Tested {
  readonly path: string;
  /** Names that its changed lines define, and names of the definitions around them. */
  readonly names: ReadonlySet<string>;
}

/**
 * What a test file newly replaces, each once: "total of src/price.js", "src/price.js". `before`: the file at the base; null when it is
 * new.
 */
export function newlyReplaced(
  path: string,
  text: string,
  before: string | null,
  changed: readonly ChangedText[],
): string[] {
  const tested = changed.map((each) => ({ path: each.path, names: namesDefined(each) }));
  const known = new Set(before === null ? [] : replacedIn(path, before, tested));
  return replacedIn(path, text, tested).filter((each) => !known.has(each));
}

function replacedIn(path: string, text: string, tested: readonly Tested[]): string[] {
  const found = new Set<string>(tested.filter((each) => isMockOf(path, each.path)).map((each) => each.path));
  const tokens = spelledTokens(tokensOf(text, path), path);
  const lines = text.split("\n");
  for (const each of tested) {
    const owners = ownersIn(tokens, lines, each);
    for (const index of tokens.keys()) {
      const name = moduleAt(tokens, index, path, each)
        ? ""
        : (givenAt(tokens, index, each, owners) ?? setAt(tokens, index, each, owners));
      if (name !== null) found.add(name === "" ? each.path : `${name} of ${each.path}`);
    }
  }
  return [...found];
}

const defining =
  /\b(?:def|function\*?|class|fn|func|fun|sub|trait|interface)\s{1,4}(?:self\.)?([A-Za-z_$][\w$]{0,100})|(?:^|\s)(?:const|let|var)\s{1,4}([A-Za-z_$][\w$]{0,100})\s{0,4}=|^\s{1,40}(?:(?:async|static|get|public)\s{1,4}){0,3}([A-Za-z_$][\w$]{0,100})\s{0,2}\([^()]{0,200}\)\s{0,4}\{|^([A-Za-z_$][\w$]{0,100})\(\)\s{0,4}\{/;
const keyword = /^(?:if|for|while|switch|catch|function|return|else|do|with)$/;

/** Names that the changed lines define, and the nearest definitions above them. */
function namesDefined({ text, lines: changed }: ChangedText): ReadonlySet<string> {
  const names = new Set<string>();
  let last: string | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    const [, ...said] = defining.exec(line.slice(0, 400)) ?? [];
    const name = said.find((each) => each !== undefined);
    const isInner = /^\s{1,40}(?:const|let|var)\s/.test(line);
    if (name !== undefined && !keyword.test(name) && !isInner) last = name;
    if (changed.has(at) && last !== null && line.trim() !== "") names.add(last);
  }
  return names;
}

/**
 * Names by which a test refers to the module: words of the lines that load it, and its classes. Names that the test itself assigns are
 * left out.
 */
function ownersIn(tokens: readonly Token[], lines: readonly string[], { path, names }: Tested): ReadonlySet<string> {
  const loading = lines.filter(
    (line) => /\b(?:import|require\w{0,20}|from|use)\b/.test(line) && hasWord(line, stemOf(path)),
  );
  const words = loading.flatMap((line) => line.match(/[A-Za-z_$][\w$]{0,100}/g) ?? []);
  const owners = new Set([...words, ...[...names].filter((name) => /^[A-Z]/.test(name))]);
  for (const [index, { line }] of tokens.entries())
    if (tokens[index + 1]?.text === "=" && tokens[index - 1]?.text !== "." && !loading.includes(lines[line] ?? ""))
      owners.delete(tokens[index]?.text ?? "");
  return owners;
}

function hasWord(line: string, word: string): boolean {
  const words: readonly string[] = line.slice(0, 400).match(/[\w$]{1,100}(?:-[\w$]{1,100}){0,10}/g) ?? [];
  return words.includes(word);
}

/** `price` of `src/price.js`, `shop` of `shop/__init__.py` and `shop/index.js`. */
function stemOf(path: string): string {
  const parts = path.replace(/\.\w{1,10}$/, "").split("/");
  const last = parts.at(-1) ?? "";
  return /^(?:index|__init__|mod)$/.test(last) ? (parts.at(-2) ?? last) : last;
}

/** jest's `src/__mocks__/price.js` beside `src/price.js`. */
function isMockOf(path: string, tested: string): boolean {
  const plain = path.replace(/(^|\/)__mocks__\//, "$1");
  return plain !== path && plain.replace(/\.\w{1,10}$/, "") === tested.replace(/\.\w{1,10}$/, "");
}

const mocking = /^(?:mock|doMock|unstable_mockModule|setMock|module|replace|replaceEsm)$/;
const mockers = /^(?:jest|vi|vitest|mock|t|td)$/;
const actual = /^(?:requireActual|importActual|importOriginal|actual|original|spy)$/;

/**
 * True for `vi.mock("../src/price.js", …)`, `mock.module(…)`, `sys.modules["shop.price"] = …`. False when the mock keeps the actual
 * module.
 */
function moduleAt(tokens: readonly Token[], index: number, path: string, tested: Tested): boolean {
  const token = tokens[index];
  if (token?.type !== "string") return false;
  const said = token.text.slice(1, -1);
  const isLoaded = tokens[index - 1]?.text === "(" && tokens[index - 2]?.text === "import";
  const open = isLoaded ? index - 3 : index - 1;
  const [owner, name] = [tokens[open - 3]?.text ?? "", tokens[open - 1]?.text ?? ""];
  if (tokens[open]?.text === "(" && mocking.test(name) && mockers.test(owner))
    return isFileNamed(said, path, tested.path) && !keeps(tokens, open);
  const isList = tokens[open]?.text === "[" && name === "modules" && owner === "sys";
  return isList && tokens[index + 2]?.text === "=" && said.split(".").at(-1) === stemOf(tested.path);
}

function keeps(tokens: readonly Token[], open: number): boolean {
  return tokens.slice(open, closingAt(tokens, open)).some(({ text }) => actual.test(text));
}

/** Functions that take an object and the name of a member, or both as one string. */
const replacers =
  /^(?:setattr|patch|object|multiple|stub|stubs|replace|method|spyOn|receive|define_method|define_singleton_method|shouldReceive|allows)$/;
/** Maximum number of tokens of a call that are read. */
const longestCall = 30;

/** The replaced name, or null: `monkeypatch.setattr(shop, "total", …)`, `patch("shop.price.total")`, `allow(Shop).to receive(:total)`. */
function givenAt(tokens: readonly Token[], index: number, tested: Tested, owners: ReadonlySet<string>): string | null {
  const open = tokens[index + 1]?.text === "(" ? index + 2 : index + 1;
  const replacer = tokens[index]?.text ?? "";
  if (tokens[index]?.type !== "word" || !replacers.test(replacer)) return null;
  const near = tokens.slice(open, index + longestCall);
  const end = near.findIndex(({ text }, at) => text === ")" || (at > 0 && text === "("));
  const given = end === -1 ? near : near.slice(0, end);
  const [first] = given;
  const whole = first?.type === "string" && open === index + 2 ? dottedName(first.text.slice(1, -1), tested) : null;
  if (whole !== null) return whole;
  const name = given.slice(0, 8).find((each) => tested.names.has(nameIn(each) ?? "") && !isOwner(each, owners));
  const line = tokens[index]?.line;
  const before = tokens.slice(Math.max(0, index - 8), index).filter((each) => each.line === line);
  const isOwn = [...given, ...before].some((each) => isOwner(each, owners));
  if (name === undefined || !isOwn || !isNamed(given, name) || isWatched(tokens, open - 1, replacer)) return null;
  return nameIn(name);
}

function isOwner(token: Token, owners: ReadonlySet<string>): boolean {
  return token.type === "word" && owners.has(token.text);
}

/** True when the name is a string or a Ruby symbol. */
function isNamed(given: readonly Token[], name: Token): boolean {
  return name.type === "string" || given[given.indexOf(name) - 1]?.text === ":";
}

/** True for a spy that only watches: `spyOn(shop, "total")` without a result of its own. */
function isWatched(tokens: readonly Token[], open: number, replacer: string): boolean {
  if (replacer !== "spyOn") return false;
  const behind = tokens.slice(closingAt(tokens, open) + 1, closingAt(tokens, open) + 3);
  return !/^mock(?!Clear|Restore|Reset|Name)/.test(behind[1]?.text ?? "");
}

/** "total" of "shop.price.total" when the work changed it, "" of "shop.price"; null when the string names something else. */
function dottedName(said: string, { path, names }: Tested): string | null {
  const parts = said.split(".");
  const last = parts.at(-1) ?? "";
  const places = new Set([...path.split("/"), stemOf(path)]);
  if (parts.length < 2 || !places.has(parts[0] ?? "")) return null;
  if (names.has(last)) return last;
  return last === stemOf(path) ? "" : null;
}

/**
 * The name that is replaced by an assignment, or null: `shop.total = lambda …`, `Shop.prototype.total = …`. A value that is no function
 * replaces nothing.
 */
function setAt(tokens: readonly Token[], index: number, { names }: Tested, owners: ReadonlySet<string>): string | null {
  const [token, sign, value] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (token?.type !== "word" || !names.has(token.text) || sign?.text !== "=" || tokens[index - 1]?.text !== ".")
    return null;
  const owner = tokens[index - 2]?.text === "prototype" ? tokens[index - 4] : tokens[index - 2];
  const isFunction =
    value?.type === "word"
      ? !/^(?:true|false|null|None|True|False|nil|new|original\w*|old\w*|saved\w*|real\w*)$/.test(value.text)
      : value?.text === "(";
  return owner !== undefined && isOwner(owner, owners) && isFunction ? token.text : null;
}
