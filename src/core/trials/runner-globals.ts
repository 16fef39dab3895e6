import { isPythonFile, isShellFile } from "./languages.ts";
import { isGivenToSetter } from "./shared-code.ts";
import { nameIn, type Token } from "./tokens.ts";

/** What a script does with the globals of a test runner (`describe`, `expect`), where it declares no such name itself. */
export interface RunnerGlobals {
  /** Checks whether they exist, in the usual spellings: by these, code can tell that it is tested. */
  readonly seen: readonly string[];
  /** Globals that it replaces: by these, it decides what its tests compare. */
  readonly changed: readonly string[];
}

const names = /^(?:describe|it|expect|beforeEach|afterEach|beforeAll|afterAll)$/;

/** Names with other meanings, too: they count only where they are set for all code. */
const moreNames = /^(?:test|assert|xit|xdescribe|chai|jest|vi|jasmine)$/;

const holders = /^(?:globalThis|global|window)$/;

/** Maximum number of tokens of a replacement that are read. */
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

/**
 * The runner's names that are set: `"expect"` of `Object.defineProperty(globalThis, "expect", …)`, `expect` of `Object.assign(globalThis,
 * { expect })`.
 */
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

/** Names that the script declares itself: their uses do not concern a runner. */
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
