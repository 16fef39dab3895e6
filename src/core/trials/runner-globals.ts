import { isPythonFile, isShellFile } from "./languages.ts";
import { isGivenToSetter } from "./shared-code.ts";
import { nameIn, type Token } from "./tokens.ts";

/** What a script says of the names that a runner gives to all code (`describe`, `expect`), where it declares none of its own. */
export interface RunnerGlobals {
  /** It looks whether they are there, as it is mostly written: it can tell that it is tested. */
  readonly seen: readonly string[];
  /** It puts something else there: by that it decides what its tests compare. */
  readonly changed: readonly string[];
}

const names = /^(?:describe|it|expect|beforeEach|afterEach|beforeAll|afterAll)$/;

/** Names of other things as well: only where they are set for all code. */
const moreNames = /^(?:test|assert|xit|xdescribe|chai|jest|vi|jasmine)$/;

const holders = /^(?:globalThis|global|window)$/;

/** So many tokens of what is given to all code are read. */
const mostGiven = 100;

/** Which globals of a test runner a file looks at (`seen`) and sets (`changed`), each name once. */
export function runnerGlobals(tokens: readonly Token[], path: string): RunnerGlobals {
  const seen = new Set<string>();
  const changed = new Set<string>();
  if (isShellFile(path) || isPythonFile(path)) return { seen: [], changed: [] };
  const own = declaredIn(tokens);
  for (const [index, { text }] of tokens.entries()) {
    const [before, next, behind] = [tokens[index - 1]?.text, tokens[index + 1], tokens[index + 2]];
    if (holders.test(text) && before !== ".") {
      const isIn = before === "in" ? (nameIn(tokens[index - 2]) ?? "") : "";
      if (names.test(isIn)) seen.add(`"${isIn}" in ${text}`);
      if (isGivenToSetter(tokens, index, index + 1)) for (const each of givenAt(tokens, index + 2)) changed.add(each);
      if (next?.text !== "." && next?.text !== "[") continue;
      const member = nameIn(behind) ?? "";
      const end = next.text === "." ? index + 3 : index + 4;
      if (tokens[end]?.text === "=" && isRunners(member)) changed.add(member);
      else if (names.test(member)) seen.add(`${text}.${member}`);
    }
    if (!names.test(text) || own.has(text)) continue;
    if (before === "typeof") seen.add(`typeof ${text}`);
    if (next?.text === "=" && /^[;{})]?$/.test(before ?? "")) changed.add(text);
  }
  return { seen: [...seen], changed: [...changed] };
}

function isRunners(name: string): boolean {
  return names.test(name) || moreNames.test(name);
}

/** `"expect"` of `Object.defineProperty(globalThis, "expect", …)`, `expect` of `Object.assign(globalThis, { expect })`. */
function givenAt(tokens: readonly Token[], from: number): string[] {
  if (tokens[from]?.type === "string") return [nameIn(tokens[from]) ?? ""].filter(isRunners);
  if (tokens[from]?.text !== "{") return [];
  const given: string[] = [];
  let depth = 0;
  for (const [at, token] of tokens.slice(from, from + mostGiven).entries()) {
    if (/^[{([]$/.test(token.text)) depth += 1;
    if (/^[})\]]$/.test(token.text)) depth -= 1;
    if (depth === 0) break;
    const isKey = depth === 1 && /^[{,]$/.test(tokens[from + at - 1]?.text ?? "");
    const key = isKey ? (nameIn(token) ?? "") : "";
    if (isRunners(key)) given.push(key);
  }
  return given;
}

/** Names that the script gives to something of its own: what it says of them is not of a runner. */
function declaredIn(tokens: readonly Token[]): ReadonlySet<string> {
  const own = new Set<string>();
  for (const [index, { text }] of tokens.entries()) {
    if (!names.test(text)) continue;
    const [before, next] = [tokens[index - 1]?.text ?? "", tokens[index + 1]?.text ?? ""];
    const isListed = /^[(,{[]$/.test(before) && /^(?:[,)}\]=:]|\?)$/.test(next);
    if (/^(?:const|let|var|function|class|import|as)$/.test(before) || next === "=>" || isListed) own.add(text);
  }
  return own;
}
